import { saidAmount } from '../base/money.js';
import type { JournalQuery } from '../journal/journal.js';
import type { OperationRecord } from '../journal/record.js';
import { requestedOf } from '../lifecycle/back-office/amounts.js';
import { changesHold, isAboutOriginal, isCapture, isHold, isReversal, type Operation } from '../operation/kinds.js';

/** What an earlier payment has come to, as far as this journal knows: counted as the service counts. Minor units. */
export interface Balance {
  currency: string;
  /** What it took or holds by now, tip included: what a reversal of the whole takes back. */
  total?: bigint;
  /** What can still be refunded. */
  refundable?: bigint;
  /** What is held, and may be captured. */
  capturable?: bigint;
}

export type Find = (query: JournalQuery, limit?: number) => Promise<OperationRecord[]>;

interface OriginalAmount {
  amount: bigint;
  /** Contained in the amount. */
  tip: bigint;
}

const DONE: ReadonlySet<string> = new Set(['approved', 'refunded', 'completed']);
const REFUNDS: ReadonlySet<Operation> = new Set(['refund', 'moToRefund', 'moto/refund']);

/** Undefined where this journal did not run the original. @throws JournalError */
export async function balanceOf(find: Find, transactionId: string): Promise<Balance | undefined> {
  const [original] = await find({ transactionId }, 1);
  if (original === undefined) return undefined;
  const currency = currencyOf(original);
  if (currency === undefined) return undefined;
  const amount = originalAmountOf(original, currency);
  if (amount === undefined) return { currency };
  const since = await doneSince(find, transactionId);
  return isHold(original.operation) ? ofHold(amount, currency, since) : ofPayment(find, amount, currency, since);
}

function ofHold({ amount }: OriginalAmount, currency: string, since: readonly OperationRecord[]): Balance {
  const captured = sum(since.filter(({ operation }) => isCapture(operation)).map((one) => amountOf(one, currency)));
  const isOver = since.some(({ operation }) => isCapture(operation) || isReversal(operation));
  const changed = sum(since.filter(({ operation }) => changesHold(operation)).map((one) => amountOf(one, currency)));
  const capturable = isOver ? 0n : amount + changed;
  return { currency, total: capturable, refundable: captured, capturable };
}

async function ofPayment(
  find: Find,
  { amount, tip }: OriginalAmount,
  currency: string,
  since: readonly OperationRecord[],
): Promise<Balance> {
  // Newest first: the last tip counts, in the place of every earlier one.
  const tipped = since.find(({ operation }) => operation === 'tip-adjustment');
  const total = amount - tip + ((tipped && amountOf(tipped, currency)) ?? tip);
  const refunds = since.filter(({ operation }) => REFUNDS.has(operation));
  const refunded = sum(await Promise.all(refunds.map((refund) => stillGiven(find, refund, currency))));
  return { currency, total, refundable: total - takenBack(since, currency, total) - refunded, capturable: 0n };
}

/** What a refund has given, less what a reversal of it took back. */
async function stillGiven(find: Find, refund: OperationRecord, currency: string): Promise<bigint> {
  const amount = amountOf(refund, currency) ?? 0n;
  const since = refund.transactionId === undefined ? [] : await doneSince(find, refund.transactionId);
  return amount - takenBack(since, currency, amount);
}

/** A later reversal of a part takes the place of an earlier one. */
function takenBack(since: readonly OperationRecord[], currency: string, whole: bigint): bigint {
  const newest = since.find(({ operation }) => isReversal(operation));
  return newest === undefined ? 0n : (amountOf(newest, currency) ?? whole);
}

/** What was done about a transaction, newest first. */
async function doneSince(find: Find, original: string): Promise<OperationRecord[]> {
  return (await find({ original })).filter(isDone);
}

function isDone({ state }: OperationRecord): boolean {
  return state.reported !== undefined && DONE.has(state.reported);
}

function currencyOf(record: OperationRecord): string | undefined {
  return record.kind === 'terminal' ? record.request.currency : requestedOf(record.request)?.currency;
}

/** What an original took, gave or held when it was done; undefined where nobody knows that yet, or it is none. */
function originalAmountOf(record: OperationRecord, currency: string): OriginalAmount | undefined {
  if (isAboutOriginal(record.operation)) return undefined;
  if (record.kind === 'back-office') {
    const amount = isDone(record) ? amountOf(record, currency) : undefined;
    return amount === undefined ? undefined : { amount, tip: 0n };
  }
  const amount = integerIn(record.result?.totalAmount);
  return amount === undefined ? undefined : { amount, tip: integerIn(record.result?.tipAmount) ?? 0n };
}

/** What was asked for, negative for less; undefined where the whole was. */
function amountOf(record: OperationRecord, currency: string): bigint | undefined {
  if (record.kind === 'terminal') return integerIn(record.request.amount);
  const { request } = record;
  const asked = requestedOf(request);
  const amount = saidAmount(asked?.amount, currency);
  if (amount === undefined) return undefined;
  const isLess = request.operation === 'preauthorization/increase' && request.body.subtract !== undefined;
  return (isLess ? -amount : amount) + (saidAmount(asked?.tip, currency) ?? 0n);
}

/** Of a body as it came: some deployments write integers as text. */
function integerIn(value: unknown): bigint | undefined {
  return /^-?\d+$/.test(String(value)) ? BigInt(String(value)) : undefined;
}

function sum(amounts: readonly (bigint | undefined)[]): bigint {
  return amounts.reduce<bigint>((all, amount = 0n) => all + amount, 0n);
}
