import { WATCH_LIMIT } from '../../base/timings.js';
import { confirm, markUndelivered, resume } from '../../operation/delivery-state.js';
import type { Meaning } from '../../operation/result-meaning.js';
import { deadlineOf, type LifecycleEvent, type LifecycleState, stopProvesFrom } from './state.js';

/** What an event teaches, whatever the phase. */
export function learn(state: LifecycleState, event: LifecycleEvent, now: number): LifecycleState {
  switch (event.type) {
    // The request may have waited for its turn at the rate limit: what is timed from it is timed from its answer.
    case 'accepted':
      return { ...state, attemptAt: now, signAt: now, resultId: event.resultId ?? state.resultId };
    case 'answer-lost':
      return { ...state, attemptAt: now };
    case 'restored':
      return takeUp(state, event.serviceChanged, now);
    case 'cancel':
      return { ...state, stopWanted: true };
    case 'terminal':
      return noteTerminal(state, event, now);
    case 'gateway':
      return noteGateway(state, event, now);
    case 'processing':
      return { ...state, signAt: state.signAt ?? now, isProcessing: true };
    case 'result-gone':
      return { ...state, isProcessing: undefined };
    case 'idle':
      return event.askedAt < stopProvesFrom(state) ? state : { ...state, endedAt: state.endedAt ?? now };
    case 'stop-tried':
      return { ...state, stopTried: true };
    case 'offline':
      return { ...state, offlineAt: event.askedAt };
    case 'delivered':
      return { ...state, pending: confirm(state.pending, event.sequence) };
    case 'stopping':
      return { ...state, pending: markUndelivered(state.pending) };
    case 'tick':
      return state.policies.deadlineMs !== undefined && now >= deadlineOf(state) && state.phase === 'waiting'
        ? { ...state, stopWanted: true }
        : state;
    default:
      return state;
  }
}

/**
 * The clock of an earlier life may have stood elsewhere: what it noted is taken for past, and how long ago it was proves
 * nothing. What was never sent keeps its time, so that it shows as too old.
 */
function takeUp(state: LifecycleState, serviceChanged: boolean | undefined, now: number): LifecycleState {
  const { phase, terminal, gateway, reversing, watchUntil } = state;
  const restored = {
    ...state,
    pending: resume(state.pending),
    restoredAt: now,
    serviceChanged: serviceChanged || undefined,
  };
  if (phase === 'queued' || phase === 'pausing' || phase === 'closed') return restored;
  const past = (at: number): number => Math.min(at, now);
  return {
    ...restored,
    startedAt: past(state.startedAt),
    attemptAt: phase === 'sending' ? now : past(state.attemptAt),
    ...(terminal && { terminal: { ...terminal, at: now } }),
    // What it showed is known; that it still does has to be asked anew.
    ...(gateway && {
      gateway: { ...gateway, askedAt: 0, ...(gateway.declinedAt !== undefined && { declinedAt: now }) },
    }),
    ...(reversing && { reversing: { ...reversing, since: past(reversing.since) } }),
    ...(state.endedAt !== undefined && { endedAt: now }),
    ...(state.signAt !== undefined && { signAt: now }),
    ...(watchUntil !== undefined && { watchUntil: Math.min(watchUntil, now + WATCH_LIMIT) }),
  };
}

function noteTerminal(
  state: LifecycleState,
  { meaning, isUnclear, amountDiffers, via, transactionId }: LifecycleEvent & { type: 'terminal' },
  now: number,
): LifecycleState {
  if (state.phase === 'closed' || meaning === 'in-progress') return state;
  const known = state.terminal;
  // A question never replaces an answer, and the same prompt polled again does not start its 60 s anew.
  if (known !== undefined && isQuestion(meaning) && !isQuestion(known.meaning)) return state;
  const at = known?.meaning === meaning ? known.at : now;
  return {
    ...state,
    terminal: {
      meaning,
      via: known?.meaning === meaning && known.via === 'callback' ? 'callback' : via,
      at,
      // What may have been an approval is not forgotten over another question.
      ...((isUnclear || (isQuestion(meaning) && known?.isUnclear)) && { isUnclear: true }),
      ...(amountDiffers && { amountDiffers }),
    },
    transactionId: transactionId || state.transactionId,
    isProcessing: undefined,
    endedAt: meaning === 'partial' ? state.endedAt : (state.endedAt ?? now),
  };
}

function noteGateway(
  state: LifecycleState,
  { meaning, askedAt, transactionId, net }: LifecycleEvent & { type: 'gateway' },
  now: number,
): LifecycleState {
  const known = state.gateway;
  // Answers may overtake each other.
  if (known !== undefined && askedAt < known.askedAt) return state;
  // A record may vanish and come back, and one that does not say how it ended takes nothing back: neither confirms what
  // an earlier answer showed, so that nothing can rest on it.
  const saysNothing = meaning === 'none' || meaning === 'undefined' || meaning === 'in-progress';
  if (saysNothing && known !== undefined && known.meaning !== 'none') return state;
  const declinedAt = isDecline(meaning) ? (known?.declinedAt ?? now) : undefined;
  return {
    ...state,
    ...(meaning !== 'none' && { signAt: state.signAt ?? now }),
    gateway: { meaning, askedAt, ...(net !== undefined && { net }), ...(declinedAt !== undefined && { declinedAt }) },
    transactionId: state.transactionId || transactionId,
  };
}

function isDecline(meaning: Meaning | 'none'): boolean {
  return meaning === 'declined' || meaning === 'cancelled';
}

function isQuestion(meaning: Meaning): boolean {
  return meaning === 'undefined' || meaning === 'failed' || meaning === 'in-progress';
}
