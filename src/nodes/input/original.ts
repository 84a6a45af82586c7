import { InputError } from '../../core/base/errors.js';
import { UUID_V4 } from '../../core/base/uuid.js';
import { isToldAboutOriginal } from '../../core/operation/kinds.js';
import type { Balance } from '../../core/original/balance.js';
import { isReport, type Money, major, missing, moneyIn, namedCurrency } from './amount.js';
import type { ActionContext } from './context.js';
import { reading, textOf } from './field-values.js';

/**
 * The earlier payment that an operation is about. The message names it, most often as the result of an earlier node. The
 * result of a tip, of a change of a hold, or of a reversal is a proxy: the next operation is about what that changed or
 * reversed, and so is the amount in it. The journal knows the balance.
 */
export interface Original {
  /** Its `transactionID`. */
  id: string;
  /** The reference of its chain, for an order. Left out where it is no UUID: the journal finds it. */
  chain: { originalReference?: string };
  /** The currency of the payment, where the journal or the message says it. */
  currency?: string;
  /** Undefined where the journal does not know the payment. */
  balance?: Balance;
  /** The message is the result of something that changed or reversed it. */
  isProxyResult: boolean;
}

/** An amount of the balance: what a full reversal gives back, what can still be refunded, what can be captured. */
export type Part = 'total' | 'refundable' | 'capturable';

interface Wanted {
  /** The field that holds the amount. */
  field?: string;
  /** What the amount of a proxy result means; without it, no amount is taken from such a result. */
  part?: Part;
}

const RESULT = 'msg.payload';

/** @throws InputError, JournalError */
export async function originalOf({ values, msg, environment, origin }: ActionContext): Promise<Original> {
  const field = reading(values, 'original');
  const result = field.source === `${RESULT}.transactionId` ? resultIn(msg.payload) : {};
  const proxied = proxiedOriginal(result);
  const id = proxied ?? textOf(field);
  if (id === undefined) throw new InputError(field.source, 'the transactionId of an earlier payment', undefined);
  const balance = await (await environment.engine()).balance(id, origin.key);
  const currency = balance?.currency ?? (isReport(result.amount) ? result.amount.currency : undefined);
  const reference = textOf(reading(values, 'originalReference'));
  const chain = reference !== undefined && UUID_V4.test(reference) ? { originalReference: reference } : {};
  return { id, chain, currency, balance, isProxyResult: proxied !== undefined };
}

/** Replaces the total by what the chain says it is: another system may have set a tip. @throws JournalError */
export async function withWhole(original: Original, { environment }: ActionContext): Promise<Original> {
  const whole = await (await environment.engine()).whole(original.id, original.chain.originalReference);
  if (whole === undefined) return original;
  const { amount: total, currency } = whole;
  return { ...original, currency, balance: { ...original.balance, currency, total } };
}

/**
 * The amount of an operation about an earlier payment, in the currency of that payment.
 * @throws InputError
 */
export function moneyAbout(
  original: Original,
  { values, environment }: ActionContext,
  { field = 'amount', part }: Wanted,
): Money | undefined {
  const { value, source } = reading(values, field);
  const isEarlier = isReport(value) && (part === undefined || (original.isProxyResult && source.startsWith(RESULT)));
  if (!isEarlier) return moneyIn(values, environment.settings.currency, { field, only: original.currency });
  const money = part === undefined ? undefined : partOf(original, part, source);
  if (money === undefined)
    throw new InputError(
      source,
      'an amount for this operation, because an earlier result does not say it',
      value.total,
    );
  namedCurrency(values, money.currency);
  if (money.minor <= 0n) throw new InputError(source, 'an original with an amount left', major(money));
  return money;
}

/** As {@link moneyAbout}, where an amount is required. */
export function requiredMoneyAbout(original: Original, context: ActionContext, wanted: Wanted): Money {
  return moneyAbout(original, context, wanted) ?? missing(context.values, wanted.field);
}

/** An amount of the balance, where the journal knows it. */
export function partOf({ balance }: Original, part: Part, source: string): Money | undefined {
  const minor = balance?.[part];
  return balance === undefined || minor === undefined ? undefined : { minor, currency: balance.currency, source };
}

function proxiedOriginal({ operation, originalTransactionId }: Record<string, unknown>): string | undefined {
  if (!isToldAboutOriginal(operation)) return undefined;
  return typeof originalTransactionId === 'string' && originalTransactionId !== '' ? originalTransactionId : undefined;
}

function resultIn(payload: unknown): Record<string, unknown> {
  return typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>) : {};
}
