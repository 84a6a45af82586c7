import { REVERSAL_TYPES } from '../api/schema/entry-types.js';
import type { TransactionOperation } from '../api/schema/operation-rules.js';
import { isReversal, kindOf, movesMoney } from './kinds.js';

/**
 * What a result means. Every rule about money that reads a result is in this file. The lifecycle decides when a meaning
 * may be believed; it never reads a result itself.
 */

/** What one result says, before it is known whether that may be believed. */
export type Meaning =
  | 'approved'
  | 'partial'
  | 'declined'
  | 'cancelled'
  /** Approved once, and the money has gone back. Status service only. */
  | 'returned'
  | 'failed'
  /** The sender does not know either. */
  | 'undefined'
  | 'in-progress';

/** The fields of a result that decide. All amounts in minor units. */
export interface Decisive {
  finStatus: string;
  type?: string;
  requestedAmount?: number;
  totalAmount?: number;
  dueAmount?: number;
  issuerResponseCode?: string;
  currency?: string;
  tipAmount?: number;
  taxAmount?: number;
  surcharge?: { amount?: number };
}

/** The service describes such a result. */
export function isDescribed({ finStatus }: Pick<Decisive, 'finStatus'>): boolean {
  return MEANINGS.has(finStatus);
}

/** What was requested: a result may leave it out. */
export interface Requested {
  /** Minor units, as digits. */
  amount?: string;
  currency?: string;
  /** The cardholder could add a tip. */
  tipConfiguration?: object;
}

const MEANINGS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['AUTHORISED', 'approved'],
  ['CAPTURED', 'approved'],
  ['PROCESSED', 'approved'],
  ['PARTIAL_APPROVAL', 'partial'],
  ['DECLINED', 'declined'],
  ['CANCELLED', 'cancelled'],
  ['REFUNDED', 'returned'],
  ['FAILED', 'failed'],
  ['UNDEFINED', 'undefined'],
  ['IN_PROGRESS', 'in-progress'],
]);

/**
 * What a result says. A `finStatus` that the service does not describe is as open as `UNDEFINED`, and so is an approval
 * in another currency than was requested.
 */
export function meaningOf(operation: TransactionOperation, result: Decisive, requested: Requested = {}): Meaning {
  const said = MEANINGS.get(result.finStatus) ?? 'undefined';
  // Of a refund it says that the refund was done.
  const meaning = said === 'returned' && kindOf(operation) === 'refund' ? 'approved' : said;
  if (meaning !== 'approved' || !movesMoney(operation)) return meaning;
  // A card-not-present answer may say PROCESSED whether or not the issuer agreed.
  if (result.finStatus === 'PROCESSED' && result.issuerResponseCode !== '00') return 'undefined';
  if (result.currency && requested.currency && result.currency !== requested.currency) return 'undefined';
  const requestedAmount = Math.max(result.requestedAmount ?? 0, Number(requested.amount ?? 0));
  return isShort(result, requestedAmount) ? 'partial' : 'approved';
}

/** What a terminal's own result says of the request. */
export interface Reading {
  meaning: Meaning;
  /** It cannot be read, or contradicts the request: it may be about an approval, so no record does not mean no charge. */
  isUnclear?: true;
  /** Another amount was approved than was requested, or its amounts contradict each other, and nothing explains it. */
  amountDiffers?: true;
}

/** Its sender says that it was approved, whatever else it says; PROCESSED alone does not. */
export function claimsApproval(finStatus: string): boolean {
  const said = MEANINGS.get(finStatus);
  return (said === 'approved' || said === 'partial') && finStatus !== 'PROCESSED';
}

/** Nothing was charged. */
export function isNegative(meaning: Meaning | 'none'): boolean {
  return meaning === 'declined' || meaning === 'cancelled';
}

export const UNREADABLE: Reading = { meaning: 'undefined', isUnclear: true };

/** The types that say what was done; a result of another type is not about the request (spec: type values). */
const TYPES: ReadonlyMap<TransactionOperation, readonly string[]> = new Map<TransactionOperation, readonly string[]>([
  // A sale may be sent with `tokenize`.
  ['sale', ['SALE', 'SALE_AND_TOKENIZE_CARD']],
  ['saleAndTokenizeCard', ['SALE_AND_TOKENIZE_CARD', 'SALE']],
  ['refund', ['REFUND']],
  ['moToSale', ['MOTO_SALE', 'SALE']],
  ['moToRefund', ['MOTO_REFUND', 'REFUND']],
  ['preAuthorization', ['PRE_AUTHORIZATION']],
  ['moToPreAuthorization', ['PRE_AUTHORIZATION']],
  ['preAuthorizationIncrease', ['PRE_AUTHORIZATION_INCREASE']],
  ['preAuthorizationCapture', ['PRE_AUTHORIZATION_CAPTURE']],
]);

/**
 * What a terminal's own result says of the request. A decline or a cancel counts whatever its other fields say; what
 * approves has to be of the type, amount and currency that were asked for, as far as it names them.
 */
