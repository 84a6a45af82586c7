import { changed } from '../../base/objects.js';
import type { Guard as AnyGuard } from '../guard.js';
import type { Charge, LifecycleEvent } from './event.js';
import { stillShown } from './learn-earlier.js';
import { type LifecycleState, mayTakeBack } from './state.js';
import { startWatch } from './updates.js';

/**
 * Two earlier attempts have charged, and the outcome of the latest is unknown. One of the two is too much in any case: it is
 * reversed, and the watch for the latest goes on.
 */

type Guard = AnyGuard<LifecycleState, LifecycleEvent>;

function surplusOf({ approvedEarlier, otherApproved, earlier }: LifecycleState): Charge | undefined {
  if (approvedEarlier !== undefined) return otherApproved;
  return earlier?.meaning === 'approved' ? earlier.other : undefined;
}

/** Of three charges one goes back at most: a person must look at the others. */
export const hasSurplus: Guard = (state) =>
  (surplusOf(state) !== undefined || state.isThirdCharged === true) &&
  state.reversing === undefined &&
  !state.onlyWatch;
export const surplusCanBeReversed: Guard = (state, now, event) =>
  mayTakeBack(state) && surplusOf(state) !== undefined && hasSurplus(state, now, event);

export const takeBackSurplus = (state: LifecycleState, now: number): Partial<LifecycleState> => {
  const second = surplusOf(state);
  return second === undefined ? {} : { reversing: { reason: 'second', since: now, second, isSurplus: true } };
};

export const isTakingBackSurplus: Guard = ({ reversing }) => reversing?.isSurplus === true;

/** The others are asked for once more: there may be another one that is too much. */
export const surplusWentBack = (state: LifecycleState): Partial<LifecycleState> => {
  const { reversing, earlier, earlierResults } = state;
  const { reference = '' } = reversing?.second ?? {};
  return {
    reversing: undefined,
    otherApproved: undefined,
    earlier: stillShown(earlier && changed(earlier, { other: undefined })),
    earlierResults: { ...earlierResults, [reference]: 'returned' },
  };
};

/** A person may take it back from now on. What became of it, and of the others, the chains may still show. */
export const leaveSurplusToPerson = ({ earlier }: LifecycleState): Partial<LifecycleState> => ({
  reversing: undefined,
  earlier: stillShown(earlier),
  onlyWatch: true,
});

/** The same for whatever goes back, where a person has said so. */
export const leaveToPerson = (state: LifecycleState, now: number): Partial<LifecycleState> => ({
  ...startWatch(state, now),
  ...(state.reversing?.isSurplus && leaveSurplusToPerson(state)),
});
