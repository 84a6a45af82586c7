import type { Journal } from '../journal/journal.js';
import { type OperationRecord, originalIn, waitsForTurn } from '../journal/record.js';
import { movesMoney } from '../operation/kinds.js';
import { isDone, isUndecided } from '../original/later.js';

/** What was told as "no" leaves nothing to wait for. */
export function mayHaveMoved(one: OperationRecord): boolean {
  return movesMoney(one.operation) && (isDone(one) || isUndecided(one));
}

/**
 * When another operation of this journal may have changed the original last, epoch ms.
 * @param changes whether an operation counts
 * @throws JournalError
 */
export async function lastChange(
  journal: Pick<Journal, 'find'>,
  record: OperationRecord,
  changes = ({ operation }: OperationRecord) => movesMoney(operation),
): Promise<number> {
  const original = originalIn(record);
  if (original === undefined) return 0;
  const others = await journal.find({ original });
  const changing = others.filter((one) => one.operationId !== record.operationId && changes(one));
  const sent = changing.filter((one) => !waitsForTurn(one));
  return Math.max(0, ...sent.map(({ updatedAt }) => updatedAt));
}
