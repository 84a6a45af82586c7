import type { TransactionOperation } from '../api/schema/operation-rules.js';
import { movesMoney } from './kinds.js';

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
  requestedAmount?: number;
  totalAmount?: number;
  dueAmount?: number;
  issuerResponseCode?: string;
  currency?: string;
}

/** What was requested: a result may leave it out. */
export interface Requested {
  /** Minor units, as digits. */
  amount?: string;
  currency?: string;
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
  const meaning = MEANINGS.get(result.finStatus) ?? 'undefined';
  if (meaning !== 'approved' || !movesMoney(operation)) return meaning;
  // A card-not-present answer may say PROCESSED whether or not the issuer agreed.
  if (result.finStatus === 'PROCESSED' && result.issuerResponseCode !== '00') return 'undefined';
  if (result.currency && requested.currency && result.currency !== requested.currency) return 'undefined';
  const requestedAmount = Math.max(result.requestedAmount ?? 0, Number(requested.amount ?? 0));
  return isShort({ ...result, requestedAmount }) ? 'partial' : 'approved';
}

/** The status service may show a partial approval as AUTHORISED with an amount still due. */
function isShort({ requestedAmount = 0, totalAmount, dueAmount = 0 }: Decisive): boolean {
  return dueAmount > 0 || (totalAmount !== undefined && totalAmount > 0 && totalAmount < requestedAmount);
}
