import { saidAmount } from '../base/money.js';
import type { JournalQuery } from '../journal/journal.js';
import type { OperationRecord } from '../journal/record.js';
import { askedOf } from '../lifecycle/back-office/amounts.js';
import { changesHold, isAboutAnother, isCapture, isHold, type Operation, takesBack } from '../operation/kinds.js';

/** What an earlier payment has come to, as far as this journal knows: counted as the service counts. Minor units. */
export interface Standing {
  currency: string;
  /** What it took or holds by now, tip included: what a reversal of the whole takes back. */
  whole?: bigint;
  /** What can still be refunded. */
  left?: bigint;
  /** What is held, and may be captured. */
  hold?: bigint;
}

export type Find = (query: JournalQuery, limit?: number) => Promise<OperationRecord[]>;

interface Worth {
  amount: bigint;
  /** Contained in the amount. */
  tip: bigint;
}

const DONE: ReadonlySet<string> = new Set(['approved', 'refunded', 'completed']);
const REFUNDS: ReadonlySet<Operation> = new Set(['refund', 'moToRefund', 'moto/refund']);

/** Undefined where this journal did not run the original. @throws JournalError */
export async function standingOf(find: Find, transactionId: string): Promise<Standing | undefined> {
  const [original] = await find({ transactionId }, 1);
  if (original === undefined) return undefined;
  const currency = currencyOf(original);
  if (currency === undefined) return undefined;
  const worth = worthOf(original, currency);
  if (worth === undefined) return { currency };
  const since = await doneSince(find, transactionId);
  return isHold(original.operation) ? ofHold(worth, currency, since) : ofPayment(find, worth, currency, since);
}

function ofHold({ amount }: Worth, currency: string, since: readonly OperationRecord[]): Standing {
  const captured = sum(since.filter(({ operation }) => isCapture(operation)).map((one) => amountOf(one, currency)));
  const isOver = since.some(({ operation }) => isCapture(operation) || takesBack(operation));
  const changed = sum(since.filter(({ operation }) => changesHold(operation)).map((one) => amountOf(one, currency)));
  const hold = isOver ? 0n : amount + changed;
  return { currency, whole: hold, left: captured, hold };
}

async function ofPayment(
  find: Find,
  { amount, tip }: Worth,
  currency: string,
  since: readonly OperationRecord[],
): Promise<Standing> {
  // Newest first: the last tip counts, in the place of every earlier one.
  const tipped = since.find(({ operation }) => operation === 'tip-adjustment');
  const whole = amount - tip + ((tipped && amountOf(tipped, currency)) ?? tip);
  const refunds = since.filter(({ operation }) => REFUNDS.has(operation));
  const refunded = sum(await Promise.all(refunds.map((refund) => stillGiven(find, refund, currency))));
  return { currency, whole, left: whole - takenBack(since, currency, whole) - refunded, hold: 0n };
}

/** What a refund has given, less what a reversal of it took back. */
async function stillGiven(find: Find, refund: OperationRecord, currency: string): Promise<bigint> {
  const amount = amountOf(refund, currency) ?? 0n;
  const since = refund.transactionId === undefined ? [] : await doneSince(find, refund.transactionId);
  return amount - takenBack(since, currency, amount);
}

/** A later reversal of a part takes the place of an earlier one. */
function takenBack(since: readonly OperationRecord[], currency: string, whole: bigint): bigint {
  const newest = since.find(({ operation }) => takesBack(operation));
  return newest === undefined ? 0n : (amountOf(newest, currency) ?? whole);
}

/** What was done about a transaction, newest first. */
async function doneSince(find: Find, original: string): Promise<OperationRecord[]> {
  return (await find({ original })).filter(isDone);
}

function isDone({ state }: OperationRecord): boolean {
  return state.told !== undefined && DONE.has(state.told);
}

function currencyOf(record: OperationRecord): string | undefined {
  return record.kind === 'terminal' ? record.request.currency : askedOf(record.request)?.currency;
}

/** What an original took, gave or held when it was done; undefined where nobody knows that yet, or it is none. */
function worthOf(record: OperationRecord, currency: string): Worth | undefined {
  if (isAboutAnother(record.operation)) return undefined;
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
  const asked = askedOf(request);
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
