import { WATCH_LIMIT } from '../../base/timings.js';
import type { ReversalReason } from '../../operation/verdict.js';
import type { LifecycleState } from './state.js';

/** What a row of the lifecycle changes beside the phase. */

export const startReversal =
  (reason: ReversalReason) =>
  (_state: LifecycleState, now: number): Partial<LifecycleState> => ({ reversing: { reason, since: now } });
/** One that would be over by now ends with the next tick. */
export const startWatch = ({ watchUntil, startedAt }: LifecycleState, now: number): Partial<LifecycleState> => ({
  watchUntil: watchUntil ?? Math.max(startedAt + WATCH_LIMIT, now + 1),
});
/** The operation is what its approved attempt was. */
export const takeEarlier = ({ approvedEarlier, transactionId }: LifecycleState): Partial<LifecycleState> =>
  approvedEarlier === undefined
    ? {}
    : { transactionId: approvedEarlier.transactionId ?? transactionId, resultId: undefined };
export const pauseFor =
  (ms: number) =>
  (_state: LifecycleState, now: number): Partial<LifecycleState> => ({ pausedUntil: now + ms });
/** One of the attempts that were refused as busy has begun after all. */
export const takeUpAttempt = (_state: LifecycleState, now: number): Partial<LifecycleState> => ({
  attemptAt: now,
  pausedUntil: undefined,
  busy: undefined,
});
/** What was learned belongs to the attempt it was learned about. */
export const nextAttempt = ({ jumped }: LifecycleState, now: number): Partial<LifecycleState> => ({
  attemptAt: now,
  jumpedBefore: jumped,
  pausedUntil: undefined,
  busy: undefined,
  terminal: undefined,
  gateway: undefined,
  signAt: undefined,
  isProcessing: undefined,
  offlineAt: undefined,
  endedAt: undefined,
  stopTried: undefined,
  resultId: undefined,
  transactionId: undefined,
});
