import type { Journal } from '../journal/journal.js';
import { type OperationRecord, originalIn, waitsForTurn } from '../journal/record.js';
import { movesMoney } from '../operation/kinds.js';

/** When another operation of this journal may have changed the original last, epoch ms. @throws JournalError */
export async function lastChange(journal: Pick<Journal, 'find'>, record: OperationRecord): Promise<number> {
  const original = originalIn(record);
  if (original === undefined) return 0;
  const others = await journal.find({ original });
  const changing = others.filter((one) => one.operationId !== record.operationId && movesMoney(one.operation));
  const sent = changing.filter((one) => !waitsForTurn(one));
  return Math.max(0, ...sent.map(({ updatedAt }) => updatedAt));
}
