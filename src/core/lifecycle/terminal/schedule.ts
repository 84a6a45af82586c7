import {
  ANOTHER_TRY,
  CARD_WINDOW,
  LAST_ANSWER,
  RECOVERY_LIMIT,
  REVERSAL_LIMIT,
  REVERSAL_PATIENCE,
  SECOND_LOOK,
  SETTLING_LAG,
  STOP_BEFORE_END,
  WATCH_GRACE,
} from '../../base/timings.js';
import { attemptsProvedBy, stopsWhileBusy } from './attempts.js';
import { earlierAllowReversal, earlierAskedFrom, othersAskedUntil } from './earlier-attempts.js';
import { isAbsentOnce, noneCountsFrom, someAreAbsentOnce } from './guards.js';
import { laterLookUntil, looksLater } from './later-look.js';
import {
  awaitsChain,
  canBeAsked,
  countedFrom,
  decidedFrom,
  flowWaitsUntil,
  knowsWhat,
  type LifecycleState,
  needsStop,
  type Phase,
  partialSettledFrom,
  watchEndsFrom,
  whatIsDue,
} from './lifecycle.js';
import { harmlessUntil, unknownFrom } from './unanswered.js';

/**
 * What is asked while an operation is unsettled, and when. Pure, like the lifecycle: the engine asks what is due and
 * sets one timer for the next moment at which anything is.
 */

export type Probe = 'poll' | 'status' | 'earlier' | 'stop' | 'reverse';

export const PROBES: readonly Probe[] = ['poll', 'status', 'earlier', 'stop', 'reverse'];

/** How often and when each thing was asked, in this process; `isLost`: the last time without an answer. */
export type ProbeHistory = Partial<Record<Probe, { tries: number; at: number; isLost?: boolean }>>;

/** What the engine knows beyond one operation. */
export interface Load {
  /** A callback has arrived at this address before, so polls are only a safety net. */
  callbacksWork: boolean;
  /** Operations that ask at the moment. */
  open: number;
}

const NEVER = Number.POSITIVE_INFINITY;
const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** So many operations may ask at full pace; beyond, all of them ease off in proportion. */
const FULL_PACE = 20;
/** The pause between two of the last questions of a watch, as long as they stay without an answer. */
const LAST_QUESTION_PAUSE = MINUTE;
/** The pause between two questions for what a reversal took back. */
const WHAT_PAUSE = 2 * SECOND;
const UNSETTLED: ReadonlySet<Phase> = new Set<Phase>(['waiting', 'listening', 'reversing', 'watching']);

/** Epoch ms at which something is to be asked next, or undefined while it is not to be asked at all. */
export function dueAt(ask: Probe, state: LifecycleState, asked: ProbeHistory, pace: Load): number | undefined {
  if (!isWanted(ask, state)) return undefined;
  const next = nextAt(ask, state, asked[ask], pace);
  return ask === 'status' && pollsSuffice(state) ? Math.max(next, overdueFrom(state)) : next;
}

function nextAt(ask: Probe, state: LifecycleState, last: ProbeHistory[Probe], pace: Load): number {
  if (last === undefined) return firstAt(ask, state, pace);
  const isLastQuestion = state.phase === 'watching' && last.at >= watchEndsFrom(state);
  // A second look follows the first at once. What left the end open is asked again later.
  const from = ask === 'earlier' ? (earlierAskedFrom(state) ?? 0) : 0;
  const { askedAt = 0, meaning } = state.earlier ?? {};
  const staysOpen = isLastQuestion && meaning === 'undefined';
  if (ask === 'earlier' && askedAt >= last.at && !staysOpen) return from;
  if (isLastQuestion) return last.at + LAST_QUESTION_PAUSE;
  const next = last.at + interval(ask, state, last.tries, pace);
  if (ask === 'earlier') return Math.max(next, from);
  if (ask === 'status' && asksWhat(state)) return Math.min(next, last.at + WHAT_PAUSE);
  // What began after the flow was told "busy" has to be corrected soon, also where an answer is lost.
  const isSoon = asksOnceMore(state) || (state.phase === 'listening' && last.isLost === true);
  if (ask === 'status' && isSoon) return Math.min(next, last.at + SECOND_LOOK);
  const milestones =
    ask === 'status' ? statusMilestones(state) : ask === 'poll' ? [partialSettledFrom(state) ?? 0] : [];
  const milestone = milestones.find((at) => at > last.at);
  return milestone === undefined ? next : Math.min(next, milestone);
}

