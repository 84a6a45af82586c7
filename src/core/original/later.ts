import type { JournalQuery } from '../journal/journal.js';
import { NO_LIMIT } from '../journal/query.js';
import type { OperationRecord } from '../journal/record.js';
import { isReversal, type Kind, kindOf } from '../operation/kinds.js';
import { isSuccess, needsAttention } from '../operation/outcome.js';
import { reportedOutcome } from './reversal.js';

export type Find = (query: JournalQuery, limit?: number) => Promise<OperationRecord[]>;

/** What this journal knows to have been asked for about a transaction, newest first. */
export interface Later {
  done: OperationRecord[];
  /** Under way, or nobody knows what became of it: it may be done. */
  undecided: OperationRecord[];
}

/** @throws JournalError */
export async function laterAbout(find: Find, transactionId: string): Promise<Later> {
  const all = await find({ original: transactionId }, NO_LIMIT);
  return { done: all.filter(isDone), undecided: all.filter(isUndecided) };
}

export function isDone({ state }: OperationRecord): boolean {
  return isSuccess(state.reported);
}

export function givesBack({ operation }: OperationRecord): boolean {
  return kindOf(operation) === 'refund' || isReversal(operation);
}

export function allOf(kind: Kind, records: readonly OperationRecord[]): OperationRecord[] {
  return records.filter(({ operation }) => kindOf(operation) === kind);
}

/** A reversal that names a hold takes its captures back. @param aboutHold what was asked for about the hold */
export function withReversalsOfHold(later: Later, capture: OperationRecord, aboutHold: Later): Later {
  const isLater = ({ sequence = 0 }: OperationRecord): boolean => sequence > (capture.sequence ?? 0);
  const done = aboutHold.done.filter((one) => isLater(one) && reportedOutcome(one) === 'refunded');
  const undecided = aboutHold.undecided.filter(
    (one) => isLater(one) && isReversal(one.operation) && one.reverses !== 'hold',
  );
  return { done: newestFirst([...later.done, ...done]), undecided: newestFirst([...later.undecided, ...undecided]) };
}

/** What was told as "no" is not done, whether that is final or not, unless it was contradicted since. */
export function isUndecided({ state: { reported, latest } }: OperationRecord): boolean {
  if (isSuccess(reported)) return false;
  if (latest !== undefined) return latest.verdict.moneyMoved !== 'no';
  return reported === undefined || needsAttention(reported);
}

function newestFirst(records: OperationRecord[]): OperationRecord[] {
  return records.sort((one, other) => (other.sequence ?? 0) - (one.sequence ?? 0));
}
