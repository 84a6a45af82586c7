import type { NodeAPI } from 'node-red';
import type { MotoSaleRequest } from '../core/api/moto.js';
import type { Draft } from '../core/api/schema/check.js';
import { InputError } from '../core/base/errors.js';
import type { BackOfficeDraft } from '../core/operation/back-office-order.js';
import type { RefundLimited } from '../core/operation/order.js';
import { registerAction } from './action/action-node.js';
import { isReport, type Money, major, requiredMoney } from './input/amount.js';
import { submitToBackOffice } from './input/back-office-request.js';
import type { ActionContext } from './input/context.js';
import { choiceOf, reading, secretOf, textOf, wordOf } from './input/field-values.js';
import { type Original, originalOf, requiredMoneyAbout, withWhole } from './input/original.js';
import { refundLimit } from './input/original-checks.js';
import type { Readings } from './input/reading.js';
import {
  billingOf,
  busyPolicy,
  cardOptions,
  paymentOf,
  policiesOf,
  submitOnTerminal,
} from './input/terminal-request.js';
import form from './moto.form.js';

const ON_TERMINAL = {
  sale: 'moToSale',
  refund: 'moToRefund',
  reversal: 'moToReversal',
  preAuthorization: 'moToPreAuthorization',
} as const;
const OPERATIONS = Object.keys(ON_TERMINAL) as (keyof typeof ON_TERMINAL)[];

export default function (RED: NodeAPI): void {
  registerAction(RED, { form, submit });
}

async function submit(context: ActionContext): Promise<string> {
  const { values, environment } = context;
  const original = hasOriginal(values) ? await originalOf(context) : undefined;
  const money =
    original === undefined ? requiredMoney(values, environment.settings.currency) : await moneyOf(context, original);
  return wordOf(values, 'how') === 'token' ? withToken(context, money, original) : onTerminal(context, money, original);
}

function onTerminal(context: ActionContext, money: Money, original: Original | undefined): Promise<string> {
  const { values } = context;
  const operation = choiceOf(values, 'operation', OPERATIONS);
  const request = {
    operation: ON_TERMINAL[operation],
    ...paymentOf(values, money),
    ...cardOptions(values),
    originalTransactionId: original?.id,
    cardToken: tokenInsteadOfKeys(values),
    ...(operation === 'sale' ? { channel: channelOf(values), billing: billingOf(values) } : {}),
  };
  const isCharge = operation === 'sale' || operation === 'preAuthorization';
  const policies = isCharge ? policiesOf(values) : busyPolicy(values);
  return submitOnTerminal(context, request, policies, limitOf(values, money));
}

async function withToken(context: ActionContext, money: Money, original: Original | undefined): Promise<string> {
  const { values } = context;
  const common = {
    amount: major(money),
    currency: money.currency,
    customerReference: textOf(reading(values, 'customerReference')),
    merchantAuth: reading(values, 'merchantAuth').value,
  };
  const order = original === undefined ? startingWith(common, values) : about(original, common, values);
  return submitToBackOffice(context, { ...order, ...limitOf(values, money) });
}

/** What requests with a stored token and requests about an original have in common. */
type Common = Pick<Draft<MotoSaleRequest>, 'amount' | 'currency' | 'customerReference' | 'merchantAuth'>;

function startingWith(common: Common, values: Readings): BackOfficeDraft {
  const operation = wordOf(values, 'operation');
  if (operation !== 'sale' && operation !== 'refund') {
    throw new InputError(
      'operation',
      'sale, refund or reversal, because a stored token cannot hold an amount',
      operation,
    );
  }
  const body = { ...common, cardToken: requiredToken(values), channel: channelOf(values) };
  return operation === 'refund'
    ? { operation: 'moto/refund', body }
    : { operation: 'moto/sale', body: { ...body, billing: billingOf(values) } };
}

function about({ id: originalGuid, chain }: Original, common: Common, values: Readings): BackOfficeDraft {
  return wordOf(values, 'operation') === 'refund'
    ? { operation: 'moto/refund', body: { ...common, originalGuid, channel: channelOf(values) }, ...chain }
    : { operation: 'moto/reversal', body: { ...common, originalGuid }, ...chain };
}

/** With the token of a stored card the terminal asks for no card data. */
function tokenInsteadOfKeys(values: Readings): string | undefined {
  if (wordOf(values, 'how') === 'keyed') return undefined;
  const operation = wordOf(values, 'operation');
  if (operation !== 'sale')
    throw new InputError('operation', 'sale, the only operation with a token on the terminal', operation);
  return requiredToken(values);
}

function hasOriginal(values: Readings): boolean {
  const operation = wordOf(values, 'operation');
  return operation === 'reversal' || (operation === 'refund' && wordOf(values, 'linked') === 'linked');
}

async function moneyOf(context: ActionContext, original: Original): Promise<Money> {
  const { values } = context;
  if (wordOf(values, 'operation') === 'reversal') {
    const asked = requiredMoneyAbout(original, context, { part: 'total' });
    // An earlier result stands for the whole, of which the chain knows more.
    const isWhole = isReport(reading(values, 'amount').value);
    return isWhole ? requiredMoneyAbout(await withWhole(original, context), context, { part: 'total' }) : asked;
  }
  return requiredMoneyAbout(original, context, { part: 'refundable' });
}

function limitOf(values: Readings, money: Money): RefundLimited {
  return hasOriginal(values) ? refundLimit(values, money) : {};
}

function channelOf(values: Readings): 'MO' | 'TO' | undefined {
  const channel = wordOf(values, 'channel');
  return channel === 'MO' || channel === 'TO' ? channel : undefined;
}

function requiredToken(values: Readings): string {
  const cardToken = reading(values, 'cardToken');
  const token = secretOf(cardToken);
  if (token === undefined) throw new InputError(cardToken.source, 'the token of a stored card', undefined);
  return token;
}
