import { RECOVERY_LIMIT, SETTLING_LAG, THROTTLE_PAUSE, WATCH_LIMIT } from '../../base/timings.js';
import type { ReversalReason } from '../../operation/verdict.js';
import { traceableWithoutResult } from './earlier-attempts.js';
import type { LifecycleEvent } from './event.js';
import { canBeAsked, type LifecycleState } from './state.js';
import type { VerdictSource } from './verdicts.js';

/** What a row of the lifecycle changes beside the phase. */

export const startReversal =
  (reason: ReversalReason) =>
  (_state: LifecycleState, now: number): Partial<LifecycleState> => ({ reversing: { reason, since: now } });
/** Two attempts have charged, and nothing can take one back: a person looks. */
export const leaveSecond = (_state: LifecycleState, now: number): Partial<LifecycleState> => ({
  reversing: { reason: 'second', since: now, isLeft: true },
});
/**
 * One that would be over by now ends with the next tick. How old it is nobody knows where the journal may be a backup, or
 * was written by a wrong clock: that one is watched in full.
 */
export const startWatch = (state: LifecycleState, now: number): Partial<LifecycleState> => {
  const isAnew = state.mayBeBackup === true && canBeAsked(state);
  const watchUntil = isAnew ? now + WATCH_LIMIT : Math.max(state.startedAt + WATCH_LIMIT, now + 1);
  const noneBegan = state.phase === 'listening' ? true : state.noneBegan;
  return { watchUntil: state.watchUntil ?? watchUntil, ...(noneBegan && { noneBegan }) };
};
/** One of the attempts may have begun, and nobody could ever say so. */
export const watchUnseen = (state: LifecycleState, now: number): Partial<LifecycleState> => ({
  ...takeUpAttempt(state, now),
  ...startWatch(state, now),
});
/** The operation is what its approved attempt was. */
export const takeEarlier = ({ approvedEarlier }: LifecycleState): Partial<LifecycleState> =>
  approvedEarlier === undefined ? {} : { transactionId: approvedEarlier.transactionId, resultId: undefined };
export const pauseFor =
  (ms: number) =>
  (_state: LifecycleState, now: number): Partial<LifecycleState> => ({ pausedUntil: now + ms });
/** What the flow is told, unless one of the attempts has begun: what was sent shows from then on. */
export const endWith =
  (verdictOf: VerdictSource) =>
  (state: LifecycleState, now: number, event: LifecycleEvent): Partial<LifecycleState> => {
    const { verdict, mistake } = verdictOf(state, event);
    return { ending: { verdict, ...(mistake && { mistake }) }, pausedUntil: now + SETTLING_LAG };
  };
/** One of the attempts that were refused has begun after all. */
export const takeUpAttempt = ({ busy, endedAt }: LifecycleState, now: number): Partial<LifecycleState> => ({
  attemptAt: now,
  pausedUntil: undefined,
  busy: undefined,
  ending: undefined,
  endedAt: endedAt ?? busy?.freeAt,
});
/** The same, where the status service says so: others may have begun after it. */
export const takeUpFound = (state: LifecycleState, now: number): Partial<LifecycleState> => ({
  ...takeUpAttempt(state, now),
  ...(state.retries && { isFound: true }),
});
/**
 * An attempt that was repeated may begin until the recovery limit after the latest 1001 or 429. A process that was frozen beyond
 * that hears for a while what has come meanwhile.
 */
export const listen = (
  { busy, throttled, retries, endedAt }: LifecycleState,
  now: number,
): Partial<LifecycleState> => ({
  attemptAt: Math.max(busy?.at ?? throttled?.at ?? now, now - RECOVERY_LIMIT),
  pausedUntil: undefined,
  // The end of one is not the end of the others.
  endedAt: retries ? undefined : endedAt,
});
/** The request goes to the rate limit. */
export const leave = (): Partial<LifecycleState> => ({ leaving: true, hadTurn: true });
export const leaveWithOtherKey = (): Partial<LifecycleState> => ({ ...leave(), keyReplaced: true });
/** A request that was sent twice may have begun although its repetition was answered 429. */
export const pauseForThrottle = (_state: LifecycleState, now: number): Partial<LifecycleState> => ({
  pausedUntil: now + THROTTLE_PAUSE,
  unprovenAttempts: true,
});
export const pauseForOtherKey = (_state: LifecycleState, now: number): Partial<LifecycleState> => ({
  pausedUntil: now,
  keyReplaced: true,
});
export const leaveNow = (_state: LifecycleState, now: number): Partial<LifecycleState> => ({
  leaving: undefined,
  attemptAt: now,
});
/** What was learned belongs to the attempt it was learned about. */
export const nextAttempt = (state: LifecycleState, now: number): Partial<LifecycleState> => {
  const { jumped, busy, unprovenAttempts, retries = 0 } = state;
  return {
    attemptAt: now,
    toldBy: undefined,
    jumpedBefore: jumped,
    retries: retries + 1,
    unprovenAttempts: unprovenAttempts || (busy !== undefined && busy.freeAt === undefined) || undefined,
    leaving: undefined,
    pausedUntil: undefined,
    busy: undefined,
    terminal: undefined,
    gateway: undefined,
    signAt: undefined,
    isProcessing: undefined,
    offlineAt: undefined,
    endedAt: undefined,
    stopTried: undefined,
    stopNotPossible: undefined,
    resultId: undefined,
    transactionId: undefined,
    traceableBy: traceableWithoutResult(state),
  };
};
