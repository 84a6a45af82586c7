import { redact } from '../base/privacy/redact.js';
import { forgetText, partText } from './part-text.js';
import type { OperationRecord } from './record.js';

const keptBy = new WeakMap<OperationRecord['request'], OperationRecord['request']>();

/**
 * A record as the journal stores it: without card tokens, receipts and card numbers in its order. Where that drops
 * something the record is marked `incomplete`, because a later process must not send such an order.
 */
export function persisted<R extends OperationRecord>(record: R): R {
  const request = keptOf(record.request);
  const writable = isWritable(record.result) ? record : { ...record, result: undefined };
  return request === record.request ? writable : { ...writable, request, incomplete: true };
}

/** A record is not stored again soon: forgets what was made once for all of its versions. */
export function forgetPersisted({ origin, request, result }: OperationRecord): void {
  const parts = [origin, request, keptBy.get(request), result];
  for (const part of parts) if (part !== undefined) forgetText(part);
  keptBy.delete(request);
}

/** A result as the journal stores it; undefined where it cannot be read to its end, so that the verdict is stored without. */
export function persistedResult(result: Record<string, unknown>): Record<string, unknown> | undefined {
  try {
    const kept = redact(result) as Record<string, unknown>;
    return isWritable(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** An operation must not stay open for ever because JSON cannot hold what the service said of it. */
function isWritable(result: Record<string, unknown> | undefined): boolean {
  try {
    if (result !== undefined) partText(result);
    return true;
  } catch {
    return false;
  }
}

function keptOf(request: OperationRecord['request']): OperationRecord['request'] {
  const known = keptBy.get(request);
  if (known !== undefined) return known;
  const redacted = redact(request) as OperationRecord['request'];
  const isWhole = redacted === request || JSON.stringify(redacted) === partText(request);
  const kept = isWhole ? request : redacted;
  keptBy.set(request, kept);
  return kept;
}
