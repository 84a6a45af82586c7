import { isObject } from '../../../src/core/base/objects.js';
import type { HttpAnswer } from '../../../src/core/base/seams.js';

/**
 * What an answer says for certain, to everybody who reads the description of the service: that nothing was done, that it
 * ended without money, what a chain has. Where an odd answer says such a thing and the true one does not, the service
 * lies, and no client could tell. Such answers are left out; every other one may be as odd as it likes.
 */

type Fields = Record<string, unknown>;

const WITHOUT_MONEY = ['DECLINED', 'CANCELLED', 'FAILED', 'UNDEFINED', 'REFUNDED'];
const TERMINAL_NUMBER = /(?<!\d)100[1-5](?!\d)/;
const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Nothing that is asked there moves money. */
const HARMLESS = /^(GET \/devices|POST \/devices|POST \/batch|GET \/transactions\/token)/;
const DECISIVE = [
  'finStatus',
  'type',
  'issuerResponseCode',
  'currency',
  'requestedAmount',
  'totalAmount',
  'dueAmount',
  'tipAmount',
  'holdAmount',
  'increaseAmount',
  'capturedAmount',
  'transactionID',
  'transactionReference',
  'originalEFTTransactionID',
];

/** Empty where it says nothing for certain. */
export function claimOf(endpoint: string, { status, body }: HttpAnswer): string {
  if (HARMLESS.test(endpoint)) return '';
  const parsed = parsedOf(body);
  switch (endpoint) {
    case 'callback':
      return resultClaim(parsed);
    case 'GET /transaction-result':
      return isFine(status) ? resultClaim(parsed) : '';
    case 'GET /status':
      return statusClaim(status, parsed);
    default:
      return refusalClaim(endpoint, status, body, parsed) || (isFine(status) ? answerClaim(parsed) : '');
  }
}

function resultClaim(parsed: unknown): string {
  if (!isObject(parsed)) return '';
  const { finStatus } = parsed;
  return typeof finStatus === 'string' && WITHOUT_MONEY.includes(finStatus) ? finStatus : '';
}

/** The chain as it is told; how its entries ended, where a field that decides is of another type than it should be. */
function statusClaim(status: number, parsed: unknown): string {
  if (status === 404) return 'no record';
  if (!isFine(status) || !isObject(parsed)) return '';
  const entries = Array.isArray(parsed) ? parsed : [parsed];
  if (entries.every((entry) => isObject(entry) && entry.finStatus === 'UNDEFINED')) return 'no record';
  return entries.some(isOdd) ? entries.map(resultClaim).join('') : entries.map(signatureOf).join(';');
}

function isOdd(entry: unknown): boolean {
  if (!isObject(entry) || Array.isArray(entry) || typeof entry.finStatus !== 'string' || entry.finStatus === '')
    return true;
  return DECISIVE.some((name) => {
    const value = entry[name];
    return value !== undefined && value !== null && typeof value !== 'string' && !Number.isSafeInteger(value);
  });
}

function signatureOf(entry: Fields): string {
  return DECISIVE.map((name) => `${entry[name] ?? ''}`).join(',');
}

/** A refusal that counts under any reading of the body. */
function refusalClaim(endpoint: string, status: number, body: string, parsed: unknown): string {
  if (status === 429) return '429';
  const number = TERMINAL_NUMBER.exec(body.replace(UUIDS, ''))?.[0];
  if (number !== undefined && (endpoint.startsWith('POST /transactions') || !isFine(status))) return number;
  const isRefusal = [400, 403, 404, 422].includes(status) && isObject(parsed);
  return isRefusal ? `${status} ${body}` : '';
}

function answerClaim(parsed: unknown): string {
  if (!isObject(parsed)) return '';
  const { finStatus, issuerResponseCode: code } = parsed;
  if (typeof finStatus === 'string' && WITHOUT_MONEY.includes(finStatus)) return finStatus;
  const isCode = (typeof code === 'string' && code !== '') || typeof code === 'number';
  return isCode && String(code) !== '00' ? `code ${code}` : '';
}

function isFine(status: number): boolean {
  return status >= 200 && status < 300;
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
