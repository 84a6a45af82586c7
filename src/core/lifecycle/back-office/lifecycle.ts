import {
  LAST_ANSWER,
  RECOVERY_LIMIT,
  REFUND_AGE,
  STATUS_LAG,
  THROTTLE_LIMIT,
  THROTTLE_PAUSE,
  WATCH_LIMIT,
} from '../../base/timings.js';
import type { BackOfficeOperation } from '../../operation/back-office-order.js';
import { confirm, enqueueVerdict, markUndelivered, resume } from '../../operation/delivery-state.js';
import {
  NOT_CHARGED,
  NOT_STARTED,
  refused,
  SERVICE_CHANGED,
  type Source,
  UNKNOWN,
  type Verdict,
  verdictOf,
} from '../../operation/verdict.js';
import { RULES } from './rules.js';
import { type BackOfficeEvent, type BackOfficeState, type Failure, type Line, lineOf } from './state.js';
import { CLOSE_UNKNOWN, deniedVerdict, doneAs, doneBeforeVerdict, NOT_ANSWERED, REFUND_UNCERTAIN } from './verdicts.js';

/**
 * The life of one operation that needs no terminal: its answer is the result. Only a lost answer is a question, and
 * `rules.ts` says who answers it. Pure, like the lifecycle of terminal operations.
 */

export type BackOfficeEffect = 'prepare' | 'new-attempt' | 'save' | 'post' | 'deliver';

export interface BackOfficeStep {
  state: BackOfficeState;
  effects: readonly BackOfficeEffect[];
  /** What happened, for the timeline. */
  line?: Line;
}

/** How long a lost answer is tried again. */
const RETRY_FOR = 2 * 60_000;
const FIRST_PAUSE = 2000;
const LONGEST_PAUSE = 15_000;
/** Until the service has done what was sent, or never will. */
const REQUEST_LIFE = 60_000;
/** A person who waited for this long has gone. */
const STALE = 60_000;

export function beginBackOffice(
  operation: BackOfficeOperation,
  what: Pick<BackOfficeState, 'traceable' | 'originalAt' | 'partial' | 'notResendable'>,
  now: number,
): BackOfficeState {
  return { phase: 'preparing', operation, ...what, startedAt: now, sentAt: now, tries: 0 };
}

/** From this moment on the chain shows what the latest try did, if it did anything. */
export function provenFrom({ sentAt }: BackOfficeState): number {
  return sentAt + REQUEST_LIFE + STATUS_LAG;
}

/** When the flow has to be told, whatever is known. */
export function reconcilesUntil({ lostAt = 0 }: BackOfficeState): number {
  return lostAt + RECOVERY_LIMIT + LAST_ANSWER;
}

export function advance(before: BackOfficeState, event: BackOfficeEvent, now: number): BackOfficeStep {
  const state = event.type === 'restored' ? takeUp(before, event.serviceChanged, now) : before;
  switch (event.type) {
    case 'delivered':
      return keep({ ...state, pending: confirm(state.pending, event.sequence) });
    case 'stopping':
      return keep({ ...state, pending: markUndelivered(state.pending) });
    case 'cancel':
      return isUnsent(state) ? settle(state, CANCELLED, 'answer', 'cancelled') : keep({ ...state, stopWanted: true });
    case 'proof':
      return prove(state, event, now);
    case 'restored':
      if (state.serviceChanged && isOpenQuestion(state)) return giveUp(state, now);
      break;
    default:
  }
  switch (state.phase) {
    case 'preparing':
      return whilePreparing(state, event, now);
    case 'sending':
      return whileSending(state, event, now);
    case 'retrying':
      return whileRetrying(state, event, now);
    case 'reconciling':
      return now >= reconcilesUntil(state) ? giveUp(state, now) : keep(state);
    case 'watching':
      return now >= (state.watchUntil ?? 0)
        ? { state: { ...state, phase: 'closed' }, effects: ['save'], line: 'watch ends' }
        : keep(state);
    case 'closed':
      return keep(state);
  }
}

/**
 * The clock of an earlier life may have stood elsewhere: what was sent counts as sent just now, and what is timed ends no
 * later than it would from here. What was never sent keeps its time, so that it shows as too old.
 */