export function readingOf(operation: TransactionOperation, result: Decisive, requested: Requested): Reading {
  const meaning = meaningOf(operation, result, requested);
  if (meaning === 'undefined') return result.finStatus === 'UNDEFINED' ? { meaning } : UNREADABLE;
  if (meaning !== 'approved' && meaning !== 'partial') return { meaning };
  if (contradicts(operation, result, requested)) return UNREADABLE;
  // Of a part that names no amount nobody knows how much it is, nor what is left to pay.
  if (meaning === 'partial' && result.totalAmount === undefined) return UNREADABLE;
  // Nor how much was approved where the only amount is not the one that was asked for.
  if (result.totalAmount === undefined && !isRequested(result, requested)) return UNREADABLE;
  return differs(operation, meaning, result, requested) ? { meaning, amountDiffers: true } : { meaning };
}

/**
 * What is left to pay after a partial approval, minor units; undefined where nothing is, or the amounts contradict each other or the
 * request: to charge that as well might charge some of it twice.
 */
export function remainderOf(result: Decisive, { amount, tipConfiguration }: Requested): number | undefined {
  const { totalAmount, dueAmount } = result;
  if (!totalAmount) return undefined;
  const total = Math.abs(totalAmount);
  const asked = amount === undefined ? 0 : Math.abs(Number(amount));
  const whole = Math.max(asked, result.requestedAmount ?? 0, total + (dueAmount ?? 0));
  // A tip that was added on the screen is due as well, and a part need not name it.
  const hasTip = tipConfiguration !== undefined && !result.tipAmount && total < asked && whole - total < asked;
  const isExplained = amount === undefined || hasTip || whole <= asked + extrasOf(result);
  // What is due is said, or follows from what was requested; a 0 beside a part says that nothing is.
  const isWhole = dueAmount === undefined || total + dueAmount === whole;
  return isExplained && isWhole && whole > total ? whole - total : undefined;
}

/** How much it was, minor units: where the result names no total, what was requested with all that came on top. */
export function totalIn(result: Decisive, requested: number): number {
  return Math.abs(result.totalAmount ?? Math.abs(requested) + extrasOf({ ...result, taxAmount: 0 }));
}

/** The amount that it says was asked for, if any, is the one that was. */
export function isRequested(result: Decisive, { amount }: Requested): boolean {
  const said = Math.abs(result.requestedAmount ?? 0);
  if (said === 0 || amount === undefined) return true;
  const asked = Math.abs(Number(amount));
  return said >= asked && said <= asked + extrasOf(result);
}

/** It says what was done, and that is something else. */
export function isOfAnotherType(operation: TransactionOperation, { type = '' }: Pick<Decisive, 'type'>): boolean {
  if (type === '' || type === 'UNDEFINED') return false;
  return isReversal(operation) ? !REVERSAL_TYPES.has(type) : TYPES.get(operation)?.includes(type) === false;
}

function contradicts(operation: TransactionOperation, result: Decisive, requested: Requested): boolean {
  const { totalAmount, currency } = result;
  if (isOfAnotherType(operation, result)) return true;
  if (currency && requested.currency && currency !== requested.currency) return true;
  if (requested.amount === undefined || totalAmount === undefined) return false;
  // A decrease of a hold may be written with its sign, or without.
  return Number(requested.amount) < 0 ? totalAmount === 0 : totalAmount <= 0;
}

function differs(operation: TransactionOperation, meaning: Meaning, result: Decisive, requested: Requested): boolean {
  if (meaning === 'partial') return remainderOf(result, requested) === undefined;
  // The tip of a hold is that of its capture.
  const isShort = kindOf(operation) === 'charge' && isBaseShort(result, requested);
  return isAbove(result, requested) || isShort;
}

/** The total includes the tip (spec: amounts of a result), so that less was taken for what was asked for. */
function isBaseShort({ totalAmount, tipAmount = 0 }: Decisive, { amount }: Requested): boolean {
  if (amount === undefined || totalAmount === undefined || tipAmount <= 0) return false;
  return Math.abs(totalAmount) < Math.abs(Number(amount)) + tipAmount;
}

function isAbove(result: Decisive, { amount }: Requested): boolean {
  if (amount === undefined) return false;
  const asked = Math.abs(Number(amount));
  return Math.abs(result.totalAmount ?? asked) > asked + extrasOf(result);
}

/** What may come on top of what was requested. */
function extrasOf({ tipAmount = 0, taxAmount = 0, surcharge }: Decisive): number {
  return tipAmount + taxAmount + (surcharge?.amount ?? 0);
}

/** The status service may show a partial approval as AUTHORISED with an amount still due. */
function isShort({ totalAmount, dueAmount = 0 }: Decisive, requestedAmount: number): boolean {
  return dueAmount > 0 || (totalAmount !== undefined && totalAmount > 0 && totalAmount < requestedAmount);
}
