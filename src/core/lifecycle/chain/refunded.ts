import { directionOf, leftOf, reversedOf } from './net-amount.js';
import { type Entry, entryIn, found, isHold, isOfKind, TAKEN_BACK } from './shape.js';
import type { Sought } from './sought.js';
import { tipOf } from './tips.js';
import { wholeOf } from './whole.js';

/** What has gone back of a payment, as its chain lists it. */

/**
 * Whether a refund, a reversal or a lower tip, together with what went back before, gives back more than was taken; or a reversal
 * takes again what one before it gave back. Nobody says that a reversal takes refunds off, nor that the amount that a refund may not
 * exceed is what is left.
 */
export function isTooMuchBack(sought: Sought | undefined, chain: readonly Entry[]): boolean {
  const named = entryIn(chain, sought?.original);
  // Of a captured hold a reversal cancels the capture.
  const original = named && isHold(named) ? found('capture', chain, chain, named).about.at(-1) : named;
  const whole = original && wholeOf(original, chain);
  if (sought === undefined || original === undefined || whole === undefined) return false;
  const { what, amount = whole } = sought;
  const refunded = refundedIn(original, chain);
  const listed = chain.filter((entry) => !isOfUnlisted(entry, chain));
  const reversed = reversedOf(original, listed);
  // A later reversal takes the place of an earlier one: of less than that it would take money again.
  if (what === 'reversal') return amount < reversed || (refunded > 0 && amount + refunded > whole);
  if (directionOf(original) !== 1) return false;
  const back = refunded + reversed;
  // A lower tip takes back the difference, too.
  if (what === 'tip') return back > 0 && back > whole - (tipOf(original, chain) ?? 0) + amount;
  return what === 'refund' && back > 0 && amount + back > whole;
}

/** Whether anything has gone back of it, whatever of that the chain lists. */
export function isGivenBack(payment: Entry, chain: readonly Entry[]): boolean {
  return TAKEN_BACK.has(payment.finStatus) || refundedIn(payment, chain) > 0 || reversedOf(payment, chain) > 0;
}

/** Less what was reversed of them; minor units. */
function refundedIn(original: Entry, chain: readonly Entry[]): number {
  const refunds = new Map(found('refund', chain, chain, original).about.map((one) => [one.transactionID, one]));
  return [...refunds.values()].reduce((sum, refund) => sum - leftOf(refund, chain), 0);
}

/** A reversal of what the chain does not list, such as a refund that only its payment shows, took nothing back of the payment. */
function isOfUnlisted(entry: Entry, chain: readonly Entry[]): boolean {
  const { originalEFTTransactionID: named } = entry;
  return isOfKind(entry, 'reversal') && Boolean(named) && entryIn(chain, named) === undefined;
}
