import type { TransactionOperation } from '../api/schema/operation-rules.js';
import type { TransactionResult } from '../api/schema/transaction-result.js';
import { kindOf } from '../operation/kinds.js';
import { type Meaning, meaningOf, type Requested } from '../operation/result-meaning.js';
import { isApproved, isTakenBack, netAmount } from './net-amount.js';
import { whatIsLeft } from './what-is-left.js';

/** What the whole chain under an operation's own reference says of it, and the entry that says so. */
export interface ChainMeaning {
  meaning: Meaning;
  entry: TransactionResult;
  /** What is left of it after refunds and reversals, minor units, where some of it went back. */
  net?: number;
}

/** From the one that decides to the one that says least. */
const BY_WEIGHT: readonly Meaning[] = [
  'approved',
  'partial',
  'returned',
  'undefined',
  'in-progress',
  'failed',
  'declined',
  'cancelled',
];

/**
 * One reference may have several entries of the operation itself: a decline that the cardholder answered with a PIN, then
 * an approval. The heaviest counts; an approval that was taken back as a whole says so. Undefined where there is no record.
 */
export function meaningOfChain(
  operation: TransactionOperation,
  chain: readonly TransactionResult[],
  requested: Requested,
): ChainMeaning | undefined {
  const own = chain
    .filter(({ originalEFTTransactionID = '' }, place) => place === 0 || originalEFTTransactionID === '')
    .map((entry) => ({ entry, meaning: meaningNow(entry, meaningOf(operation, entry, requested), chain) }))
    .sort((one, other) => BY_WEIGHT.indexOf(one.meaning) - BY_WEIGHT.indexOf(other.meaning));
  const [found] = own;
  if (found?.meaning !== 'returned') return found;
  if (kindOf(operation) !== 'charge') return { ...found, net: netAmount(chain) };
  const approved = own.map(({ entry }) => entry).filter(isApproved);
  const left = whatIsLeft({ own: approved, chain, isRefund: false });
  return left === undefined ? { ...found, meaning: 'undefined' } : { ...found, net: left.left ?? netAmount(chain) };
}

function meaningNow(entry: TransactionResult, meaning: Meaning, chain: readonly TransactionResult[]): Meaning {
  const isApproval = meaning === 'approved' || meaning === 'partial';
  return isApproval && isTakenBack(entry, chain) ? 'returned' : meaning;
}
