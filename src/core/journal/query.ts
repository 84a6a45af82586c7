import type { JournalQuery } from './journal.js';
import { type OperationRecord, originalIn } from './record.js';

/** The default limit of {@link Journal.find}. */
export const FIND_LIMIT = 100;
/** The limit of {@link Journal.find} for whoever adds up, or decides by what is absent. */
export const NO_LIMIT = Number.MAX_SAFE_INTEGER;
/** The default limit of {@link Journal.prune}: some milliseconds, as others wait for it. */
export const PRUNE_LIMIT = 10;

export function matches(query: JournalQuery, operation: OperationRecord): boolean {
  if ('operationId' in query) return operation.operationId === query.operationId;
  if ('reference' in query) return operation.references.includes(query.reference);
  if ('resultId' in query) return operation.resultId === query.resultId;
  if ('transactionId' in query) return operation.transactionId === query.transactionId;
  if ('original' in query) return originalIn(operation) === query.original;
  if ('terminal' in query) return operation.terminal?.serial_number === query.terminal;
  return operation.environment === query.environment && operation.createdAt <= (query.until ?? Infinity);
}
