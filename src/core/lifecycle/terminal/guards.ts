import {
  BUSY_PAUSE,
  CARD_WINDOW,
  LAST_ANSWER,
  PARTIAL_PROMPT,
  RECOVERY_LIMIT,
  REVERSAL_LIMIT,
  SETTLING_LAG,
  THROTTLE_LIMIT,
  THROTTLE_PAUSE,
  WATCH_GRACE,
} from '../../base/timings.js';
import { startsPayment } from '../../operation/kinds.js';
import type { Refusal } from '../../operation/refusal.js';
import type { Meaning } from '../../operation/result-meaning.js';
import { type Guard as AnyGuard, all, any } from '../guard.js';
import * as states from './state.js';
import {
  agedAt,
  busyProofEnds,
  countedFrom,
  deadlineOf,
  decidedFrom,
  harmlessUntil,
  type LifecycleEvent,
  type LifecycleState,
  needsStop,
  watchEndsFrom,
} from './state.js';

/** When a transition of an operation on a terminal fits. */

type Guard = AnyGuard<LifecycleState, LifecycleEvent>;

export const terminalSays =
  (...meanings: Meaning[]): Guard =>
  ({ terminal }) =>
    terminal !== undefined && meanings.includes(terminal.meaning);

export const gatewaySays =
  (...meanings: Meaning[]): Guard =>
  ({ gateway }) =>
    gateway !== undefined && gateway.meaning !== 'none' && meanings.includes(gateway.meaning);

/** The whole chain was asked for when the terminal had ended, and everything about it had arrived. */
const chainIsComplete: Guard = (state) => (state.gateway?.askedAt ?? 0) >= decidedFrom(state);

/** What the status service says settles only once the terminal has ended: until then it may go on. */
export const gatewaySettles = (...meanings: Meaning[]): Guard => all(gatewaySays(...meanings), chainIsComplete);

export const refusedAs =
  (refusal: Refusal): Guard =>
  (_state, _now, event) =>
    event.type === 'refused' && event.refusal === refusal;

export const mayTryBusyAgain: Guard = (state, now) => now + BUSY_PAUSE <= agedAt(state, state.policies.busyWaitMs);
export const mayTryThrottledAgain: Guard = (state, now) => now + THROTTLE_PAUSE <= agedAt(state, THROTTLE_LIMIT);
export const pauseIsOver: Guard = ({ pausedUntil = 0 }, now) => now >= pausedUntil;
export const turnIsLost: Guard = ({ startedAt, policies }, now) => now >= startedAt + policies.busyWaitMs;
export const isStale: Guard = (state, now) => states.isStale(state, now);
export const isTraceable: Guard = ({ traceable }) => traceable;
/** The pause is the last, only to ask what became of the attempts. */
export const isLastBusy: Guard = ({ busy, pausedUntil = 0 }) => busy !== undefined && pausedUntil <= busy.at;
export const attemptWasFound: Guard = ({ busy, gateway }) =>
  busy !== undefined && gateway !== undefined && gateway.meaning !== 'none';
/** 1001 may be about our own request that was sent twice: nothing is told or sent before all of them were asked for. */
export const attemptsAreAbsent: Guard = ({ busy, traceable, serviceChanged, gateway, pausedUntil = 0 }) =>
  busy === undefined ||
  !traceable ||
  (!serviceChanged && gateway?.meaning === 'none' && gateway.askedAt >= pausedUntil);
export const busyProofIsOverdue: Guard = (state, now) => state.busy !== undefined && now >= busyProofEnds(state);

/**
 * A partial approval by callback is the end of it. One that was polled may still be the prompt; after it the gateway,
 * where it can, must say that the money was not given back.
 */
export const partialIsFinal: Guard = ({ terminal, gateway, traceable }, now) => {
  if (terminal?.meaning !== 'partial') return false;
  if (terminal.via === 'callback') return true;
  const end = terminal.at + PARTIAL_PROMPT + SETTLING_LAG;
  return traceable ? gateway !== undefined && gateway.meaning !== 'none' && gateway.askedAt >= end : now >= end;
};

