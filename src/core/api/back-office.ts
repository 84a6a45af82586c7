import type * as z from 'zod';
import { isObject, withoutAbsent } from '../base/objects.js';
import type { HttpAnswer } from '../base/seams.js';
import { customFields, text, textOrNumber } from './schema/answer-fields.js';
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
  transactionID: text,
  originalEFTTransactionID: text,
  originalGuid: text,
  transactionReference: text,
  customerReference: text,
  amount: textOrNumber,
  currency: text,
  acquirerTid: text,
  agreementNumber: text,
  approvalCode: text,
  authorisationCode: text,
  batchNumber: textOrNumber,
  cardTypeName: text,
  expiryDateMMYY: text,
  issuerResponseCode: textOrNumber,
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

/** Posts to the back office and parses the 200 response tolerantly. */
export async function post<Fields extends object>(
  transport: Transport,
  path: readonly string[],
  body: object,
  fields: z.ZodType<Fields>,
  options: CallOptions,
): Promise<{ read: Read<Fields>; answer: HttpAnswer }> {
  const once = 'transactionReference' in body;
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

const APPROVED: ReadonlySet<string> = new Set(['AUTHORISED', 'CAPTURED']);
const NOT_APPROVED: ReadonlySet<string> = new Set(['DECLINED', 'CANCELLED']);

/**
 * Whether the response is an approval. `finStatus` decides if present, otherwise the issuer's code.
 * @throws UnreadableAnswerError if neither decides
 */
export function isApproved(
  {
    httpStatus = '200',
    finStatus = '',
    issuerResponseCode = '',
  }: { httpStatus?: string; finStatus?: string; issuerResponseCode?: string },
  answer: HttpAnswer,
): boolean {
  if (httpStatus !== '200') throw unreadable(answer, `httpStatus ${httpStatus} inside a 200`);
  if (APPROVED.has(finStatus)) return true;
  if (NOT_APPROVED.has(finStatus)) return false;
  if (finStatus !== '' && finStatus !== 'PROCESSED') throw unreadable(answer, `finStatus ${finStatus}`);
  if (issuerResponseCode === '') throw unreadable(answer, 'neither finStatus nor issuerResponseCode');
  return issuerResponseCode === '00';
}
