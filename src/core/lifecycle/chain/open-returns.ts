import { cancelsCapture, directionOf, isAnyApproval, reversalOf } from './net-amount.js';
import { type Entry, entryIn, isCharge, isHold, isOfKind, subjectOf } from './shape.js';
import { wholeOf } from './whole.js';

/** Reversals and refunds of which the chain does not show what they gave back, or how much of it. */

/** Whether it is approved, and what it gave back is open. */
export function isOpenReturn(entry: Entry, chain: readonly Entry[]): boolean {
  if (!isAnyApproval(entry)) return false;
  if (isOfKind(entry, 'refund')) return isOfUnsaidCancelled(entry, subjectOf(entry, chain), chain);
  return isOfKind(entry, 'reversal') && isOpenReversal(entry, chain);
}

function isOpenReversal(reversal: Entry, chain: readonly Entry[]): boolean {
  const earlier = chain.slice(0, chain.indexOf(reversal));
  // A hold has moved nothing.
  if (earlier.length > 0 && !earlier.some(hasMoved)) return false;
  const { originalEFTTransactionID: name = '' } = reversal;
  const subject = name === '' ? onlyOf(earlier) : reversedBy(name, earlier);
  if (subject === undefined) return true;
  if (isHold(subject)) return isOfOpenCapture(reversal, subject, chain, earlier);
  return isOpenAmount(reversal, subject, chain) || mayBeOfCancelledRefund(reversal, subject, earlier);
}

/** Also where that was cancelled since. */
function hasMoved(entry: Entry): boolean {
  return directionOf(entry) !== undefined && (isAnyApproval(entry) || entry.finStatus === 'CANCELLED');
}

/**
 * What names nothing is of the first, where that is all that it can be about: what was declined may be reversed once more, too.
 * Before a capture comes its hold, whether or not the chain shows that.
 */
function onlyOf(earlier: readonly Entry[]): Entry | undefined {
  const [only, ...others] = earlier.filter(canBeReversed);
  const isOnly = only === earlier[0] && others.length === 0;
  return only === undefined || isOfKind(only, 'capture') || !isOnly ? undefined : only;
}

/** Nobody says what the reversal of a tip, of a token or of another reversal takes back. */
function reversedBy(name: string, earlier: readonly Entry[]): Entry | undefined {
  const named = entryIn(earlier, name);
  const subject = named && isOfKind(named, 'hold-change') ? subjectOf(named, earlier) : named;
  return subject && canBeReversed(subject) ? subject : undefined;
}

function canBeReversed(entry: Entry): boolean {
  return isCharge(entry) || isOfKind(entry, 'refund') || isOfKind(entry, 'capture');
}

/** By the id of a hold its capture is cancelled: of several nobody says which. */
function isOfOpenCapture(reversal: Entry, hold: Entry, chain: readonly Entry[], earlier: readonly Entry[]): boolean {
  const captures = earlier.filter(
    (entry) => isOfKind(entry, 'capture') && isAnyApproval(entry) && mayBeOf(entry, hold, chain),
  );
  return captures.length > 1 || captures.some((capture) => !cancelsCapture(reversal, capture, chain));
}

/** The chain may not show its hold, and may list a change of the hold as another hold. */
function mayBeOf(capture: Entry, hold: Entry, chain: readonly Entry[]): boolean {
  const held = subjectOf(capture, chain);
  return held === undefined || held === hold || isNamedBy(held, hold) || isNamedBy(hold, held);
}

function isNamedBy({ transactionID = '' }: Entry, { originalEFTTransactionID: name }: Entry): boolean {
  return transactionID !== '' && transactionID === name;
}

/** Of several reversals the last replaces those before it. */
function isOpenAmount(reversal: Entry, subject: Entry, chain: readonly Entry[]): boolean {
  if (reversalOf(subject, chain) !== reversal) return false;
  const { totalAmount } = reversal;
  // A payment shows as cancelled after a part, too.
  const isUnsaid = totalAmount === undefined && subject.finStatus === 'CANCELLED';
  // Nobody takes back nothing: it does not say how much.
  return totalAmount === 0 || isUnsaid || isOfUnsaidCancelled(reversal, subject, chain);
}

/** Something went back of what shows as cancelled and does not say how much that was: a part may still be charged. */
function isOfUnsaidCancelled(back: Entry, subject: Entry | undefined, chain: readonly Entry[]): boolean {
  if (subject === undefined || subject === back) return false;
  return subject.finStatus === 'CANCELLED' && wholeOf(subject, chain) === undefined;
}

/** Either the refund was cancelled at the terminal, or by this reversal, which then gave nothing back of the payment that it names. */
function mayBeOfCancelledRefund(reversal: Entry, payment: Entry, earlier: readonly Entry[]): boolean {
  const { totalAmount } = reversal;
  if (directionOf(payment) !== 1 || payment.finStatus !== 'AUTHORISED' || totalAmount === undefined) return false;
  const cancelled = earlier.filter((entry) => isOfKind(entry, 'refund') && entry.finStatus === 'CANCELLED');
  return cancelled.some((refund) => Math.abs(refund.totalAmount ?? 0) === Math.abs(totalAmount));
}
