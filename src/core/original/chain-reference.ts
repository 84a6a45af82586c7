import type { OperationRecord } from '../journal/record.js';
import { hasOwnReference } from '../operation/back-office-order.js';

/**
 * The reference of the chain that an operation belongs to, which is what the status service can be asked by; undefined
 * where nobody has named it. An id of ours that the service ignores is none.
 */
export function chainReferenceOf(record: OperationRecord): string | undefined {
  const isOurs = record.kind === 'terminal' ? record.state.traceable : hasOwnReference(record.request);
  if (isOurs) return record.references.at(-1);
  const ofOriginal = record.kind === 'terminal' ? record.originalReference : record.request.originalReference;
  return ofOriginal ?? namedBy(record);
}

function namedBy({ operation, result }: OperationRecord): string | undefined {
  const named = result?.transactionReference;
  // The answer with a token calls the id of the original by that name.
  return typeof named === 'string' && named !== '' && operation !== 'token' ? named : undefined;
}
