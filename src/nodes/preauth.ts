import type { NodeAPI } from 'node-red';
import form from './preauth.form.js';
import { type ActionContext, registerAction } from './shared/action-node.js';
import { refuseCanadianDebit } from './shared/canadian-debit.js';
import { major, moneyIn, referenceOf, requiredMoney, requiredOriginal, wordOf } from './shared/follow-up.js';
import { guardOriginal } from './shared/original.js';
import { cardOptions, paymentOf, policiesOf, submitOnTerminal } from './shared/terminal-request.js';
import { reading, textOf } from './shared/values.js';

export default function (RED: NodeAPI): void {
  registerAction(RED, { form, submit });
}

function submit(context: ActionContext): Promise<string> {
  switch (wordOf(context.values, 'operation')) {
    case 'increase':
      return adjust(context, {});
    case 'decrease':
      return adjust(context, { subtract: '1' });
    case 'capture':
      return capture(context);
    case 'release':
      return release(context);
    default:
      return create(context);
  }
}

async function create(context: ActionContext): Promise<string> {
  const { values, access } = context;
  const payment = paymentOf(values, access.settings.currency);
  const request = { operation: 'preAuthorization', ...payment, ...cardOptions(values) };
  return submitOnTerminal(context, request, policiesOf(values));
}

async function adjust(context: ActionContext, more: { subtract?: '1' }): Promise<string> {
  const { values, access, origin } = context;
  const money = requiredMoney(values, access.settings.currency);
  const body = { ...follow(values), increaseAmount: major(money), currency: money.currency, ...more };
  await refuseCanadianDebit(context, 'adjustment');
  const engine = await access.engine();
  return engine.submitBackOffice({ operation: 'preauthorization/increase', body, ...referenceOf(values) }, origin);
}

async function capture({ values, access, origin }: ActionContext): Promise<string> {
  const money = requiredMoney(values, access.settings.currency);
  const tip = moneyIn(values, money.currency, 'tip');
  const body = {
    ...follow(values),
    capturedAmount: major(money),
    currency: money.currency,
    ...(tip === undefined ? {} : { tipAmount: major(tip) }),
  };
  const engine = await access.engine();
  await guardOriginal(engine, values, money, 'hold');
  return engine.submitBackOffice({ operation: 'preauthorization/capture', body, ...referenceOf(values) }, origin);
}

async function release({ values, access, origin }: ActionContext): Promise<string> {
  const body = { originalGuid: requiredOriginal(values) };
  return (await access.engine()).submitBackOffice({ operation: 'reversal', body, ...referenceOf(values) }, origin);
}

function follow(values: ActionContext['values']): {
  originalGuid: string;
  customerReference?: string;
  merchantAuth: never;
} {
  return {
    originalGuid: requiredOriginal(values),
    customerReference: textOf(reading(values, 'customerReference')),
    merchantAuth: reading(values, 'merchantAuth').value as never,
  };
}
