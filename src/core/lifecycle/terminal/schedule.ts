import {
  CARD_WINDOW,
  GATEWAY_TRAVEL,
  LAST_ANSWER,
  PARTIAL_PROMPT,
  RECOVERY_LIMIT,
  REVERSAL_LIMIT,
  STATUS_LAG,
} from '../../base/timings.js';
import { countedFrom, deadlineOf, type LifecycleState, type Phase } from './lifecycle.js';

/**
 * What is asked while an operation is unsettled, and when. Pure, like the lifecycle: the engine asks what is due and
 * sets one timer for the next moment at which anything is.
 */

export type Probe = 'poll' | 'status' | 'ping' | 'stop' | 'reverse';

export const PROBES: readonly Probe[] = ['poll', 'status', 'ping', 'stop', 'reverse'];

/** How often and when each thing was asked, in this process. */
export type ProbeHistory = Partial<Record<Probe, { tries: number; at: number }>>;

/** What the engine knows beyond one operation. */
export interface Load {
  /** A callback has arrived at this address before, so polls are only a safety net. */
  callbacksWork: boolean;
  /** Operations that ask at the moment. */
  open: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** So many operations may ask at full pace; beyond, all of them ease off in proportion. */
const FULL_PACE = 20;
/** Early enough for its answer to be there, and for a "no record" to mean something, when the card window ends. */
const PING_LEAD = 5 * SECOND + GATEWAY_TRAVEL + STATUS_LAG;

const UNSETTLED: ReadonlySet<Phase> = new Set<Phase>(['waiting', 'reversing', 'watching']);

/** Epoch ms at which something is to be asked next, or undefined while it is not to be asked at all. */
export function dueAt(ask: Probe, state: LifecycleState, asked: ProbeHistory, pace: Load): number | undefined {
  if (!isWanted(ask, state)) return undefined;
  const last = asked[ask];
  if (last === undefined) return firstAt(ask, state, pace);
  const next = last.at + interval(ask, state, last.tries, pace);
  if (ask !== 'status') return next;
  const milestone = statusMilestones(state).find((at) => at > last.at);
  return milestone === undefined ? next : Math.min(next, milestone);
}

/** The next moment after `now` at which time alone changes the state. */
export function nextTurningPoint(state: LifecycleState, now: number): number | undefined {
  const ahead = turningPoints(state).filter((time) => time !== undefined && time > now) as number[];
  return ahead.length === 0 ? undefined : Math.min(...ahead);
}

function turningPoints(state: LifecycleState): (number | undefined)[] {
  switch (state.phase) {
    case 'queued':
      return [state.startedAt + state.policies.busyWaitMs];
    case 'pausing':
      return [state.pausedUntil];
    case 'waiting':
      return waitingTurningPoints(state);
    case 'reversing':
      return [state.reversing === undefined ? undefined : state.reversing.since + REVERSAL_LIMIT];
    case 'watching':
      return [state.watchUntil];
    default:
      return [];
  }
}

function waitingTurningPoints(state: LifecycleState): (number | undefined)[] {
  const { terminal, attemptAt, stopWanted, policies, gateway } = state;
  const limit = attemptAt + RECOVERY_LIMIT;
  const approved = gateway?.meaning === 'approved' || gateway?.meaning === 'partial' || gateway?.meaning === 'failed';
  return [
    terminal?.meaning === 'partial' ? terminal.at + PARTIAL_PROMPT + STATUS_LAG : undefined,
    policies.deadlineMs !== undefined && !stopWanted ? deadlineOf(state) : undefined,
    approved ? limit : undefined,
    limit + STATUS_LAG + LAST_ANSWER,
  ];
}

function isWanted(ask: Probe, state: LifecycleState): boolean {
  const { phase, terminal, endedAt } = state;
  if (!UNSETTLED.has(phase)) return false;
  // What another service finds under our own id is true; nothing is to be done there, and its terminals say nothing.
  if (state.serviceChanged && ask !== 'poll' && ask !== 'status') return false;
  switch (ask) {
    case 'poll':
      return state.resultId !== undefined;
    case 'status':
      return state.traceable;
    case 'ping':
      return phase === 'waiting' && terminal === undefined && endedAt === undefined && state.gateway !== undefined;
    case 'stop':
      return phase === 'waiting' && state.stopWanted === true && terminal === undefined && endedAt === undefined;
    case 'reverse':
      return state.reversing !== undefined && (phase === 'reversing' || phase === 'watching');
  }
}

function firstAt(ask: Probe, state: LifecycleState, pace: Load): number {
  switch (ask) {
    case 'poll':
      return state.attemptAt + interval('poll', state, 0, pace);
    case 'status':
      return Math.min(state.attemptAt + interval('status', state, 0, pace), ...statusMilestones(state));
    case 'ping':
      return state.attemptAt + CARD_WINDOW - PING_LEAD;
    case 'stop':
    case 'reverse':
      return 0;
  }
}

/** Moments from which on the status service's answer means more than before. */
function statusMilestones(state: LifecycleState): number[] {
  const { endedAt, phase, terminal } = state;
  if (phase !== 'waiting') return [];
  const limit = state.attemptAt + RECOVERY_LIMIT;
  const ended = endedAt === undefined ? [] : [endedAt, endedAt + STATUS_LAG];
  const prompt = terminal?.meaning === 'partial' ? [terminal.at + PARTIAL_PROMPT + STATUS_LAG] : [];
  return [...ended, ...prompt, countedFrom(state) + CARD_WINDOW, limit, limit + STATUS_LAG].sort((a, b) => a - b);
}

function interval(ask: Probe, { phase }: LifecycleState, tries: number, { callbacksWork, open }: Load): number {
  if (phase === 'watching') return Math.min(30 * SECOND * 2 ** Math.min(tries, 10), 15 * MINUTE);
  const crowd = Math.max(1, open / FULL_PACE);
  switch (ask) {
    case 'poll':
      return Math.ceil((callbacksWork ? 12 : tries < 30 ? 4 : 8) * SECOND * crowd);
    case 'status':
      return Math.ceil((tries < 12 ? 10 : 20) * SECOND * crowd);
    case 'ping':
      return 15 * SECOND;
    case 'stop':
    case 'reverse':
      return 5 * SECOND;
  }
}
