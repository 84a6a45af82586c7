import { GATEWAY_TRAVEL, REQUEST_LIFETIME, WATCH_LIMIT } from '../../base/timings.js';
import { confirm, markUndelivered, resume } from '../../operation/delivery-state.js';
import type { Meaning } from '../../operation/result-meaning.js';
import { deadlineOf, type LifecycleEvent, type LifecycleState } from './state.js';

/** What an event teaches, whatever the phase. */
export function learn(state: LifecycleState, event: LifecycleEvent, now: number): LifecycleState {
  switch (event.type) {
    // The request may have waited for its turn at the rate limit: what is timed from it is timed from its answer.
    case 'accepted':
      return { ...state, attemptAt: now, resultId: event.resultId ?? state.resultId };
    case 'answer-lost':
      return { ...state, attemptAt: now };
    case 'restored':
      return takeUp(state, event.serviceChanged, now);
    case 'cancel':
      return { ...state, stopWanted: true };
    case 'terminal':
      return noteTerminal(state, event, now);
    case 'gateway':
      return noteGateway(state, event);
    case 'idle':
      // Before this the request itself may still be on its way to the terminal. When the question arrived nobody knows:
      // the operation may have ended just before the answer.
      if (event.askedAt < state.attemptAt + REQUEST_LIFETIME) return state;
      return { ...state, endedAt: state.endedAt ?? now + GATEWAY_TRAVEL };
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
    ...(terminal && { terminal: { ...terminal, at: past(terminal.at) } }),
    ...(gateway && { gateway: { ...gateway, askedAt: past(gateway.askedAt) } }),
    ...(reversing && { reversing: { ...reversing, since: past(reversing.since) } }),
    ...(state.endedAt !== undefined && { endedAt: past(state.endedAt) }),
    ...(watchUntil !== undefined && { watchUntil: Math.min(watchUntil, now + WATCH_LIMIT) }),
  };
}

function noteTerminal(
  state: LifecycleState,
  { meaning, via, transactionId }: LifecycleEvent & { type: 'terminal' },
  now: number,
): LifecycleState {
  if (state.phase === 'closed' || meaning === 'in-progress') return state;
  const known = state.terminal;
  // A question never replaces an answer, and the same prompt polled again does not start its 60 s anew.
  if (known !== undefined && isQuestion(meaning) && !isQuestion(known.meaning)) return state;
  const at = known?.meaning === meaning ? known.at : now;
  return {
    ...state,
    terminal: { meaning, via: known?.meaning === meaning && known.via === 'callback' ? 'callback' : via, at },
    transactionId: transactionId || state.transactionId,
    endedAt: meaning === 'partial' ? state.endedAt : (state.endedAt ?? now),
  };
}

function noteGateway(
  state: LifecycleState,
  { meaning, askedAt, transactionId, mayGoOn }: LifecycleEvent & { type: 'gateway' },
): LifecycleState {
  const known = state.gateway;
  // Answers may overtake each other, and a record that was seen does not vanish.
  if (known !== undefined && askedAt < known.askedAt) return state;
  // Neither does a record that does not say how it ended take back what an earlier one said; but it is a record.
  const saysNothing = meaning === 'none' || meaning === 'undefined' || meaning === 'in-progress';
  const keeps = saysNothing && known !== undefined && known.meaning !== 'none';
  return {
    ...state,
    gateway: keeps ? { ...known, askedAt } : { meaning, askedAt, ...(mayGoOn && { mayGoOn }) },
    transactionId: state.transactionId || transactionId,
  };
}

function isQuestion(meaning: Meaning): boolean {
  return meaning === 'undefined' || meaning === 'failed' || meaning === 'in-progress';
}