function takeUp(state: BackOfficeState, serviceChanged: boolean | undefined, now: number): BackOfficeState {
  const restored = { ...state, pending: resume(state.pending), serviceChanged: serviceChanged || undefined };
  if (isUnsent(state) || state.phase === 'closed') return restored;
  const { lostAt, nextAt, watchUntil } = state;
  return {
    ...restored,
    sentAt: now,
    ...(lostAt !== undefined && { lostAt: Math.min(lostAt, now) }),
    ...(nextAt !== undefined && { nextAt: Math.min(nextAt, now + LONGEST_PAUSE) }),
    ...(watchUntil !== undefined && { watchUntil: Math.min(watchUntil, now + WATCH_LIMIT) }),
  };
}

function isOpenQuestion(state: BackOfficeState): boolean {
  return !isUnsent(state) && state.phase !== 'watching' && state.phase !== 'closed';
}

/** Nothing of it has left, or what left was refused. */
function isUnsent({ phase, lostAt }: BackOfficeState): boolean {
  return lostAt === undefined && (phase === 'preparing' || phase === 'retrying');
}

function isTooOld({ startedAt }: BackOfficeState, now: number): boolean {
  return now < startedAt || now > startedAt + STALE;
}

function whilePreparing(state: BackOfficeState, event: BackOfficeEvent, now: number): BackOfficeStep {
  switch (event.type) {
    case 'turn':
      return { state, effects: ['prepare'] };
    case 'ready':
      return send(event.baseline === undefined ? state : { ...state, baseline: event.baseline }, now);
    case 'restored':
      return isTooOld(state, now) ? settle(state, NOT_STARTED, 'recovery', 'never begun') : keep(state);
    default:
      return keep(state);
  }
}

function whileSending(state: BackOfficeState, event: BackOfficeEvent, now: number): BackOfficeStep {
  switch (event.type) {
    case 'answered':
      if (event.approved) return settle(state, believed(state, doneAs(state.operation, event)), 'answer', 'done');
      return state.lostAt === undefined
        ? settle(state, deniedVerdict(event.error), 'answer', 'declined')
        : refuseAfterLoss(state, event.error, now);
    case 'withdrawn':
      return withdraw(state, now);
    case 'not-sent':
      return state.lostAt === undefined
        ? settle(state, { ...NOT_CHARGED, error: event.error }, 'answer', 'not sent')
        : lose(state, now);
    case 'refused':
      if (event.refusal === 'throttled' && now + THROTTLE_PAUSE <= state.startedAt + THROTTLE_LIMIT) {
        return retry(state, now + THROTTLE_PAUSE, 'throttled');
      }
      return state.lostAt === undefined ? refuse(state, event) : refuseAfterLoss(state, event.error, now);
    case 'answer-lost':
    case 'restored':
      return lose(state, now);
    default:
      return keep(state);
  }
}

function whileRetrying(state: BackOfficeState, event: BackOfficeEvent, now: number): BackOfficeStep {
  const isForgotten = event.type === 'restored' && state.lostAt === undefined && isTooOld(state, now);
  if (isForgotten) return settle(state, NOT_STARTED, 'recovery', 'never begun');
  const isDue = (event.type === 'tick' || event.type === 'restored') && now >= (state.nextAt ?? 0);
  return isDue ? send(state, now) : keep(state);
}

function send(state: BackOfficeState, now: number): BackOfficeStep {
  const sending: BackOfficeState = { ...state, phase: 'sending', sentAt: now, tries: state.tries + 1 };
  if (state.tries === 0) return { state: sending, effects: ['save', 'post'], line: 'sent' };
  return { state: sending, effects: ['new-attempt', 'save', 'post'], line: 'sent again' };
}

function retry(state: BackOfficeState, nextAt: number, line: Line): BackOfficeStep {
  return { state: { ...state, phase: 'retrying', nextAt }, effects: ['save'], line };
}

/** A lost answer is a question: sent again, looked for in the chain, or for a person to answer. */
function lose(before: BackOfficeState, now: number): BackOfficeStep {
  const state = { ...before, lostAt: before.lostAt ?? now };
  const { resend, read } = RULES[state.operation];
  const pause = Math.min(FIRST_PAUSE * 2 ** (state.tries - 1), LONGEST_PAUSE);
  if (resend && !state.notResendable && now + pause <= state.lostAt + RETRY_FOR) {
    return retry(state, now + pause, 'answer lost');
  }
  if (read) return settle(state, NOT_ANSWERED, 'answer', 'given up');
  return reconcileOrGiveUp(state, now);
}

