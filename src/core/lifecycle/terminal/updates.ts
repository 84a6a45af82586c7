import { WATCH_LIMIT } from '../../base/timings.js';
import type { LifecycleState } from './state.js';

/** What a row of the lifecycle changes beside the phase. */

export const startReversal =
  (reason: 'late' | 'partial') =>
  (_state: LifecycleState, now: number): Partial<LifecycleState> => ({ reversing: { reason, since: now } });
export const startWatch = ({ watchUntil, startedAt }: LifecycleState): Partial<LifecycleState> => ({
  watchUntil: watchUntil ?? startedAt + WATCH_LIMIT,
});
export const pauseFor =
  (ms: number) =>
  (_state: LifecycleState, now: number): Partial<LifecycleState> => ({ pausedUntil: now + ms });
/** What was learned belongs to the attempt it was learned about. */
export const nextAttempt = (_state: LifecycleState, now: number): Partial<LifecycleState> => ({
  attemptAt: now,
  pausedUntil: undefined,
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
