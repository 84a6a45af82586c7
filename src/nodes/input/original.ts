import { InputError } from '../../core/base/errors.js';
import { UUID_V4 } from '../../core/base/uuid.js';
import { isAboutOriginal, isOperation } from '../../core/operation/kinds.js';
import type { Balance } from '../../core/original/balance.js';
import { isReport, type Money, major, missing, moneyIn } from './amount.js';
import type { ActionContext } from './context.js';
import { reading, textOf } from './field-values.js';

/**
 * What operations about an earlier payment share. The message names it, most often as the result of an earlier node. The
 * result of a tip, of a change of a hold, or of a reversal stands for what it changed or took back: the next operation is
 * about that, and so is an amount that the message brings along. What it has come to, the journal knows.
 */
export interface Original {
  /** Its `transactionID`. */
  id: string;
  /** The reference of its chain, for an order; what is none is left to the journal to find. */
  chain: { originalReference?: string };
  /** The one in which it was paid, where the journal or the message knows it. */
  currency?: string;
  /** Undefined where this journal did not run it. */
  balance?: Balance;
  /** The message is the result of something that changed it or took it back. */
  isProxyResult: boolean;
}

/** What of an original is meant: all that a reversal takes back, what a refund can still give, what can be captured. */
export type Part = 'total' | 'refundable' | 'capturable';

interface Wanted {
  /** The field that holds the amount. */
  field?: string;
  /** What the amount of an earlier result means where that stands for the original; without it none is taken from there. */
  part?: Part;
}

const RESULT = 'msg.payload';

/** @throws InputError, JournalError */
export async function originalOf({ values, msg, environment }: ActionContext): Promise<Original> {
  const asked = reading(values, 'original');
  const result = asked.source === `${RESULT}.transactionId` ? resultIn(msg.payload) : {};
  const stoodFor = proxiedOriginal(result);
  const id = stoodFor ?? textOf(asked);
  if (id === undefined) throw new InputError(asked.source, 'the transactionId of an earlier payment', undefined);
  const balance = await (await environment.engine()).balance(id);
  const currency = balance?.currency ?? (isReport(result.amount) ? result.amount.currency : undefined);
  const reference = textOf(reading(values, 'originalReference'));
  const chain = reference !== undefined && UUID_V4.test(reference) ? { originalReference: reference } : {};
  return { id, chain, currency, balance, isProxyResult: stoodFor !== undefined };
}

/**
 * The amount of an operation about an earlier payment, in the currency of that.
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
    throw new InputError(source, 'an amount of its own, not that of an earlier result', value.total);
  if (money.minor <= 0n) throw new InputError(source, 'an original that has something left', major(money));
  return money;
}

/** As {@link moneyAbout}, where there has to be one. */
export function requiredMoneyAbout(original: Original, context: ActionContext, wanted: Wanted): Money {
  return moneyAbout(original, context, wanted) ?? missing(context.values, wanted.field);
}

/** What the journal knows of an original. */
export function partOf({ balance }: Original, part: Part, source: string): Money | undefined {
  const minor = balance?.[part];
  return balance === undefined || minor === undefined ? undefined : { minor, currency: balance.currency, source };
}

function proxiedOriginal({ operation, originalTransactionId }: Record<string, unknown>): string | undefined {
  if (!isOperation(operation) || !isAboutOriginal(operation)) return undefined;
  return typeof originalTransactionId === 'string' && originalTransactionId !== '' ? originalTransactionId : undefined;
}

function resultIn(payload: unknown): Record<string, unknown> {
  return typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>) : {};
}
