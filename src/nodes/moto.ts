import type { NodeAPI } from 'node-red';
import { InputError } from '../core/errors.js';
import form from './moto.form.js';
import { type ActionContext, registerAction } from './shared/action-node.js';
import { major, referenceOf, requiredMoney, requiredOriginal, wordOf } from './shared/follow-up.js';
import type { Readings } from './shared/read.js';
import { billingOf, busyPolicy, paymentOf, submitOnTerminal } from './shared/terminal-request.js';
import { reading, textOf } from './shared/values.js';

const KEYED: Readonly<Record<string, string>> = {
  sale: 'moToSale',
  refund: 'moToRefund',
  reversal: 'moToReversal',
  preAuthorization: 'moToPreAuthorization',
};

export default function (RED: NodeAPI): void {
  registerAction(RED, {
    form,
    submit: (context) => (wordOf(context.values, 'how') === 'keyed' ? keyed(context) : withToken(context)),
  });
}

async function keyed(context: ActionContext): Promise<string> {
  const { values, access } = context;
  const asked = wordOf(values, 'operation');
  const needsOriginal = asked === 'reversal' || (asked === 'refund' && isLinked(values));
  const request = {
    operation: KEYED[asked],
    ...paymentOf(values, access.settings.currency),
    originalTransactionId: needsOriginal ? requiredOriginal(values) : undefined,
    ...(asked === 'sale' ? { channel: channelOf(values), billing: billingOf(values) } : {}),
  };
  return submitOnTerminal(context, request, busyPolicy(values));
}

async function withToken({ values, access, origin }: ActionContext): Promise<string> {
  const asked = wordOf(values, 'operation');
  const money = requiredMoney(values, access.settings.currency);
  const common = {
    amount: major(money),
    currency: money.currency,
    customerReference: textOf(reading(values, 'customerReference')),
    merchantAuth: reading(values, 'merchantAuth').value as never,
  };
  const engine = await access.engine();
  switch (asked) {
    case 'sale': {
      const more = {
        cardToken: requiredToken(values),
        channel: channelOf(values),
        billing: billingOf(values) as never,
      };
      return engine.submitBackOffice({ operation: 'moto/sale', body: { ...common, ...more } }, origin);
    }
    case 'refund': {
      const to = isLinked(values) ? { originalGuid: requiredOriginal(values) } : { cardToken: requiredToken(values) };
      const body = { ...common, ...to, channel: channelOf(values) };
      const chain = isLinked(values) ? referenceOf(values) : {};
      return engine.submitBackOffice({ operation: 'moto/refund', body, ...chain }, origin);
    }
    case 'reversal': {
      const body = { ...common, originalGuid: requiredOriginal(values) };
      return engine.submitBackOffice({ operation: 'moto/reversal', body, ...referenceOf(values) }, origin);
    }
    default:
      throw new InputError('operation', 'sale, refund or reversal (a stored token holds no amount)', asked);
  }
}

function isLinked(values: Readings): boolean {
  return wordOf(values, 'linked') === 'linked';
}

function channelOf(values: Readings): 'MO' | 'TO' | undefined {
  const channel = wordOf(values, 'channel');
  return channel === 'MO' || channel === 'TO' ? channel : undefined;
}

function requiredToken(values: Readings): string {
  const asked = reading(values, 'cardToken');
  const token = textOf(asked);
  if (token === undefined) throw new InputError(asked.source, 'the token of a stored card', undefined);
  return token;
}
