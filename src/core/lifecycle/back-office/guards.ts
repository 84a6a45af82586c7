import { SECOND_LOOK, WATCH_GRACE } from '../../base/timings.js';
import type { Proof } from '../chain/chain-evidence.js';
import { type Guard as AnyGuard, all, any, not } from '../guard.js';
import { RULES } from './rules.js';
import * as states from './state.js';
import { pauseAfter } from './updates.js';

/** When a transition of an operation that needs no terminal fits. */

type Guard = AnyGuard<states.BackOfficeState, states.BackOfficeEvent>;

export const isUnsent: Guard = (state) => states.isUnsent(state);
/** The journal may be a backup, and the process that went on after it has done what it does not know of. */
export const mayBeBackup: Guard = (_state, _now, event) => event.type === 'restored' && event.mayBeBackup === true;
/** The chain has what the journal calls unsent. */
export const isThere: Guard = (_state, _now, event) => event.type === 'ready' && event.baseline?.hasOwn === true;
/** Taken up unsent, and nobody has said yet whether another process has sent it: the journal may be a backup that is only minutes old. */
export const isUnasked: Guard = (state) =>
  states.isUnsent(state) && state.takenUp === true && state.traceable && !RULES[state.operation].read;
/** Nobody could say it in time. Between two tries that process has gone on at once. */
export const staysUnasked: Guard = (state, now, event) =>
  event.type === 'ready' ? isUnasked(state, now, event) : event.type === 'restored' && state.phase === 'retrying';
/** More would come back than was taken. */
export const givesTooMuch: Guard = ({ baseline }) => baseline?.isTooMuch === true;
export const isFirstTry: Guard = ({ tries }) => tries === 0;
/** The rate limit decides when its request leaves. */
export const isLeaving: Guard = ({ leaving }) => leaving === true;
export const pauseIsOver: Guard = ({ nextAt = 0 }, now) => now >= nextAt;
export const isStale: Guard = (state, now) => states.isStale(state, now);

export const isApproved: Guard = (_state, _now, event) => event.type === 'answered' && event.approved;
/** An answer, or what was found after a lost one, says that it was done. */
export const isDone: Guard = (state, now, event) => isApproved(state, now, event) || says('done')(state, now, event);
/** It was done, and may have released a hold, or given back money that somebody has captured. */
export const asksWhat: Guard = ({ mayBeHold }, _now, event) =>
  event.type === 'answered' && event.approved && mayBeHold !== undefined && event.takesBack === undefined;
export const originalIsUnknown: Guard = ({ mayBeHold }) => mayBeHold === 'unknown';
/** What was done is known; of a reversal that was answered, too, what it took back. */
export const knowsWhat: Guard = ({ answeredAt }, _now, event) =>
  answeredAt === undefined || (event.type === 'proof' && event.takesBack !== undefined);
export const isThrottledForNow: Guard = (state, now, event) => states.isThrottledForNow(state, event, now);
export const isRefusalOfCopy: Guard = (state, _now, event) => states.isRefusalOfCopy(state, event);
/** Nothing came of what was answered 429, and there is time for another try. */
export const mayFollowThrottled: Guard = (state, now) =>
  state.decline?.refusal === 'throttled' && !state.stopWanted && states.mayWaitForLimit(state, now);
export const mayUseOtherKey: Guard = (state, _now, event) => states.mayUseOtherKey(state, event);
export const stopWanted: Guard = (state) => state.stopWanted === true;

/** Nothing moves: what became of an earlier try is no question about money. */
export const isRead: Guard = ({ operation }) => RULES[operation].read === true;
/** The answer to an earlier try was lost, or to this one. */
export const answerWasLost: Guard = ({ lostAt }) => lostAt !== undefined;
/** An earlier try may have done it. */
export const isOpenQuestion: Guard = all(answerWasLost, not(isRead));

const mayBeSentAt = ({ notResendable, resendUntil, jumped = 0 }: states.BackOfficeState, at: number): boolean =>
  !notResendable && resendUntil !== undefined && at + jumped < resendUntil;
/** Doing it twice is doing it once, and there is time for it. */
export const mayResend: Guard = (state, now) => mayBeSentAt(state, now + pauseAfter(state.tries));
/** It has waited too long for its turn, or another life of the process has sent it. */
export const resendIsOver: Guard = all(isOpenQuestion, (state, now) => !mayBeSentAt(state, now));

/** Somebody can be asked what became of it. */
export const isTraceable: Guard = (state) => states.canReconcile(state);
/** A decline that only the chain can confirm. */
export const isToBeChecked: Guard = all(isTraceable, ({ decline }) => decline !== undefined);
export const reconciliationIsOver: Guard = (state, now) =>
  state.phase === 'reconciling' && now >= states.reconcilesUntil(state);
/** What was sent, or may have been, went to another service than is asked now. */
export const serviceHasChanged: Guard = (state, _now, { type }) =>
  type === 'restored' && state.serviceChanged === true && !states.isUnsent(state);
/** It was not sent, and is not meant for the service that would get it now. */
export const isMeantForAnother: Guard = (state) => state.serviceChanged === true && states.isUnsent(state);
/** What was asked what became of it says no more. */
export const mustReport: Guard = any(reconciliationIsOver, serviceHasChanged);
/** The watch has ended, and what shows it was asked after its end, in this life of the process. */
export const watchHasLastAnswer: Guard = (state, _now, event) =>
  event.type === 'proof' && event.askedAt >= states.watchEndsFrom(state);
/** The watch has ended, and its last question was not answered. */
export const watchIsOver: Guard = (state, now) => now >= states.watchEndsFrom(state) + WATCH_GRACE;

export const says =
  (...proofs: Proof['says'][]): Guard =>
  (_state, _now, event) =>
    event.type === 'proof' && proofs.includes(event.says);
/** What did not go through may still turn into an approval, for as long as what is absent may come. Against an approval it is no proof at all. */
export const cannotTurn: Guard = (state, _now, event) =>
  event.type === 'proof' && !state.approved && event.askedAt >= states.provenFrom(state);
/** Asked twice, late enough for what was sent to be there, and of the service that it was sent to; and it was never seen. */
export const absenceIsProof: Guard = (state, _now, event) =>
  event.type === 'proof' &&
  state.answeredAt === undefined &&
  !state.approved &&
  !state.baseline?.hasOwn &&
  !state.serviceChanged &&
  event.askedAt >= (state.absentAt ?? Number.POSITIVE_INFINITY) + SECOND_LOOK;
/** A refusal says that it was done, by the first try or by somebody else. */
export const wasDoneBefore: Guard = ({ operation, refusal, traceable }) =>
  refusal !== undefined && RULES[operation].doneBefore.includes(refusal.code) && !traceable;
