import type { BackOfficeRecord } from '../../journal/record.js';
import { isTooMuchBack } from '../../lifecycle/chain/refunded.js';
import { type Entry, entryIn } from '../../lifecycle/chain/shape.js';
import { soughtAtGateway } from '../../lifecycle/chain/sought.js';
import { originalOf } from '../../operation/back-office-order.js';

/** Whether more would go back than was taken. What a later process has sent already is no news. */
export function tooMuchIn({ state, request }: BackOfficeRecord, chain: readonly Entry[]): { isTooMuch?: true } {
  const sought = soughtAtGateway(request, entryIn(chain, originalOf(request))?.currency);
  return !state.takenUp && isTooMuchBack(sought, chain) ? { isTooMuch: true } : {};
}
