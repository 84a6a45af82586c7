import type { TransactionResult } from './api/transaction-result.js';

/** What the entries of a chain, as the status service lists them, come to (spec: status service). */

const APPROVED: ReadonlySet<string> = new Set(['AUTHORISED', 'CAPTURED', 'PROCESSED', 'REFUNDED', 'PARTIAL_APPROVAL']);
const REVERSALS: ReadonlySet<string> = new Set([
  'REVERSAL',
  'MOTO_REVERSAL',
  'VOID_SALE',
  'PRE_AUTHORIZATION_REVERSAL',
]);

/** Which way money goes: to the merchant, or back. Every other type moves none. */
const DIRECTIONS: Readonly<Record<string, 1 | -1>> = {
  SALE: 1,
  SALE_AND_TOKENIZE_CARD: 1,
  MOTO_SALE: 1,
  PRE_AUTHORIZATION_CAPTURE: 1,
  REFUND: -1,
  MOTO_REFUND: -1,
};

/** What the cardholder has paid in the end, minor units: what was approved, less what was refunded and reversed. */
export function netAmount(chain: readonly TransactionResult[]): number {
  return chain.reduce((sum, entry) => sum + movedBy(entry, chain), 0);
}

function movedBy(entry: TransactionResult, chain: readonly TransactionResult[]): number {
  const { type = '', finStatus, totalAmount = 0, issuerResponseCode = '00' } = entry;
  if (REVERSALS.has(type)) return APPROVED.has(finStatus) ? -directionOf(originalOf(entry, chain)) * totalAmount : 0;
  // The first of a chain shows what has become of it: approved once, and reversed since.
  const wasApproved = APPROVED.has(finStatus) || (finStatus === 'CANCELLED' && issuerResponseCode === '00');
  return wasApproved ? directionOf(entry) * totalAmount : 0;
}

function directionOf(entry: TransactionResult | undefined): number {
  return DIRECTIONS[entry?.type ?? ''] ?? 0;
}

/** What a reversal takes back: the entry that it names, else the first of the chain. */
function originalOf({ originalEFTTransactionID }: TransactionResult, chain: readonly TransactionResult[]) {
  return chain.find(({ transactionID }) => transactionID === originalEFTTransactionID) ?? chain[0];
}
