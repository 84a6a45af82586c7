import { SETTLING_LAG } from '../base/timings.js';
import type { OperationRecord } from '../journal/record.js';
import { isUndone } from '../operation/delivery-state.js';
import { PARTLY_REFUNDED } from '../operation/verdict.js';

/** What a verdict says is left of a payment, minor units. */
export interface Told {
  left: bigint;
  /** Whether what went back by a later operation of this journal is certainly taken off already. */
  contains(later: OperationRecord): boolean;
}

/** Undefined where the latest verdict on a payment does not say that anything went back. */
export function leftByVerdict(record: OperationRecord): Told | undefined {
  if (wasReturned(record)) return { left: 0n, contains: () => true };
  const net = isPartlyReturned(record) ? netOf(record) : undefined;
  return net === undefined ? undefined : { left: BigInt(net), contains: (later) => isBefore(later, record) };
}

/** The flow was told that a part of it went back. */
export function isPartlyReturned({ state: { latest } }: OperationRecord): boolean {
  return latest?.verdict.error?.code === PARTLY_REFUNDED.error?.code;
}

/** All of it went back, or it was never done: it is final that the merchant has nothing of it. */
function wasReturned({ state }: OperationRecord): boolean {
  return isUndone(state);
}

function netOf({ kind, state }: OperationRecord): number | undefined {
  return kind === 'terminal' ? state.gateway?.net : state.left;
}

/**
 * Whether an operation was over so long before the chain was asked that its answer contains it. A clock may have been moved in
 * between, so that the journal's age, which nobody can move, has to allow it too.
 */
function isBefore(later: OperationRecord, { kind, state, age = 0 }: OperationRecord): boolean {
  const askedAt = kind === 'terminal' ? (state.gateway?.askedAt ?? 0) : 0;
  return later.updatedAt + SETTLING_LAG <= askedAt && (later.age ?? 0) <= age;
}
