import { isObject, textOf } from '../base/objects.js';
import type { HttpAnswer } from '../base/seams.js';
import { unreadable } from './transport/transport.js';

/** Which responses are about the batch that was asked for, whatever they say of it. */

/** What cannot be read in them may be what contradicts the rest. */
const DECISIVE = ['batchNumber', 'batchStatus', 'closedAt'] as const;

/** A response without any of these tells nothing of a batch. */
const TELLING = [
  ...DECISIVE,
  'transactionCount',
  'netAmount',
  'issuerResponseCode',
  'issuerResponseText',
  'batchSummaryGuid',
  'batchDetailGuid',
  'details',
] as const;

/**
 * @param raw the response as it came
 * @param asked the number of the batch; undefined for the open one, whatever its number
 * @throws UnreadableAnswerError where it is an error, or about another batch
 */
export function checkBatch(raw: Record<string, unknown>, asked: string | undefined, answer: HttpAnswer): void {
  if (raw.error || raw.errorMessage) throw unreadable(answer, 'an error inside a 200');
  const odd = DECISIVE.find((field) => isObject(raw[field]));
  if (odd !== undefined) throw unreadable(answer, `${odd} is not as described`);
  const named = textOf(raw.batchNumber);
  if (asked !== undefined && named !== '' && plain(named) !== plain(asked))
    throw unreadable(answer, 'it is about another batch');
}

/** Whether a response is as good as empty. */
export function saysNothing(raw: Record<string, unknown>): boolean {
  return TELLING.every((field) => !isObject(raw[field]) && textOf(raw[field]) === '');
}

/** Acquirers count with and without leading zeros. */
function plain(number: string): string {
  return number.trim().replace(/^0+(?=\d)/, '');
}
