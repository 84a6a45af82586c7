import type { BackOfficeRecord } from '../../journal/record.js';
import type { Baseline } from '../../lifecycle/chain/chain-evidence.js';
import { isGivenBack, isTooMuchBack } from '../../lifecycle/chain/refunded.js';
import { type Entry, entryIn } from '../../lifecycle/chain/shape.js';
import { soughtAtGateway } from '../../lifecycle/chain/sought.js';
import { originalOf } from '../../operation/back-office-order.js';

/**
 * Whether more would go back than was taken; what a later process has sent already is no news. And whether something of the payment
 * of a tip has gone back: nobody says what an approval of such a tip is worth.
 */
export function wentBackIn(
  { state, request }: BackOfficeRecord,
  chain: readonly Entry[],
): Pick<Baseline, 'isTooMuch' | 'hasGoneBack'> {
  const original = entryIn(chain, originalOf(request));
  const isTooMuch = !state.takenUp && isTooMuchBack(soughtAtGateway(request, original?.currency), chain);
  const hasGoneBack = request.operation === 'tip-adjustment' && original && isGivenBack(original, chain);
  return { ...(isTooMuch && { isTooMuch }), ...(hasGoneBack && { hasGoneBack }) };
}
