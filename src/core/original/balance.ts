import { saidAmount } from '../base/money.js';
import { textOf, withoutAbsent } from '../base/objects.js';
import { type OperationRecord, originalIn } from '../journal/record.js';
import { requestedOf } from '../lifecycle/back-office/amounts.js';
import { isAboutOriginal, isReversal, kindOf } from '../operation/kinds.js';
import { allOf, type Find, givesBack, isDone, type Later, laterAbout, withReversalsOfHold } from './later.js';
import { isPartlyReturned, leftByVerdict, type Told } from './told-left.js';

/** The amounts of an earlier payment as far as this journal knows, counted as the service counts. Minor units. */
export interface Balance {
  currency: string;
  /** What it charged, or holds by now, tip included: what a full reversal gives back. */
  total?: bigint;
  /** What can still be refunded, whatever becomes of what is undecided. */
  refundable?: bigint;
  /** What refunds have given back, or may have: a reversal does not take it off. */
  refunded?: bigint;
  /** What a reversal gives back, or is about to: the next one takes its place. */
  reversed?: bigint;
  /** What is still held and can be captured. */
  capturable?: bigint;
  /** Refunds and reversals of it that may have given money back. */
  undecided?: readonly OperationRecord[];
}

interface OriginalAmount {
  amount: bigint;
  /** Contained in the amount. */
  tip: bigint;
}

/** What a payment took, and what of it went back, or may have. Minor units. */
interface Taken {
  total: bigint;
  reversed: bigint;
  /** As `reversed`, without what the flow was told is undecided: that may be asked for again. */
  standing: bigint;
  refunded: bigint;
  undecided: OperationRecord[];
  /** What can still be refunded of it; negative where more went back than it took. */
  left: bigint;
}

/** Undefined where this journal did not run the original. @throws JournalError */
export async function balanceOf(find: Find, transactionId: string): Promise<Balance | undefined> {
  const [original] = await find({ transactionId }, 1);
  if (original === undefined) return undefined;
  const currency = currencyOf(original);
  if (currency === undefined) return undefined;
  const told = leftByVerdict(original);
  const amount = originalAmountOf(original, currency);
  if (amount === undefined && told === undefined) return { currency };
  const later = await laterAbout(find, transactionId);
  if (amount === undefined) {
    const asked = { amount: amountOf(original, currency) ?? 0n, tip: 0n };
    return { currency, ...refundableOf([await takenBy(find, asked, currency, later, told)]), capturable: 0n };
  }
  if (kindOf(original.operation) === 'hold') return ofHold(find, amount, currency, later);
  const hold = kindOf(original.operation) === 'capture' ? originalIn(original) : undefined;
  const all = hold === undefined ? later : withReversalsOfHold(later, original, await laterAbout(find, hold));
  const taken = await takenBy(find, amount, currency, all, told);
  return { currency, total: taken.total, reversed: taken.standing, ...refundableOf([taken]), capturable: 0n };
}

async function ofHold(find: Find, { amount }: OriginalAmount, currency: string, later: Later): Promise<Balance> {
  const captures = allOf('capture', [...later.done, ...later.undecided.filter(isPartlyReturned)]);
  if (captures.length > 0) return ofCaptures(find, captures, currency, later);
  const changed = sum(allOf('hold-change', later.done).map((one) => amountOf(one, currency)));
  const capturable = later.done.some(({ operation }) => isReversal(operation)) ? 0n : amount + changed;
  return { currency, total: capturable, refundable: 0n, capturable };
}

/** Once all captures of a hold have gone back, only its chain knows what a reversal gives back. */
async function ofCaptures(
  find: Find,
  captures: readonly OperationRecord[],
  currency: string,
  later: Later,
): Promise<Balance> {
  const taken = await Promise.all(
    captures.map(async (capture) => {
      const amount = originalAmountOf(capture, currency) ?? { amount: 0n, tip: 0n };
      const about = await laterAbout(find, capture.transactionId ?? '');
      return takenBy(find, amount, currency, withReversalsOfHold(about, capture, later), leftByVerdict(capture));
    }),
  );
  const standing = taken.filter(({ total, reversed }) => reversed < total);
  const total = standing.length === 0 ? undefined : sum(standing.map((one) => one.total));
  const refunds = (records: readonly OperationRecord[]): OperationRecord[] => allOf('refund', records);
  const named = { done: refunds(later.done), undecided: refunds(later.undecided) };
  const more = await takenBy(find, { amount: 0n, tip: 0n }, currency, named);
  return { currency, ...withoutAbsent({ total }), ...refundableOf([...taken, more]), capturable: 0n };
}