/** The terminal answers that it is still at it, so the status service cannot know more, and its question would cost a turn. */
function pollsSuffice({ phase, isProcessing, stopWanted, endedAt, gateway }: LifecycleState): boolean {
  const hasRecord = gateway !== undefined && gateway.meaning !== 'none';
  return phase === 'waiting' && isProcessing === true && !stopWanted && endedAt === undefined && !hasRecord;
}

/** From when on a payment takes longer than cardholders do, or than the flow wanted to wait. */
function overdueFrom(state: LifecycleState): number {
  return Math.min(countedFrom(state) + CARD_WINDOW, flowWaitsUntil(state));
}

/** The first moment after `tickedAt` at which time alone changes the state; it may have passed. All epoch ms. */
export function nextTurningPoint(state: LifecycleState, tickedAt: number): number | undefined {
  const ahead = turningPoints(state).filter((time = NEVER) => time > tickedAt && time < NEVER) as number[];
  return ahead.length === 0 ? undefined : Math.min(...ahead);
}

function turningPoints(state: LifecycleState): (number | undefined)[] {
  switch (state.phase) {
    case 'queued':
      return [state.startedAt + state.policies.busyWaitMs, flowWaitsUntil(state)];
    case 'pausing':
      return [state.pausedUntil, attemptsProvedBy(state), flowWaitsUntil(state), flowWaitsUntil(state) + LAST_ANSWER];
    case 'waiting':
      return waitingTurningPoints(state);
    case 'listening':
      return [decidedFrom(state), countedFrom(state) + RECOVERY_LIMIT + LAST_ANSWER];
    case 'reversing':
      return reversingTurningPoints(state);
    case 'watching':
      return [watchEndsFrom(state), watchEndsFrom(state) + WATCH_GRACE];
    case 'closed':
      return looksLater(state) ? [laterLookUntil(state)] : [];
    default:
      return [];
  }
}

function reversingTurningPoints(state: LifecycleState): number[] {
  const { reversing } = state;
  if (reversing === undefined) return [];
  return [
    reversing.since + REVERSAL_PATIENCE,
    reversing.since + REVERSAL_LIMIT,
    flowWaitsUntil(state) + LAST_ANSWER,
    ...(reversing.isBack ? [othersAskedUntil(state)] : []),
  ];
}

function waitingTurningPoints(state: LifecycleState): (number | undefined)[] {
  const { stopWanted, mayBeBackup, terminal } = state;
  return [
    // The result of what another process has sent settles as soon as it is taken up.
    mayBeBackup ? terminal?.at : undefined,
    terminal?.meaning === 'approved' ? whatIsDue(state) : undefined,
    partialSettledFrom(state),
    stopWanted ? undefined : flowWaitsUntil(state),
    flowWaitsUntil(state) + LAST_ANSWER,
    unknownFrom(state),
    countedFrom(state) + RECOVERY_LIMIT + LAST_ANSWER,
  ];
}

function isWanted(ask: Probe, state: LifecycleState): boolean {
  const { phase, terminal, endedAt } = state;
  if (phase === 'pausing') {
    // Before the next attempt, and before the flow hears "not done".
    const isAsked = canBeAsked(state) && (state.busy !== undefined || state.ending !== undefined);
    return ask === 'status' ? isAsked : ask === 'stop' && stopsWhileBusy(state);
  }
  if (looksLater(state)) return ask === 'earlier' && !state.serviceChanged;
  if (!UNSETTLED.has(phase)) return false;
  // What another service finds under our own id is true; nothing is to be done there, and its terminals say nothing.
  if (state.serviceChanged && ask !== 'poll' && ask !== 'status') return false;
  switch (ask) {
    case 'poll':
      return state.resultId !== undefined && state.reversing?.second === undefined;
    case 'status':
      return canBeAsked(state) && state.reversing?.second === undefined;
    case 'earlier':
      return earlierAskedFrom(state) !== undefined;
    case 'stop':
      return phase === 'waiting' && (needsStop(state) || (terminal === undefined && endedAt === undefined));
    case 'reverse':
      // Once a person must look, a reversal of ours could come on top of theirs.
      return (
        phase === 'reversing' && !state.mayBeBackup && state.reversing?.isBack !== true && earlierAllowReversal(state)
      );
  }
}

