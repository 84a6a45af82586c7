import type { OperationRecord } from '../journal/record.js';
import type { LatestVerdict } from '../operation/delivery-state.js';
import { exitOf } from '../operation/verdict.js';
import { verdictFor } from '../original/reversal.js';
import { backOfficePayload } from './back-office-payload.js';
import type { Delivery } from './listener.js';
import type { ResultPayload } from './payload.js';
import { barePayload } from './result-payload.js';
import { payloadOf, recordedResult } from './terminal-payload.js';

/** The latest verdict on an operation, from its record alone: without receipts, and without what the journal must not keep. */
export function recordedDelivery(record: OperationRecord, latest: LatestVerdict): Delivery {
  const { operationId: id, origin } = record;
  const payload = payloadFrom(record, { ...latest, verdict: verdictFor(record, latest.verdict) });
  return { id, origin, payload, exit: latest.mistake ? 'mistake' : exitOf(payload) };
}

function payloadFrom(record: OperationRecord, latest: LatestVerdict): ResultPayload {
  const { verdict, source } = latest;
  try {
    return record.kind === 'terminal'
      ? payloadOf(record, verdict, source, recordedResult(record))
      : backOfficePayload(record, verdict, source, undefined, undefined);
  } catch (error) {
    return barePayload(record, latest, error);
  }
}