/** Taken back before it was sent, which says nothing of an earlier try whose answer was lost. */
function withdraw(state: BackOfficeState, now: number): BackOfficeStep {
  const isQuestion = state.lostAt !== undefined && !RULES[state.operation].read;
  if (state.stopWanted)
    return isQuestion ? reconcileOrGiveUp(state, now) : settle(state, CANCELLED, 'answer', 'cancelled');
  if (isQuestion) return retry(state, now, 'put off');
  return { state: { ...state, phase: 'preparing' }, effects: ['save'], line: 'put off' };
}

function refuse(state: BackOfficeState, { refusal, error }: BackOfficeEvent & { type: 'refused' }): BackOfficeStep {
  return settle(state, refused(error), 'answer', 'refused', refusal === 'mistake');
}

/** After a lost answer a refusal, or a decline, may mean that the first try did it. */
function refuseAfterLoss(state: BackOfficeState, error: Failure | undefined, now: number): BackOfficeStep {
  if (RULES[state.operation].read && error) return settle(state, refused(error), 'answer', 'refused');
  return reconcileOrGiveUp({ ...state, refusal: error }, now);
}

/** A refusal says that it was done, by the first try or by somebody else, and as it was asked for. */
function wasDoneBefore({ operation, refusal, traceable, partial }: BackOfficeState): boolean {
  return refusal !== undefined && RULES[operation].doneBefore.includes(refusal.code) && !traceable && !partial;
}

/** A refund of what is too old is approved by the service, and may never reach the cardholder (spec: Limits). */
function believed({ operation, sentAt, originalAt, baseline }: BackOfficeState, done: Verdict): Verdict {
  const madeAt = originalAt ?? baseline?.originalAt ?? sentAt;
  return operation === 'moto/refund' && sentAt - madeAt > REFUND_AGE ? REFUND_UNCERTAIN : done;
}

/** Whether somebody can be asked what became of it. */
export function canReconcile({ traceable, baseline }: BackOfficeState): boolean {
  return traceable || baseline?.batch !== undefined;
}

function reconcileOrGiveUp(state: BackOfficeState, now: number): BackOfficeStep {
  if (!canReconcile(state)) return giveUp(state, now);
  return {
    state: { ...state, phase: 'reconciling' },
    effects: ['save'],
    line: lineOf('looks at the chain', state.baseline?.batch),
  };
}

function prove(
  state: BackOfficeState,
  { says, askedAt, ...shown }: BackOfficeEvent & { type: 'proof' },
  now: number,
): BackOfficeStep {
  if (state.phase !== 'reconciling' && state.phase !== 'watching') return keep(state);
  if (says === 'done') {
    return settle(state, believed(state, doneAs(state.operation, shown)), 'status', 'the chain shows it');
  }
  if (says === 'declined') return settle(state, verdictOf('sale', 'declined'), 'status', 'the chain shows a decline');
  if (says === 'absent' && !state.serviceChanged && !wasDoneBefore(state) && askedAt >= provenFrom(state)) {
    const verdict = state.refusal === undefined ? NOT_CHARGED : refused(state.refusal);
    return settle(state, verdict, 'status', 'the chain does not have it');
  }
  return state.phase === 'reconciling' && now >= reconcilesUntil(state) ? giveUp(state, now) : keep(state);
}

/** A person must look. What the chain shows within two days is a correction. */
function giveUp(state: BackOfficeState, now: number): BackOfficeStep {
  if (wasDoneBefore(state)) {
    return settle(state, doneBeforeVerdict(state.operation), 'recovery', `done before (${state.refusal?.code})`);
  }
  const told = settle(state, unknownOf(state), 'recovery', 'unknown');
  if (!canReconcile(state)) return told;
  const watchUntil = now + WATCH_LIMIT;
  return { ...told, state: { ...told.state, phase: 'watching', watchUntil } };
}

function unknownOf({ serviceChanged, refusal, notResendable }: BackOfficeState): Verdict {
  if (serviceChanged) return SERVICE_CHANGED;
  if (refusal !== undefined) return { ...UNKNOWN, error: refusal };
  return notResendable ? CLOSE_UNKNOWN : UNKNOWN;
}

const CANCELLED = verdictOf('sale', 'cancelled');

function settle(state: BackOfficeState, verdict: Verdict, source: Source, line: Line, mistake = false): BackOfficeStep {
  const debt = enqueueVerdict(state, { verdict, source, ...(mistake ? { mistake } : {}) });
  return {
    state: { ...state, phase: 'closed', ...debt },
    effects: ['save', 'deliver'],
    line: lineOf(line, state.baseline?.batch),
  };
}

function keep(state: BackOfficeState): BackOfficeStep {
  return { state, effects: [] };
}
