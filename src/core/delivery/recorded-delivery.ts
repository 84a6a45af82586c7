import type { OperationRecord, RepeatRecord } from '../journal/record.js';
import type { LatestVerdict } from '../operation/delivery-state.js';
import { exitOf, RECORD_LOST, verdictWithoutEnd } from '../operation/verdict.js';
import { verdictFor } from '../original/reversal.js';
import { backOfficePayload } from './back-office-payload.js';
import type { Delivery } from './listener.js';
import type { Receipts, ResultPayload } from './payload.js';
import { barePayload, resultPayload, withReceipts } from './result-payload.js';
import { payloadOf, recordedResult } from './terminal-payload.js';

/**
 * The latest verdict on an operation, from its record: without what the journal must not keep.
 * @param receipts those that the environment keeps apart
 */
export function recordedDelivery(record: OperationRecord, latest: LatestVerdict, receipts?: Receipts): Delivery {
  const { operationId: id, origin } = record;
  const bare = payloadFrom(record, { ...latest, verdict: verdictFor(record, latest.verdict) });
  const payload = withReceipts(bare, latest.source, receipts);
  return { id, origin, payload, sequence: latest.sequence, exit: latest.mistake ? 'mistake' : exitOf(payload) };
}

/** What is told to a message that repeats an order, where the journal has the record of its first no more. */
export function lostDelivery({ id, first: operationId, operation = 'sale', origin }: RepeatRecord): Delivery {
  const lost = { operationId, operation, request: {}, timeline: [] };
  const payload = resultPayload(lost, verdictWithoutEnd(operation, RECORD_LOST), 'recovery', {});
  return { id, origin, payload, exit: exitOf(payload) };
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