async function takenBy(
  find: Find,
  { amount, tip }: OriginalAmount,
  currency: string,
  later: Later,
  told?: Told,
): Promise<Taken> {
  // Newest first: the last tip replaces every earlier one.
  const [lastTip] = allOf('tip', later.done);
  const total = amount - tip + ((lastTip && amountOf(lastTip, currency)) ?? tip);
  const undecided = later.undecided.filter(givesBack);
  const refunds = allOf('refund', [...later.done, ...undecided]);
  const refunded = sum(await Promise.all(refunds.map((refund) => netRefund(find, refund, currency))));
  const reversals = undecided.filter(({ operation }) => isReversal(operation));
  // Which of them replaces which is known once they are decided.
  const amounts = reversals.map((one) => amountOf(one, currency) ?? total);
  const reversed = amounts.reduce(larger, reversedAmount(later.done, currency, total));
  const underWay = reversals.filter(({ state }) => state.reported === undefined);
  // One of the whole takes the place of none that may be asked for.
  const parts = underWay.map((one) => amountOf(one, currency) ?? total).filter((one) => one < total);
  const standing = parts.reduce(larger, reversedAmount(later.done, currency, total));
  const taken = { total, reversed, standing, refunded, undecided };
  const left = total - reversed - refunded;
  if (told === undefined) return { ...taken, left };
  // What went back before the verdict is in its figure, so only the rest of it counts against that.
  const before = { done: later.done.filter(told.contains), undecided: [] };
  const contained = await takenBy(find, { amount, tip }, currency, before);
  const since = reversed + refunded - contained.reversed - contained.refunded;
  return { ...taken, left: smaller(left, told.left - larger(since, 0n)) };
}

function refundableOf(taken: readonly Taken[]): Pick<Balance, 'refundable' | 'refunded' | 'undecided'> {
  const left = sum(taken.map((one) => one.left));
  const refunded = sum(taken.map((one) => one.refunded));
  const undecided = [
    ...new Map(taken.flatMap((one) => one.undecided.map((record) => [record.operationId, record]))).values(),
  ];
  // More may have gone back than was taken: another system, or a flow that does not check, sent it.
  return { refundable: larger(left, 0n), refunded, ...(undecided.length > 0 && { undecided }) };
}

/** What a refund gave back, less what was reversed of it. */
async function netRefund(find: Find, refund: OperationRecord, currency: string): Promise<bigint> {
  const amount = amountOf(refund, currency) ?? 0n;
  const { done } = refund.transactionId === undefined ? { done: [] } : await laterAbout(find, refund.transactionId);
  return amount - reversedAmount(done, currency, amount);
}

/** A later partial reversal replaces an earlier one. */
function reversedAmount(later: readonly OperationRecord[], currency: string, whole: bigint): bigint {
  const newest = later.find(({ operation }) => isReversal(operation));
  return newest === undefined ? 0n : (amountOf(newest, currency) ?? whole);
}

function currencyOf(record: OperationRecord): string | undefined {
  return record.kind === 'terminal' ? record.request.currency : requestedOf(record.request)?.currency;
}

/** What an original charged, refunded or held; undefined while that is unknown, and for what only changes another operation. */
function originalAmountOf(record: OperationRecord, currency: string): OriginalAmount | undefined {
  if (isAboutOriginal(record.operation)) return undefined;
  if (record.kind === 'back-office') {
    const amount = isDone(record) || isPartlyReturned(record) ? amountOf(record, currency) : undefined;
    return amount === undefined
      ? undefined
      : { amount, tip: saidAmount(requestedOf(record.request)?.tip, currency) ?? 0n };
  }
  const amount = integerIn(record.result?.totalAmount);
  return amount === undefined ? undefined : { amount, tip: integerIn(record.result?.tipAmount) ?? 0n };
}

/** The requested amount, negative where a hold is decreased; undefined for a reversal of the whole. */
export function amountOf(record: OperationRecord, currency: string): bigint | undefined {
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

/** `Math.max` takes no bigint. */
function larger(one: bigint, other: bigint): bigint {
  if (one > other) return one;
  return other;
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function sum(amounts: readonly (bigint | undefined)[]): bigint {
  return amounts.reduce<bigint>((total, amount = 0n) => total + amount, 0n);
}