/** Nothing has to be sent any more before it is told. */
export const isStopped: Guard = (state) => !needsStop(state);

/** It moves no money, and its terminal has not said how it ended, nor that it is still at it. */
export const movedNothing: Guard = (state, now) => now >= (harmlessUntil(state) ?? Number.POSITIVE_INFINITY);

export const late: Guard = (state, now) => now >= deadlineOf(state);
export const lateIsReversed: Guard = ({ policies }) => policies.lateApproval === 'reverse';
export const partialIsReversed: Guard = ({ policies }) => policies.partialApproval === 'reverse';
/** A payment, once at most: a reversal that stayed unproven is looked after by the watch. */
export const canBeReversed: Guard = ({ operation, transactionId = '', reversing }) =>
  startsPayment(operation) && transactionId !== '' && reversing === undefined;
/** An attempt before the latest was approved. */
export const approvedEarlier: Guard = ({ approvedEarlier }) => approvedEarlier !== undefined;
export const isNotReversing: Guard = ({ reversing }) => reversing === undefined;

/** The gateway has no record, asked when no card can be presented any more and the status service has caught up. */
const hasNoRecord: Guard = (state) => {
  const { gateway, isProcessing, endedAt, offlineAt = 0 } = state;
  const limit = countedFrom(state) + RECOVERY_LIMIT;
  const isPending = isProcessing === true && endedAt === undefined && offlineAt < limit;
  const provenFrom = Math.max(
    countedFrom(state) + CARD_WINDOW,
    isPending ? Number.POSITIVE_INFINITY : decidedFrom(state),
  );
  return gateway?.meaning === 'none' && gateway.askedAt >= provenFrom;
};

/** Its "no record" would mean that there is none. */
const canTell: Guard = ({ traceable, serviceChanged, terminal }) =>
  traceable && !serviceChanged && !terminal?.isUnclear;
export const provenNotCharged = all(canTell, hasNoRecord);
export const gatewayHasNone = all(canTell, ({ gateway }) => gateway?.meaning === 'none');

/** At the limit nothing can turn a FAILED of the gateway into an approval any more. */
export const provenFailed: Guard = all(
  gatewaySays('failed'),
  (state) => (state.gateway?.askedAt ?? 0) >= countedFrom(state) + RECOVERY_LIMIT + SETTLING_LAG,
);

export const somethingWentBack: Guard = ({ gateway }) => (gateway?.net ?? 0) > 0;
export const lastAnswerIsOverdue: Guard = (state, now) => now >= countedFrom(state) + RECOVERY_LIMIT + LAST_ANSWER;
export const answerIsDue: Guard = (state, now) =>
  state.policies.deadlineMs !== undefined && now >= deadlineOf(state) + LAST_ANSWER;
export const nothingReported: Guard = ({ reported }) => reported === undefined;
/** The watch has ended, and the status service was asked after its end, in this life of the process. */
export const watchHasLastAnswer: Guard = (state) => (state.gateway?.askedAt ?? 0) >= watchEndsFrom(state);
/** The watch has ended, and nobody has answered its last question. */
export const watchIsOver: Guard = (state, now) => now >= watchEndsFrom(state) + WATCH_GRACE;
export const reversalIsOverdue: Guard = ({ reversing }, now) => now >= (reversing?.since ?? 0) + REVERSAL_LIMIT;
export const gatewayReversed: Guard = all(
  gatewaySays('cancelled', 'returned'),
  (state, now, event) => !somethingWentBack(state, now, event),
  ({ gateway, reversing }) => (gateway?.askedAt ?? 0) >= (reversing?.since ?? 0),
);
/** The one that was asked cannot be asked any more. */
export const serviceHasChanged: Guard = ({ serviceChanged }) => serviceChanged === true;
export const reportedUnknown: Guard = ({ reported }) => reported === 'unknown';
/** The latest attempt was approved as well as an earlier one. */
export const hasSecondApproval: Guard = any(
  terminalSays('approved'),
  partialIsFinal,
  gatewaySettles('approved', 'partial'),
);
