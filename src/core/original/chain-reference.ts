import { isZeros } from '../base/uuid.js';
import type { OperationRecord } from '../journal/record.js';
import { hasOwnReference } from '../operation/back-office-order.js';

/**
 * The reference of the chain that an operation belongs to, by which the status service finds it; undefined while
 * unknown. A reference of ours that the service ignores does not count.
 */
export function chainReferenceOf(record: OperationRecord): string | undefined {
  const isOurs = record.kind === 'terminal' ? record.state.traceable : hasOwnReference(record.request);
  if (isOurs) return record.references.at(-1);
  const ofOriginal = record.kind === 'terminal' ? record.originalReference : record.request.originalReference;
  return ofOriginal ?? namedBy(record);
}

function namedBy({ operation, result }: OperationRecord): string | undefined {
  const named = result?.transactionReference;
  // In an answer with a token this field holds the id of the original.
  const isNamed = typeof named === 'string' && named !== '' && !isZeros(named);
  return isNamed && operation !== 'token' ? named : undefined;
}
