import { WATCH_GRACE } from '../../base/timings.js';
import { startsPayment } from '../../operation/kinds.js';
import type { Guard as AnyGuard } from '../guard.js';
import { isKnownFrom, limitShowsFrom, othersMayHaveCharged } from './earlier-attempts.js';
import type { LifecycleEvent } from './event.js';
import { chargesIn } from './learn-earlier.js';
import { type LifecycleState, mayTakeBack } from './state.js';

/**
 * The flow hears of an approval within seconds. Another attempt, which was answered 429, may have begun after it and still wait for a
 * card. Its callback says what it charges. As callbacks get lost, the engine asks the status service when no terminal waits for a card
 * any more.
 */

type Guard = AnyGuard<LifecycleState, LifecycleEvent>;

/**
 * The engine still has to look, unless a person was asked whether there is another charge. A charge that went back says nothing of
 * the other attempts, and neither does a contradiction.
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

/** A charge that nobody has heard of: a charge that went back may still show, and a person knows of each in `lateCharges`. */
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

/** The engine takes back one other charge at most, as it does after a late callback. */
export const laterCanBeReversed: Guard = (state) =>
  looksLater(state) && hasCharged(state) && state.reversing === undefined && !state.contradicted && mayTakeBack(state);

/** The engine cannot take another charge back, a record leaves open whether there is one, or nobody answers. */
export const laterStaysOpen: Guard = (state, now) =>
  looksLater(state) &&
  (hasCharged(state) || now >= laterLookUntil(state) || (isAnswered(state) && state.earlier?.meaning === 'undefined'));

export const nothingFollowed: Guard = (state) => looksLater(state) && isAnswered(state);
export const endLook = (): Partial<LifecycleState> => ({ looksAgain: undefined });
