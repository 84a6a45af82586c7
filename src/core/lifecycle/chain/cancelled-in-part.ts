import { isAnyApproval, leftOf, reversalOf } from './net-amount.js';
import { type Entry, found, isHold, isOfKind } from './shape.js';
import { wholeOf } from './whole.js';

/**
 * Whether an entry shows as cancelled, and what went back of it in the chain is less than the whole: the rest may still be charged.
 * One beside which nothing went back was never charged.
 */
export function isCancelledInPart(entry: Entry, chain: readonly Entry[]): boolean {
  const whole = wholeOf(entry, chain);
  if (entry.finStatus !== 'CANCELLED' || isHold(entry) || whole === undefined) return false;
  const reversal = reversalOf(entry, chain);
  const refunds = refundsOf(entry, chain);
  const hasGoneBack = reversal !== undefined || refunds.length > 0;
  const { totalAmount: reversed } = reversal ?? { totalAmount: 0 };
  if (!hasGoneBack || reversed === undefined) return false;
  const refunded = refunds.reduce((sum, refund) => sum - leftOf(refund, chain), 0);
  return Math.abs(reversed) + refunded < whole;
}

function refundsOf(entry: Entry, chain: readonly Entry[]): Entry[] {
  if (isOfKind(entry, 'refund')) return [];
  const { about, doubtful } = found('refund', chain, chain, entry);
  return [...about, ...doubtful].filter(isAnyApproval);
}