/** The terminal has confirmed a reversal, and the flow waits for what it took back. */
function asksWhat(state: LifecycleState): boolean {
  return state.phase === 'waiting' && state.terminal?.meaning === 'approved' && !knowsWhat(state);
}

/** One look that counts has missed a record: the second follows soon. One that does not count yet needs none. */
function asksOnceMore(state: LifecycleState): boolean {
  const { phase, gateway: { askedAt = 0 } = {} } = state;
  return (
    (phase === 'waiting' || phase === 'listening' || phase === 'pausing') &&
    (isAbsentOnce(state) || (someAreAbsentOnce(state) && askedAt >= noneCountsFrom(state)))
  );
}

function firstAt(ask: Probe, state: LifecycleState, pace: Load): number {
  switch (ask) {
    case 'poll':
      return state.attemptAt + interval('poll', state, 0, pace);
    case 'status':
      if (state.phase === 'pausing') return state.pausedUntil ?? 0;
      if (asksWhat(state)) return 0;
      return Math.min(state.attemptAt + interval('status', state, 0, pace), ...statusMilestones(state));
    case 'earlier':
      return earlierAskedFrom(state) ?? 0;
    case 'stop':
      return state.phase === 'pausing' ? 0 : stopsFrom(state);
    case 'reverse':
      return 0;
  }
}

/**
 * A stop is asked for by a cancel or a deadline; without our own result, when it can prove the end of the operation; and
 * at the recovery limit, where the terminal is still at it. What moves no money makes room before its end.
 */
function stopsFrom(state: LifecycleState): number {
  const { stopWanted, isProcessing, resultId, gateway, policies } = state;
  if (stopWanted || needsStop(state)) return 0;
  const harmless = harmlessUntil(state);
  const limit = harmless === undefined ? countedFrom(state) + RECOVERY_LIMIT : harmless - STOP_BEFORE_END;
  if (isProcessing || !policies.exclusiveTerminal) return limit;
  const window = countedFrom(state) + CARD_WINDOW;
  if (gateway !== undefined && gateway.meaning !== 'none') {
    return Math.max(window, gateway.declinedAt === undefined ? 0 : gateway.declinedAt + ANOTHER_TRY);
  }
  return resultId === undefined ? window : limit;
}

/** Moments from which on the status service's answer means more than before. */
function statusMilestones(state: LifecycleState): number[] {
  const { endedAt, phase, terminal } = state;
  const limit = countedFrom(state) + RECOVERY_LIMIT;
  const said = terminal !== undefined && awaitsChain(state) ? [terminal.at, decidedFrom(state)] : [];
  if (phase === 'watching')
    return [...said, ...(isFailedSoFar(state) ? [limit + SETTLING_LAG] : []), watchEndsFrom(state)];
  if (phase === 'pausing') return [state.pausedUntil ?? 0];
  if (phase === 'listening') return [...said, decidedFrom(state)];
  if (phase !== 'waiting') return [];
  const prompt = partialSettledFrom(state);
  const ended = endedAt === undefined ? [] : [endedAt + SETTLING_LAG];
  return [
    ...said,
    ...ended,
    ...(prompt === undefined ? [] : [prompt]),
    countedFrom(state) + CARD_WINDOW,
    limit + SETTLING_LAG,
  ].sort((a, b) => a - b);
}

/** The flow has heard of the failure, and waits to hear that it is final. */
function isFailedSoFar({ phase, gateway }: LifecycleState): boolean {
  return phase === 'watching' && gateway?.meaning === 'failed';
}

function interval(ask: Probe, state: LifecycleState, tries: number, { callbacksWork, open }: Load): number {
  const { phase, gateway } = state;
  if (phase === 'watching' || phase === 'closed') {
    const most = isFailedSoFar(state) ? MINUTE : 15 * MINUTE;
    return Math.min(30 * SECOND * 2 ** Math.min(tries, 10), most);
  }
  const crowd = Math.max(1, open / FULL_PACE);
  switch (ask) {
    case 'poll':
      // Once the gateway has a record the terminal's own result cannot be far.
      if (gateway !== undefined && gateway.meaning !== 'none') return Math.ceil(4 * SECOND * crowd);
      return Math.ceil((callbacksWork ? 12 : tries < 30 ? 4 : 8) * SECOND * crowd);
    case 'status':
    case 'earlier':
      return Math.ceil((tries < 12 || phase === 'listening' ? 10 : 20) * SECOND * crowd);
    case 'stop':
    case 'reverse':
      return 5 * SECOND;
  }
}
