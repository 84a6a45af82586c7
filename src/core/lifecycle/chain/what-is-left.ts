import type { TransactionResult } from '../../api/schema/transaction-result.js';
import { isListedTwice } from './contradictions.js';
import { leftOf } from './net-amount.js';
import { type EntryKind, found, isApproved, isOfUnknownKind, mayBeApproved, subjectOf } from './shape.js';
import { wholeOf } from './whole.js';

/** What the service has approved under one reference: entries of the payment or refund itself, of which there is at least one. */
export interface Approvals {
  own: readonly TransactionResult[];
  chain: readonly TransactionResult[];
  isRefund: boolean;
}

export interface Left {
  /** The entry that is left, or the first. */
  by: TransactionResult;
  /** Minor units; absent where that is the whole. */
  left?: number;
  isTwice?: true;
}

/**
 * Somebody may have given it back before anybody could ask for it, and it may have been sent on twice: what counts is what
 * is left. Undefined where the chain does not show how much that is.
 */
export function whatIsLeft(approvals: Approvals): Left | undefined {
  const { own, chain, isRefund } = approvals;
  const [first] = own;
  if (first === undefined || isInDoubt(approvals)) return undefined;
  const by = own.find((one) => leftOf(one, chain) !== 0) ?? first;
  const whole = wholeOf(by, chain) ?? 0;
  const sum = own.reduce((total, one) => total + leftOf(one, chain), 0);
  const left = isCounted(approvals) ? (isRefund ? 0 - sum : sum) : whole;
  // More went back than there was, or it went the other way.
  if (left < 0) return undefined;
  if (left === whole) return { by };
  if (left > whole) return { by, left, isTwice: true };
  return { by, left };
}

/** It was made, and another system took a part of it back: no client takes back a part of a refund. */
export function isRefundInPart({ left = 0, isTwice }: Left, isRefund: boolean): boolean {
  return isRefund && left > 0 && !isTwice;
}

/** Something may have gone back, or come twice, and the chain does not show of what, or how much. */
function isInDoubt(approvals: Approvals): boolean {
  const { own, chain, isRefund } = approvals;
  const canCount = isCounted(approvals);
  const kinds: readonly EntryKind[] = isRefund ? ['reversal'] : ['reversal', 'refund'];
  return own.some((one) => {
    // What stands before it in the chain gave nothing of it back: a part of a sale may be reversed, and then another refunded.
    const later = chain.slice(chain.indexOf(one) + 1);
    const back = kinds.map((kind) => found(kind, later, chain, one));
    // It may have given it back, whatever it calls itself.
    const isUnknown = later.some(
      (entry) => isOfUnknownKind(entry) && mayBeApproved(entry) && subjectOf(entry, chain) === one,
    );
    const isUnnamed = back.some(
      ({ about, doubtful }) => doubtful.length > 0 || (about.length > 0 && !(canCount && about.every(isApproved))),
    );
    const isPartUnknown = one.finStatus === 'REFUNDED' && !isRefund && leftOf(one, chain) === leftOf(one, [one]);
    return isListedTwice(one, chain) || isUnnamed || isUnknown || isPartUnknown || (own.length > 1 && !canCount);
  });
}

/** An entry without its type or its amount cannot be counted. */
function isCounted({ own }: Approvals): boolean {
  return own.every((one) => leftOf(one, [one]) !== 0);
}
