import { isListedTwice } from './contradictions.js';
import { canHaveTip, type Entry, found } from './shape.js';

/** The tip of a payment. An adjustment is a change of the payment's entry, or an entry of its own, of which the last counts. */

/** As it stands, minor units; undefined while the chain does not show how much that is. */
export function tipOf(original: Entry, chain: readonly Entry[]): number | undefined {
  if (isListedTwice(original, chain)) return undefined;
  const { tipAmount: ofPayment = 0 } = original;
  if (!canHaveTip(original)) return ofPayment;
  const { about, doubtful } = found('tip', chain, chain, original);
  const last = about.at(-1);
  if (doubtful.length > 0) return undefined;
  return last === undefined ? ofPayment : (last.tipAmount ?? loneTip(last, original));
}

/** An amount that stands alone may contain what the tip was added to, unless it is too small for that. */
function loneTip({ totalAmount: alone }: Entry, { totalAmount = 0, tipAmount = 0 }: Entry): number | undefined {
  return alone !== undefined && alone < totalAmount - tipAmount ? alone : undefined;
}
