import { changed, withoutAbsent } from '../../base/objects.js';
import { LAST_ANSWER, LONGEST_RETRY_PAUSE, RETRY_FOR, THROTTLE_LIMIT, THROTTLE_PAUSE } from '../../base/timings.js';
import { confirm, markUndelivered, noteUnavailable, resume } from '../../operation/delivery-state.js';
import { toldAfterRestart } from '../told-by.js';
import { watchTakenUp } from '../watch-taken-up.js';
import { UNSETTLED } from './groups.js';
import { RULES } from './rules.js';
import {
  type BackOfficeEvent,
  type BackOfficeState,
  isRefusalOfCopy,
  isThrottledForNow,
  isUnsent,
  mayUseOtherKey,
  provenFrom,
  reconcilesUntil,
} from './state.js';

/** The issuer has had the request before: it declines the copy, and may have approved the request itself. */
const DUPLICATE = '94';

/** What an event teaches, whatever the phase. @param now epoch ms */
export function learn(state: BackOfficeState, event: BackOfficeEvent, now: number): BackOfficeState {
  switch (event.type) {
    case 'ready':
      return state.phase === 'preparing' && event.baseline !== undefined
        ? changed(state, { baseline: event.baseline, takenUp: undefined })
        : state;
    case 'answered':
      if (!event.approved) return noteDecline(state, event, now);
      return event.named ? { ...state, traceable: true } : state;
    case 'refused':
      if (state.lostAt === undefined && isRefusalOfCopy(state, event))
        return { ...state, decline: { at: now, error: event.error, refusal: event.refusal } };
      return isThrottledForNow(state, event, now) || mayUseOtherKey(state, event)
        ? state
        : noteRefusal(state, event.error);
    case 'withdrawn':
    case 'not-sent':
      return { ...state, leaving: undefined };
    case 'answer-lost':
      return { ...loseAnswer(state, now), ...(event.approves && { approved: event.approves }) };
    case 'proof':
      return noteProof(state, event);
    case 'restored':
      return takeUp(state, event, now);
    case 'cancel':
      return { ...state, stopWanted: true };
    case 'delivered':
      return { ...state, pending: confirm(state.pending, event.sequence) };
    case 'unavailable':
      return { ...state, ...noteUnavailable(state) };
    case 'stopping':
      return { ...state, pending: markUndelivered(state.pending) };
    default:
      return state;
  }
}

/** A decline that the chain has to confirm; after a lost answer it says no more than a refusal. */
function noteDecline(
  state: BackOfficeState,
  { error, needsChange }: Extract<BackOfficeEvent, { type: 'answered'; approved: false }>,
  now: number,
): BackOfficeState {
  const isChecked = RULES[state.operation].checksDecline || error.code === DUPLICATE;
  if (state.lostAt !== undefined || !isChecked) return noteRefusal(state, error);
  return { ...state, decline: { at: now, error, ...(needsChange && { needsChange }) } };
}

/** After a lost answer a refusal, or a decline, may mean that the first try did it. */
function noteRefusal(state: BackOfficeState, refusal: BackOfficeState['refusal']): BackOfficeState {
  return state.lostAt === undefined ? state : { ...state, refusal };
}

function noteProof(
  state: BackOfficeState,
  { says, askedAt, left, originalAt }: BackOfficeEvent & { type: 'proof' },
): BackOfficeState {
  const from = provenFrom(state);
  const before = (state.absentAt ?? 0) >= from ? state.absentAt : undefined;
  const first = before ?? (askedAt >= from ? askedAt : undefined);
  const shownAt = state.isLinkedRefund ? originalAt : undefined;
  return { ...state, absentAt: says === 'absent' ? first : undefined, left, ...withoutAbsent({ shownAt }) };
}

function loseAnswer(state: BackOfficeState, now: number): BackOfficeState {
  return { ...state, lostAt: now };
}

/**
 * The clock of an earlier life may have stood elsewhere: a lost answer counts as lost just now, and what is timed ends no
 * later than it would from here. What was never sent keeps its time, so that it shows as too old. Money is not sent again
 * in another life: nobody knows what has been done about it since.
 */
function takeUp(
  state: BackOfficeState,
  { serviceChanged, mayBeBackup }: BackOfficeEvent & { type: 'restored' },
  now: number,
): BackOfficeState {
  // What was answered 429 is sent again once the chain shows nothing of it.
  const isToFollow = UNSETTLED.includes(state.phase) || state.decline?.refusal === 'throttled';
  const mayHaveFollowed = mayBeBackup && isToFollow && state.phase !== 'closed';
  const restored = {
    ...state,
    pending: resume(state.pending),
    leaving: undefined,
    absentAt: undefined,
    serviceChanged: serviceChanged || undefined,
    // One more with the other key.
    ...(mayHaveFollowed && { unknownAttempts: Math.ceil(THROTTLE_LIMIT / THROTTLE_PAUSE) + 1 }),
  };
  if (isUnsent(state)) return { ...restored, takenUp: true };
  if (state.phase === 'closed') return restored;
  const { lostAt, nextAt, watchUntil } = state;
  const past = {
    ...restored,
    resendUntil: RULES[state.operation].read ? now + RETRY_FOR : undefined,
    ...(lostAt !== undefined && { lostAt: now }),
    // A proof begins anew; that nobody can say needs none, however often the process dies.
    ...(state.phase === 'reconciling' && { toldBy: toldAfterRestart(reconcilesUntil(state), now, LAST_ANSWER) }),
    ...(state.answeredAt !== undefined && { answeredAt: now }),
    ...(state.decline !== undefined && { decline: { ...state.decline, at: now } }),
    ...(nextAt !== undefined && { nextAt: Math.min(nextAt, now + LONGEST_RETRY_PAUSE) }),
    ...(watchUntil !== undefined && { watchUntil: watchTakenUp(watchUntil, now) }),
  };
  // Its answer went to the process that has gone.
  return state.phase === 'sending' ? loseAnswer(past, now) : past;
}
