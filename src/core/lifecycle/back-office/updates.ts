import { FIRST_RETRY_PAUSE, LONGEST_RETRY_PAUSE, WATCH_LIMIT } from '../../base/timings.js';
import { isSentEarly } from './early-tip.js';
import { RULES } from './rules.js';
import type { BackOfficeState } from './state.js';

/** What a transition changes beside the phase. */

type Update = (state: BackOfficeState, now: number) => Partial<BackOfficeState>;

/** What was refused for certain, or never left, is sent for the first time. */
export const startTry: Update = (state, now) => {
  const { operation, tries, lostAt, resendUntil, sentEarly } = state;
  const { resendFor } = RULES[operation];
  const isEarly = isSentEarly(state, now) || undefined;
  return {
    tries: tries + 1,
    ...(isEarly !== sentEarly && { sentEarly: isEarly }),
    ...(lostAt === undefined && resendFor !== undefined ? { resendUntil: now + resendFor } : { resendUntil }),
  };
};

export const waitForLimit: Update = () => ({ leaving: true });

/** From here on it may be done. */
export const leaveNow: Update = (state, now) => ({ ...startTry(state, now), tries: state.tries, leaving: undefined });

export const retryIn =
  (ms: number): Update =>
  (_state, now) => ({ nextAt: now + ms });

export const retryThrottled: Update = (_state, now) => ({ nextAt: now, decline: undefined, absentAt: undefined });

export const retryAfterPause: Update = ({ tries }, now) => ({ nextAt: now + pauseAfter(tries) });

export const retryWithOtherKey: Update = (_state, now) => ({ nextAt: now, keyReplaced: true });

export const noteAnswer: Update = (_state, now) => ({ answeredAt: now });

/** Nobody knows whether it was sent, and it is not sent again. */
export const lostUnsent: Update = (_state, now) => ({ lostAt: now, perhapsSent: true, nextAt: undefined });

export const startWatch: Update = (_state, now) => ({ watchUntil: now + WATCH_LIMIT });

/** The same where nobody can be asked about it. */
export const lostUnsentForGood: Update = (state, now) => ({ ...lostUnsent(state, now), ...startWatch(state, now) });

/** Before a lost answer is tried again, ms: each time twice as long. */
export function pauseAfter(tries: number): number {
  return Math.min(FIRST_RETRY_PAUSE * 2 ** (tries - 1), LONGEST_RETRY_PAUSE);
}
