import { saidAmount } from '../base/money.js';
import { textOf } from '../base/objects.js';
import type { JournalQuery } from '../journal/journal.js';
import { NO_LIMIT } from '../journal/query.js';
import type { OperationRecord } from '../journal/record.js';
import { requestedOf } from '../lifecycle/back-office/amounts.js';
import { isAboutOriginal, isReversal, type Kind, kindOf } from '../operation/kinds.js';
import { isSuccess } from '../operation/outcome.js';

/** The amounts of an earlier payment as far as this journal knows, counted as the service counts. Minor units. */
export interface Balance {
  currency: string;
  /** What it charged, or holds by now, tip included: what a full reversal gives back. */
  total?: bigint;
  /** What can still be refunded. */
  refundable?: bigint;
  /** What is still held and can be captured. */
  capturable?: bigint;
}

export type Find = (query: JournalQuery, limit?: number) => Promise<OperationRecord[]>;

interface OriginalAmount {
  amount: bigint;
  /** Contained in the amount. */
  tip: bigint;
}

/** Undefined where this journal did not run the original. @throws JournalError */
export async function balanceOf(find: Find, transactionId: string): Promise<Balance | undefined> {
  const [original] = await find({ transactionId }, 1);
  if (original === undefined) return undefined;
  const currency = currencyOf(original);
  if (currency === undefined) return undefined;
  const amount = originalAmountOf(original, currency);
  if (amount === undefined) return { currency };
  const later = await doneAbout(find, transactionId);
  return kindOf(original.operation) === 'hold'
    ? ofHold(amount, currency, later)
    : ofPayment(find, amount, currency, later);
}

function ofHold({ amount }: OriginalAmount, currency: string, later: readonly OperationRecord[]): Balance {
  const captures = allOf('capture', later);
  const captured = sum(captures.map((one) => amountOf(one, currency)));
  const changed = sum(allOf('hold-change', later).map((one) => amountOf(one, currency)));
  const isOver = captures.length > 0 || later.some(({ operation }) => isReversal(operation));
  const capturable = isOver ? 0n : amount + changed;
  return { currency, total: capturable, refundable: captured, capturable };
}

async function ofPayment(
  find: Find,
  { amount, tip }: OriginalAmount,
  currency: string,
  later: readonly OperationRecord[],
): Promise<Balance> {
  // Newest first: the last tip replaces every earlier one.
  const [lastTip] = allOf('tip', later);
  const total = amount - tip + ((lastTip && amountOf(lastTip, currency)) ?? tip);
  const refunds = allOf('refund', later);
  const refunded = sum(await Promise.all(refunds.map((refund) => netRefund(find, refund, currency))));
  return { currency, total, refundable: total - reversedAmount(later, currency, total) - refunded, capturable: 0n };
}

/** What a refund gave back, less what was reversed of it. */
async function netRefund(find: Find, refund: OperationRecord, currency: string): Promise<bigint> {
  const amount = amountOf(refund, currency) ?? 0n;
  const later = refund.transactionId === undefined ? [] : await doneAbout(find, refund.transactionId);
  return amount - reversedAmount(later, currency, amount);
}

/** A later partial reversal replaces an earlier one. */
function reversedAmount(later: readonly OperationRecord[], currency: string, whole: bigint): bigint {
  const newest = later.find(({ operation }) => isReversal(operation));
  return newest === undefined ? 0n : (amountOf(newest, currency) ?? whole);
}

/** What was done about a transaction, newest first. */
async function doneAbout(find: Find, original: string): Promise<OperationRecord[]> {
  return (await find({ original }, NO_LIMIT)).filter(isDone);
}

function allOf(kind: Kind, records: readonly OperationRecord[]): OperationRecord[] {
  return records.filter(({ operation }) => kindOf(operation) === kind);
}

function isDone({ state }: OperationRecord): boolean {
  return isSuccess(state.reported);
}

function currencyOf(record: OperationRecord): string | undefined {
  return record.kind === 'terminal' ? record.request.currency : requestedOf(record.request)?.currency;
}

/** What an original charged, refunded or held; undefined while that is unknown, and for what only changes another operation. */
function originalAmountOf(record: OperationRecord, currency: string): OriginalAmount | undefined {
  if (isAboutOriginal(record.operation)) return undefined;
  if (record.kind === 'back-office') {
    const amount = isDone(record) ? amountOf(record, currency) : undefined;
    return amount === undefined ? undefined : { amount, tip: 0n };
  }
  const amount = integerIn(record.result?.totalAmount);
  return amount === undefined ? undefined : { amount, tip: integerIn(record.result?.tipAmount) ?? 0n };
}

/** The requested amount, negative where a hold is decreased; undefined for a reversal of the whole. */
function amountOf(record: OperationRecord, currency: string): bigint | undefined {
  if (record.kind === 'terminal') return integerIn(record.request.amount);
  const { request } = record;
  const requested = requestedOf(request);
  const amount = saidAmount(requested?.amount, currency);
  if (amount === undefined) return undefined;
  const isDecrease = request.operation === 'preauthorization/increase' && request.body.subtract !== undefined;
  return (isDecrease ? -amount : amount) + (saidAmount(requested?.tip, currency) ?? 0n);
}

/** Reads an integer of an unchecked body: some deployments write integers as text. */
function integerIn(value: unknown): bigint | undefined {
  const text = textOf(value);
  return /^-?\d+$/.test(text) ? BigInt(text) : undefined;
}

function sum(amounts: readonly (bigint | undefined)[]): bigint {
  return amounts.reduce<bigint>((total, amount = 0n) => total + amount, 0n);
}
