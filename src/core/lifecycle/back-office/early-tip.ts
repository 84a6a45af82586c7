import { READ_DEADLINE, TIP_RELIABLE } from '../../base/timings.js';
import type { BackOfficeState } from './state.js';

/**
 * A tip that the service may approve without setting it: one that is sent very soon after its sale (spec: Limits), or after something
 * of the sale went back, as nobody says that such a sale can still get one.
 */

/**
 * From when on the approval of a tip counts, epoch ms; undefined where neither the journal nor the chain knows the sale: then it
 * counts at once.
 */
export function tipCountsFrom({ operation, saleKnownAt, baseline }: BackOfficeState): number | undefined {
  if (operation !== 'tip-adjustment') return undefined;
  // The journal's own clock comes first: that of the service, or of its terminal, may stand elsewhere.
  // A chain that does not show the sale yet is behind a sale of this very moment.
  const soldAt = saleKnownAt ?? baseline?.originalAt ?? baseline?.at;
  return soldAt === undefined ? undefined : soldAt + TIP_RELIABLE;
}

/**
 * Whether an approval of what is sent now would say nothing. What follows an approval that came too early is sent late enough; but
 * once something went back, no approval says more, however late it comes.
 */
export function isSentEarly(state: BackOfficeState, now: number): boolean {
  if (state.baseline?.hasGoneBack) return true;
  return state.approved !== 'early' && now < (tipCountsFrom(state) ?? 0);
}

/** When a tip that was approved too early is sent once more, if nothing shows it by then; undefined where it is not. Epoch ms. */
export function tipRepeatsAt({ approved, sentEarly, resendUntil, stopWanted, nextAt }: BackOfficeState) {
  const isToRepeat = approved === 'early' && sentEarly && resendUntil !== undefined && !stopWanted;
  return isToRepeat ? nextAt : undefined;
}

/** The chain has been asked from {@link tipRepeatsAt} on, and has not answered. Epoch ms. */
export function tipRepeatsBy(state: BackOfficeState): number | undefined {
  const at = tipRepeatsAt(state);
  return at === undefined ? undefined : at + READ_DEADLINE;
}

/** It was approved, and the chain showed another tip right before it was sent: one of this amount that shows now is no older one. */
export function isNewTip({ approved, baseline }: BackOfficeState, amount: number | undefined): boolean {
  return approved === 'early' && baseline?.tip !== undefined && baseline.tip !== amount;
}
