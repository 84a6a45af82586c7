import { REVERSAL_TYPES } from '../../api/schema/entry-types.js';
import type { TransactionResult } from '../../api/schema/transaction-result.js';
import { found } from './shape.js';
import { wholeOf } from './whole.js';

/** The net amount of a chain, from its entries as the status service lists them (spec: status service). */

const APPROVED: ReadonlySet<string> = new Set(['AUTHORISED', 'CAPTURED', 'REFUNDED', 'PARTIAL_APPROVAL']);

/** Which way money goes: to the merchant, or back. Every other type moves none. */
const DIRECTIONS: ReadonlyMap<string, 1 | -1> = new Map<string, 1 | -1>([
  ['SALE', 1],
  ['SALE_AND_TOKENIZE_CARD', 1],
  ['MOTO_SALE', 1],
  ['PRE_AUTHORIZATION_CAPTURE', 1],
  ['REFUND', -1],
  ['MOTO_REFUND', -1],
]);

/** What the cardholder has paid in the end, minor units: the approved amount less refunds and reversals. */
export function netAmount(chain: readonly TransactionResult[]): number {
  return chain.reduce((sum, entry) => sum + movedBy(entry, chain), 0);
}

/** What is left of one entry after its own refunds and reversals, minor units; below 0 for a refund. */
export function leftOf(entry: TransactionResult, chain: readonly TransactionResult[]): number {
  const refunds = found('refund', chain, chain, entry).about;
  return [entry, ...refunds].reduce((sum, one) => sum + movedBy(one, chain), 0);
}

/**
 * A CANCELLED entry was fully reversed, or never approved: either way it moved nothing in the end, and neither the entry
 * nor its reversal counts.
 */
function movedBy(entry: TransactionResult, chain: readonly TransactionResult[]): number {
  const direction = DIRECTIONS.get(entry.type ?? '');
  if (direction === undefined || !isApproved(entry)) return 0;
  return direction * ((wholeOf(entry, chain) ?? 0) - (reversalOf(entry, chain)?.totalAmount ?? 0));
}

/** Whether reversals in its chain took all of it back: only the first entry of a chain shows that by its own status. */
export function isTakenBack(entry: TransactionResult, chain: readonly TransactionResult[]): boolean {
  const reversal = reversalOf(entry, chain);
  return reversal !== undefined && (isRelease(reversal) || reversal.totalAmount === wholeOf(entry, chain));
}

/** Entries keep the status they were processed with: of several reversals the last replaces those before it. */
function reversalOf(entry: TransactionResult, chain: readonly TransactionResult[]): TransactionResult | undefined {
  return chain.findLast((later) => isApproved(later) && reverses(later, entry, chain));
}

/** It lets the whole hold go, whatever amount it names. */
function isRelease({ type }: TransactionResult): boolean {
  return type === 'PRE_AUTHORIZATION_REVERSAL';
}

/** A card-not-present answer says PROCESSED whether or not the issuer agreed. */
export function isApproved({ finStatus, issuerResponseCode }: TransactionResult): boolean {
  return APPROVED.has(finStatus) || (finStatus === 'PROCESSED' && issuerResponseCode === '00');
}

/** A reversal is of the entry that it names; where the chain has none of that id, of its first. */
function reverses(
  { type = '', originalEFTTransactionID }: TransactionResult,
  entry: TransactionResult,
  chain: readonly TransactionResult[],
): boolean {
  if (!REVERSAL_TYPES.has(type)) return false;
  const named = chain.find(({ transactionID }) => transactionID === originalEFTTransactionID) ?? chain[0];
  return named === entry;
}
