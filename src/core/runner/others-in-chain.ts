import type { TransactionResult } from '../api/schema/transaction-result.js';
import type { Journal } from '../journal/journal.js';
import { type OperationRecord, originalIn } from '../journal/record.js';

/** The entries of the original's chain that other operations of this journal have made. @throws JournalError */
export async function madeByOthers(
  journal: Journal,
  record: OperationRecord,
  chain: readonly TransactionResult[],
): Promise<Set<TransactionResult>> {
  const others = new Set<TransactionResult>();
  for (const entry of chain) {
    const { transactionID: transactionId = '' } = entry;
    if (transactionId === '' || transactionId === originalIn(record)) continue;
    const records = await journal.find({ transactionId });
    if (records.some(({ operationId }) => operationId !== record.operationId)) others.add(entry);
  }
  return others;
}
