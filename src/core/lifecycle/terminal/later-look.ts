import { WATCH_GRACE } from '../../base/timings.js';
import { startsPayment } from '../../operation/kinds.js';
import type { Guard as AnyGuard } from '../guard.js';
import { isKnownFrom, limitShowsFrom, othersMayHaveCharged } from './earlier-attempts.js';
import type { LifecycleEvent } from './event.js';
import { chargesIn } from './learn-earlier.js';
import { type LifecycleState, mayTakeBack } from './state.js';

/**
 * The flow has heard of an approval soon, and another attempt, answered 429, may have begun after it and still wait for a card. Its callback
 * says what it charges; as that may be lost, the status service is asked once no card is presented any more.
 */

type Guard = AnyGuard<LifecycleState, LifecycleEvent>;

/**
 * To be asked once more, unless a person was asked to look whether there is another charge. One that has gone back leaves the others
 * open, and so does a contradiction of what was told.
 */
export function looksLater(state: LifecycleState): boolean {
  const { phase, looksAgain, reversing, alarmed, alarmedAgain, contradicted, lateCharges } = state;
  const isOneBack = reversing?.second !== undefined && reversing.isBack === true;
  const isOther = (alarmed || reversing !== undefined) && !isOneBack;
  const isHeard = alarmedAgain || (!contradicted && (lateCharges !== undefined || isOther));
  return phase === 'closed' && looksAgain === true && !isHeard;
}

/** Nobody says then what became of the others. Epoch ms. */
export const laterLookUntil = (state: LifecycleState): number => limitShowsFrom(state) + WATCH_GRACE;

/** Another attempt may begin after the approved one. */
export const lookLater = (state: LifecycleState, now: number, event: LifecycleEvent): Partial<LifecycleState> => {
  const { operation, mayBeFollowed, latestRefused, approvedEarlier, reversing, traceable } = state;
  const isLatestOpen = latestRefused === true && approvedEarlier !== undefined && reversing === undefined;
  const mayFollow = isLatestOpen || (mayBeFollowed === true && othersMayHaveCharged(state, now, event));
  const isOpen = startsPayment(operation) && traceable && mayFollow && !isKnownFrom(state, limitShowsFrom(state));
  return isOpen ? { looksAgain: true } : {};
};

/** What went back may still show, and what a person was asked to look at is no news. */
const hasCharged = (state: LifecycleState): boolean => {
  const { earlier, otherApproved, isThirdCharged, reversing, lateCharges = [] } = state;
  const known = [reversing?.second, ...lateCharges].map((one) => one?.reference);
  const shown = [
    ...(otherApproved ? [otherApproved] : []),
    ...(earlier?.meaning === 'approved' ? chargesIn(earlier) : []),
  ];
  return isThirdCharged === true || shown.some(({ reference }) => !known.includes(reference));
};
const isAnswered = (state: LifecycleState): boolean => isKnownFrom(state, limitShowsFrom(state));

/** One more was charged: it goes back, as what is called back goes, and one at most. */
export const laterCanBeReversed: Guard = (state) =>
  looksLater(state) && hasCharged(state) && state.reversing === undefined && !state.contradicted && mayTakeBack(state);

/** One was charged and cannot be taken back, its record leaves that open, or nobody answers. */
export const laterStaysOpen: Guard = (state, now) =>
  looksLater(state) &&
  (hasCharged(state) || now >= laterLookUntil(state) || (isAnswered(state) && state.earlier?.meaning === 'undefined'));

export const nothingFollowed: Guard = (state) => looksLater(state) && isAnswered(state);
export const endLook = (): Partial<LifecycleState> => ({ looksAgain: undefined });
