import { redact } from '../base/redact.js';
import type { OperationRecord } from './record.js';

const keptBy = new WeakMap<OperationRecord['request'], OperationRecord['request']>();

/**
 * A record as the journal stores it: without card tokens, receipts and card numbers in its order. Where that drops
 * something the record is marked `incomplete`, because a later process must not send such an order.
 */
export function persisted<Record extends OperationRecord>(record: Record): Record {
  const request = keptOf(record.request);
  return request === record.request ? record : { ...record, request, incomplete: true };
}

function keptOf(request: OperationRecord['request']): OperationRecord['request'] {
  const known = keptBy.get(request);
  if (known !== undefined) return known;
  const redacted = redact(request) as OperationRecord['request'];
  const kept = JSON.stringify(redacted) === JSON.stringify(request) ? request : redacted;
  keptBy.set(request, kept);
  return kept;
}
