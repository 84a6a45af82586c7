import { BUSY_PAUSE, LAST_ANSWER, SETTLING_LAG, THROTTLE_LIMIT, THROTTLE_PAUSE } from '../../base/timings.js';
import { movesMoney } from '../../operation/kinds.js';
import { agedAt, canBeAsked, flowWaitsUntil, type LifecycleState } from './state.js';

/**
 * Attempts that were refused for now. A proxy or the service may have repeated the request, so that the refusal is the
 * answer to the repetition, and the attempt has begun: before another one is sent, and before the flow hears "not done",
 * all of them are asked for.
 */

/** A stop can only end an operation of ours, so it is sent until it proves that nothing runs. */
export function stopsWhileBusy({ phase, busy, policies, serviceChanged }: LifecycleState): boolean {
  return (
    phase === 'pausing' &&
    busy !== undefined &&
    busy.freeAt === undefined &&
    policies.exclusiveTerminal === true &&
    !serviceChanged
  );
}

/** No other attempt follows. */
export function isLastAttempt(state: LifecycleState): boolean {
  const { ending, busy, stopWanted, serviceChanged, pausedUntil = 0, startedAt, restoredAt = startedAt } = state;
  if (ending !== undefined || serviceChanged) return true;
  if (busy === undefined) return false;
  const isUnproven = isProvedByStops(state) && busy.freeAt === undefined;
  return (
    isUnproven || isUnprovable(state) || stopWanted === true || pausedUntil > waitEnds(state) || restoredAt < startedAt
  );
}

/** Before a payment is sent again a stop has to say that nothing runs; what moves no money is simply tried again. */
function isProvedByStops({ operation, policies }: LifecycleState): boolean {
  return movesMoney(operation) && policies.exclusiveTerminal === true;
}

/**
 * Nothing proves that an attempt has not charged: on a terminal that others use too it may have done so a moment ago, which
 * does not show yet, and what nobody can be asked about may have ended before the stop. Its own cancellation does prove it.
 */
export function isUnprovable(state: LifecycleState): boolean {
  const { operation, policies, terminal } = state;
  const isProvable = policies.exclusiveTerminal === true && canBeAsked(state);
  return movesMoney(operation) && !isProvable && terminal?.meaning !== 'cancelled';
}

/** Until then the status service has to say what became of the attempts. Epoch ms. */
export function attemptsProvedBy(state: LifecycleState): number {
  const { pausedUntil = 0, toldBy = Number.POSITIVE_INFINITY } = state;
  return Math.min(toldBy, Math.max(pausedUntil, isLastAttempt(state) ? 0 : waitEnds(state)) + LAST_ANSWER);
}

/** The pause after 1001: to the end of what keeps the terminal busy, where that can be proved. */
export function pauseAtBusy(state: LifecycleState, now: number): Partial<LifecycleState> {
  const { busy } = state;
  if (busy?.freeAt === undefined && isProvedByStops(state)) {
    return { pausedUntil: Math.max(now + LAST_ANSWER, state.stopWanted ? 0 : waitEnds(state)) };
  }
  return { pausedUntil: now + BUSY_PAUSE };
}

/** What kept the terminal busy has ended, and may still be on its way to the status service. @param freeAt epoch ms */
export function freed(state: LifecycleState, freeAt: number): Partial<LifecycleState> {
  const { busy } = state;
  if (busy === undefined || busy.freeAt !== undefined || freeAt < busy.at) return {};
  const shownAt = freeAt + (canBeAsked(state) ? SETTLING_LAG : 0);
  return { busy: { ...busy, freeAt }, pausedUntil: Math.max(busy.at + BUSY_PAUSE, shownAt) };
}

/** How many attempts may have followed at most, of which a backup of the journal does not know. */
function attemptsSinceBackup({ phase, traceable, policies }: LifecycleState): number {
  const mayHaveFollowed = phase === 'queued' || phase === 'sending' || phase === 'pausing';
  if (!mayHaveFollowed || !traceable) return 0;
  // One more with the other key.
  return Math.ceil(policies.busyWaitMs / BUSY_PAUSE) + Math.ceil(THROTTLE_LIMIT / THROTTLE_PAUSE) + 1;
}

/** They count as earlier ones. */
export function noteUnknownAttempts(state: LifecycleState): Partial<LifecycleState> {
  const unknownAttempts = state.unknownAttempts === undefined ? attemptsSinceBackup(state) : 0;
  if (unknownAttempts === 0) return {};
  return { unknownAttempts, retries: (state.retries ?? 0) + unknownAttempts, unprovenAttempts: true };
}

/** The flow does not wait for a busy terminal any longer than this. Epoch ms. */
function waitEnds(state: LifecycleState): number {
  return Math.min(agedAt(state, state.policies.busyWaitMs), flowWaitsUntil(state));
}
