import type { Engine } from '../../core/engine.js';
import { InputError } from '../../core/errors.js';
import { fromMajorString, toMajorString } from '../../core/money.js';
import type { OperationRecord } from '../../core/operation.js';
import { type Money, major, requiredOriginal } from './follow-up.js';
import type { Readings } from './read.js';
import { flagOf, reading } from './values.js';

/** What this journal knows of an earlier payment: to refuse at once what the service would refuse later. Minor units. */

interface Known {
  currency: string;
  /** What can still be given back. */
  left: bigint;
  /** What is held. */
  hold: bigint;
}

/**
 * @param limit what the amount may not be above
 * @throws InputError when it is, or when its currency is another
 */
export async function guardOriginal(
  engine: Engine,
  values: Readings,
  money: Money,
  limit: 'left' | 'hold',
): Promise<void> {
  if (flagOf(reading(values, 'checkOriginal')) === false) return;
  const known = await knownOf(engine, requiredOriginal(values));
  if (known === undefined) return;
  if (known.currency !== money.currency) {
    throw new InputError(money.source, `the currency of the original, ${known.currency}`, money.currency);
  }
  if (money.minor > known[limit]) {
    const most = toMajorString(known[limit], money.currency);
    throw new InputError(money.source, `at most ${most}, what the original has left`, major(money));
  }
}

/** Whether the cardholder has chosen a tip already, on the tip screen of a sale. */
export function hadTipScreen(record: OperationRecord | undefined): boolean {
  return record?.kind === 'terminal' && record.request.tipConfiguration !== undefined;
}

/** Undefined where this journal did not run the original. */
async function knownOf(engine: Engine, transactionId: string): Promise<Known | undefined> {
  const [original] = await engine.find({ transactionId }, 1);
  const { currency, totalAmount } = original?.result ?? {};
  if (typeof currency !== 'string' || currency === '' || typeof totalAmount !== 'number') return undefined;
  const total = BigInt(totalAmount);
  const known: Known = { currency, left: total, hold: total };
  const done = (await engine.find({ original: transactionId })).filter(isDone);
  // Newest first: a later reversal of a part takes the place of an earlier one.
  const reversal = done.find(isReversal);
  for (const record of done) if (record === reversal || !isReversal(record)) apply(known, record, total);
  return known;
}

const DONE: ReadonlySet<string> = new Set(['approved', 'refunded', 'completed']);
const REVERSALS: ReadonlySet<string> = new Set(['reversal', 'moto/reversal', 'saleReversal', 'moToReversal']);

function isDone({ state }: OperationRecord): boolean {
  return state.told !== undefined && DONE.has(state.told);
}

function isReversal({ operation }: OperationRecord): boolean {
  return REVERSALS.has(operation);
}

function apply(known: Known, record: OperationRecord, total: bigint): void {
  const amount = amountOf(record, known.currency);
  switch (record.operation) {
    case 'refund':
    case 'moToRefund':
    case 'moto/refund':
      known.left -= amount ?? 0n;
      return;
    case 'preauthorization/increase': {
      const isLess = 'subtract' in record.request.body && record.request.body.subtract !== undefined;
      known.hold += (isLess ? -1n : 1n) * (amount ?? 0n);
      return;
    }
    case 'tip-adjustment':
      known.left += amount ?? 0n;
      return;
    case 'preauthorization/capture':
      known.hold = 0n;
      return;
    default:
      known.left -= amount ?? total;
      known.hold -= amount ?? known.hold;
  }
}

function amountOf(record: OperationRecord, currency: string): bigint | undefined {
  if (record.kind === 'terminal') {
    return record.request.amount === undefined ? undefined : BigInt(record.request.amount);
  }
  const { body } = record.request;
  const text = 'increaseAmount' in body ? body.increaseAmount : 'amount' in body ? body.amount : undefined;
  return text === undefined ? undefined : fromMajorString(text, currency);
}
