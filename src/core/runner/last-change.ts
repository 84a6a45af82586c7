import type { Journal } from '../journal/journal.js';
import { type OperationRecord, originalIn, waitsForTurn } from '../journal/record.js';
import { isReversal, kindOf, movesMoney, type Operation } from '../operation/kinds.js';

export function givesBack(operation: Operation): boolean {
  return kindOf(operation) === 'refund' || isReversal(operation);
}

/**
 * When another operation of this journal may have changed the original last, epoch ms.
 * @param changes whether an operation counts
 * @throws JournalError
 */
export async function lastChange(
  journal: Pick<Journal, 'find'>,
  record: OperationRecord,
  changes: (operation: Operation) => boolean = movesMoney,
): Promise<number> {
  const original = originalIn(record);
  if (original === undefined) return 0;
  const others = await journal.find({ original });
  const changing = others.filter((one) => one.operationId !== record.operationId && changes(one.operation));
  const sent = changing.filter((one) => !waitsForTurn(one));
  return Math.max(0, ...sent.map(({ updatedAt }) => updatedAt));
}
