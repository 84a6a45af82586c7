import type { TransactionResult } from '../api/schema/transaction-result.js';
import type { Journal } from '../journal/journal.js';
import { type OperationRecord, originalIn } from '../journal/record.js';

/** Entries below the original of an operation that another operation of this journal has made. @throws JournalError */
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
