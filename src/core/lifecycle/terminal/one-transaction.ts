import { isSameId } from '../../base/same-id.js';
import type { Guard as AnyGuard } from '../guard.js';
import { ownAttempt } from './earlier-attempts.js';
import type { Charge, LifecycleEvent } from './event.js';
import { chargesIn } from './learn-earlier.js';
import type { LifecycleState } from './state.js';

/** Stands for the latest attempt, whose reference the lifecycle does not know. */
const LATEST = 'latest';

/**
 * Two attempts show the same transaction. That may be one charge, which a reversal of either would take back, so the engine
 * reverses none.
 */
export const areOneTransaction: AnyGuard<LifecycleState, LifecycleEvent> = (state) => {
  const { phase, transactionId, takenUp, approvedEarlier, otherApproved, earlier } = state;
  // Until the end the transaction is that of the attempt that is looked after, whichever was approved before it.
  const attempt = phase === 'closed' ? ownAttempt(state) : takenUp;
  const own: Charge = { reference: attempt ?? LATEST, transactionId };
  const shown = earlier?.meaning === 'approved' ? chargesIn(earlier) : [];
  const charges = [own, approvedEarlier, otherApproved, ...shown];
  return charges.some((one) => charges.some((other) => isOneTransaction(one, other)));
};

function isOneTransaction(one: Charge | undefined, other: Charge | undefined): boolean {
  if (!one?.transactionId || one.reference === other?.reference) return false;
  return isSameId(one.transactionId, other?.transactionId);
}
