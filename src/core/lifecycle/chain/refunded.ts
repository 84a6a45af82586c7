import { type BackOfficeOrder, originalOf } from '../../operation/back-office-order.js';
import { leftOf } from './net-amount.js';
import { type Entry, entryIn, found, isHold } from './shape.js';
import { soughtAtGateway } from './sought.js';
import { wholeOf } from './whole.js';

/** What refunds have given back of a payment, as its chain lists them. */

/** Whether a reversal together with the refunds gives back more than was taken: nobody says that it takes them off. */
export function isTooMuchBack(order: BackOfficeOrder, chain: readonly Entry[]): boolean {
  const original = entryIn(chain, originalOf(order));
  const { what, amount } = soughtAtGateway(order, original?.currency) ?? {};
  if (what !== 'reversal' || original === undefined || isHold(original)) return false;
  const whole = wholeOf(original, chain);
  const refunded = refundedIn(original, chain);
  return refunded > 0 && whole !== undefined && (amount ?? whole) + refunded > whole;
}

/** Less what was reversed of them; minor units. */
function refundedIn(original: Entry, chain: readonly Entry[]): number {
  const refunds = new Map(found('refund', chain, chain, original).about.map((one) => [one.transactionID, one]));
  return [...refunds.values()].reduce((sum, refund) => sum - leftOf(refund, chain), 0);
}
