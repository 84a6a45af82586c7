import type * as z from 'zod';
import { isObject, textOf, withoutAbsent } from '../base/objects.js';
import type { HttpAnswer } from '../base/seams.js';
import { customFields, id, issuerCode, text, textOrNumber } from './schema/answer-fields.js';
import { saysNothing } from './transport/error-answer.js';
import { type CallOptions, jsonOf, type Transport, unreadable } from './transport/transport.js';

/**
 * Shared by the synchronous endpoints. Their HTTP response is the final result, its amounts are major-unit strings,
 * and a 200 alone is not an approval.
 */

/** Fields common to responses about a payment. Amounts are major-unit strings. */
export const paymentAnswer = {
  httpStatus: textOrNumber,
  type: text,
  finStatus: text,
  transactionID: id,
  originalEFTTransactionID: id,
  originalGuid: id,
  transactionReference: text,
  customerReference: text,
  amount: textOrNumber,
  currency: text,
  acquirerTid: text,
  agreementNumber: text,
  approvalCode: textOrNumber,
  authorisationCode: textOrNumber,
  batchNumber: textOrNumber,
  cardTypeName: text,
  expiryDateMMYY: text,
  issuerResponseCode: issuerCode,
  issuerResponseText: text,
  maskedCardNumber: text,
  retrievalReferenceNumber: text,
  /** `YYYYMMDDHHmmssSSS`. */
  serverDateTime: text,
  /** `YYYYMMDDHHmmssSSS`. */
  terminalDateTime: text,
  statusMessage: text,
  errorMessage: text,
  customFields,
};

/** The parsed fields of a response, and its body as received. */
export type Read<Fields> = Fields & { raw: Record<string, unknown> };

/** They change nothing, so they are sent again after a 429. Of everything else a copy may have been done: that is not decided here. */
const READS: ReadonlySet<string> = new Set(['batch/summary', 'batch/detail']);

/** Posts to the back office and parses the 200 response tolerantly. */
export async function post<Fields extends object>(
  transport: Transport,
  path: readonly string[],
  body: object,
  fields: z.ZodType<Fields>,
  options: CallOptions,
): Promise<{ read: Read<Fields>; answer: HttpAnswer }> {
  const once = !READS.has(path.join('/'));
  const answer = await transport.request({ ...options, endpoint: 'back-office', method: 'POST', path, body, once });
  return { read: readAnswer(answer, fields), answer };
}

/** @throws UnreadableAnswerError if the body is not a JSON object */
export function readAnswer<Fields extends object>(answer: HttpAnswer, fields: z.ZodType<Fields>): Read<Fields> {
  const raw = jsonOf(answer);
  if (!isObject(raw) || Array.isArray(raw)) throw unreadable(answer, 'no JSON object');
  const reading = fields.safeParse('@type' in raw ? { type: raw['@type'], ...raw } : raw);
  if (!reading.success) throw unreadable(answer, 'not as described');
  return { ...withoutAbsent(reading.data), raw };
}

/** What decides in a response about a payment. */
export interface Claims {
  httpStatus?: string;
  finStatus?: string;
  issuerResponseCode?: string;
  approvalCode?: string;
  /** The response as it came. */
  raw?: Record<string, unknown>;
}

const DECLINED: ReadonlySet<string> = new Set(['DECLINED', 'CANCELLED']);
/** What may stand beside an approval. Any other status is no end, and `00` beside it only a placeholder (spec: results). */
const POSITIVE: ReadonlySet<string> = new Set(['', 'AUTHORISED', 'PROCESSED', 'REFUNDED', 'CAPTURED']);

/** Whether `finStatus`, or the issuer's code where there is no `finStatus`, is a clear no. */
export function isDeclined({ finStatus = '', issuerResponseCode = '' }: Claims): boolean {
  return finStatus === '' ? issuerResponseCode !== '' && issuerResponseCode !== '00' : DECLINED.has(finStatus);
}

/**
 * Whether a 200 approves. It has to prove that, or decline without contradicting itself: anything else says as much as
 * a lost response.
 * @param proof whether it holds what this endpoint proves an approval with
 * @param decline whether it declines
 * @throws UnreadableAnswerError when it does neither, or both
 */
export function isApproved(
  { httpStatus = '200', finStatus = '', approvalCode = '', raw = {} }: Claims,
  answer: HttpAnswer,
  proof: boolean,
  decline: boolean,
): boolean {
  const status = [httpStatus, textOf(raw.statusCode) || '200'].find((one) => one !== '200');
  if (status !== undefined) throw unreadable(answer, `the status ${status} inside a 200`);
  if (proof === decline) throw unreadable(answer, proof ? 'it approves and declines' : 'no proof of what was done');
  if (proof && !saysNothing(raw.error)) throw unreadable(answer, 'an approval beside an error');
  if (proof && raw.success === false) throw unreadable(answer, 'an approval that calls itself no success');
  if (proof && !POSITIVE.has(finStatus)) throw unreadable(answer, `an approval beside the status ${finStatus}`);
  if (decline && approvalCode !== '') throw unreadable(answer, 'a decline with an approval code');
  // What cannot be read may be what contradicts it.
  if (decline && isObject(raw.approvalCode))
    throw unreadable(answer, 'a decline with an approval code that cannot be read');
  if (proof && (isObject(raw.finStatus) || isObject(raw.issuerResponseCode)))
    throw unreadable(answer, 'an approval beside a status or code that cannot be read');
  return proof;
}
