import {
  CARD_WINDOW,
  LAST_ANSWER,
  RECOVERY_LIMIT,
  REVERSAL_LIMIT,
  REVERSAL_PATIENCE,
  SECOND_LOOK,
  SETTLING_LAG,
  THROTTLE_LIMIT,
  THROTTLE_PAUSE,
  WATCH_GRACE,
} from '../../base/timings.js';
import { movesMoney, startsPayment } from '../../operation/kinds.js';
import type { Refusal } from '../../operation/refusal.js';
import { isNegative, type Meaning } from '../../operation/result-meaning.js';
import { type Guard as AnyGuard, all, any, not } from '../guard.js';
import { attemptsProvedBy, isLastAttempt, isUnprovable } from './attempts.js';
import { endedAttempts, someEarlier, unreadEarlier } from './earlier-attempts.js';
import type { LifecycleEvent } from './event.js';
import * as states from './state.js';
import {
  agedAt,
  countedFrom,
  deadlineOf,
  decidedFrom,
  type LifecycleState,
  needsStop,
  watchEndsFrom,
} from './state.js';
import { harmlessUntil } from './unanswered.js';

/** When a transition of an operation on a terminal fits. */

type Guard = AnyGuard<LifecycleState, LifecycleEvent>;

export const terminalSays =
  (...meanings: Meaning[]): Guard =>
  ({ terminal }) =>
    terminal !== undefined && meanings.includes(terminal.meaning);

/** After an approval that was a question its "no" is one as well: the gateway has to say which of the two is true. */
export const terminalDenies =
  (...meanings: Meaning[]): Guard =>
  (state, now, event) =>
    terminalSays(...meanings)(state, now, event) && !state.terminal?.claimed;

export const gatewaySays =
  (...meanings: Meaning[]): Guard =>
  ({ gateway }) =>
    gateway !== undefined && gateway.meaning !== 'none' && meanings.includes(gateway.meaning);

/** The whole chain was asked for when the terminal had ended, and everything about it had arrived. */
const chainIsComplete: Guard = (state) =>
  (state.gateway?.askedAt ?? 0) >= decidedFrom(state) && !someAreAbsentOnce(state);

/** What the status service says settles only once the terminal has ended: until then it may go on. */
export const gatewaySettles = (...meanings: Meaning[]): Guard => all(gatewaySays(...meanings), chainIsComplete);

export const refusedAs =
  (refusal: Refusal): Guard =>
  (_state, _now, event) =>
    event.type === 'refused' && event.refusal === refusal;

export const mayTryThrottledAgain: Guard = (state, now) => now + THROTTLE_PAUSE <= agedAt(state, THROTTLE_LIMIT);
/** The service has refused one key, and not yet the other. */
export const mayUseOtherKey: Guard = all(
  refusedAs('key'),
  ({ keyReplaced, stopWanted }) => !keyReplaced && !stopWanted,
);
export const pauseIsOver: Guard = ({ pausedUntil = 0 }, now) => now >= pausedUntil;
/** The cancel may have come while the request before was on its way, so that the next one does not leave, in this process or the next. */
export const isCancelledInPause: Guard = ({ phase, stopWanted, approvedEarlier }, _now, { type }) => {
  const isCancelled = stopWanted === true && approvedEarlier === undefined;
  return phase === 'pausing' && (type === 'cancel' || (isCancelled && (type === 'withdrawn' || type === 'restored')));
};
/** It was cancelled before this attempt left. */
export const isCancelledUnsent: Guard = ({ phase, stopWanted }, _now, { type }) =>
  phase === 'sending' && type === 'withdrawn' && stopWanted === true;
export const turnIsLost: Guard = (state, now) => states.turnIsLost(state, now);
/** The status service is asked whether another process has sent it. */
export const isUnasked: Guard = ({ unasked }) => unasked === true;
/** The cancel may have come while it was unasked, in this process or the one before. */
export const isCancelledInQueue: Guard = ({ phase, stopWanted }) => phase === 'queued' && stopWanted === true;
/** The rate limit decides when its request leaves. */
export const isLeaving: Guard = ({ leaving }) => leaving === true;
export const isStale: Guard = (state, now) => states.isStale(state, now);
/** The flow has set a deadline, and waits no longer. */
export const deadlineIsPast: Guard = (state, now) => now >= states.flowWaitsUntil(state);
export const isTraceable: Guard = (state) => states.canBeAsked(state);
export const isListening: Guard = ({ phase }) => phase === 'listening';
export const isBusy: Guard = ({ busy }) => busy !== undefined;
/** A request that was answered 429 may have begun all the same, and still wait for its card. */
export const throttledMayBegin: Guard = ({ throttled }, now) =>
  throttled !== undefined && now < throttled.at + RECOVERY_LIMIT;
/** An attempt was answered 429. */
export const throttledMet: Guard = ({ throttled }) => throttled !== undefined;
/** Of those that may have begun not every one has said by its own result that it charged nothing. */
const someAreUnended = (state: LifecycleState): boolean => {
  const { throttled, terminal, retries = 0 } = state;
  const isDenied = terminal !== undefined && isNegative(terminal.meaning);
  const isLatestOpen = (throttled?.after ?? retries) === retries && !isDenied;
  return endedAttempts(state).length < retries + (isLatestOpen ? 1 : 0);
};
/** An attempt that was answered 429 may have begun, and the status service does not know it by our reference: nobody can be asked. */
export const throttledUnseen: Guard = (state) =>
  state.throttled !== undefined && movesMoney(state.operation) && !states.canBeAsked(state) && someAreUnended(state);
/** An attempt before may have begun, so that "not done" is no news to tell at once. */
export const earlierMayHaveBegun: Guard = any(isTraceable, throttledUnseen);
export const endsWithAttempts: Guard = ({ ending }) => ending !== undefined;
export const hasEarlierAttempts: Guard = ({ retries = 0 }) => retries > 0;
/** Moves money or holds it, so that what it did is a question at all. */
export const isPayment: Guard = ({ operation }) => movesMoney(operation);
/** The terminal has said something of the latest attempt. */
export const hasOwnResult: Guard = ({ terminal }) => terminal !== undefined;
/** The same, whatever it says: one that is still in progress leaves nothing behind. */
export const showsOwnResult: Guard = any(
  hasOwnResult,
  (_state, _now, event) => event.type === 'terminal' && event.earlier === undefined,
);
export const isLast: Guard = (state) => isLastAttempt(state);
/** What kept the terminal busy has ended, and if it was ours, without a charge that the status service does not show. */
export const isFree: Guard = (state) => state.busy?.freeAt !== undefined && !isUnprovable(state);
/** Attempts of which one may have begun, and can be asked for. */
export const mayHaveBegun: Guard = all(isTraceable, any(isBusy, endsWithAttempts));
/** A stop of ours has ended it, so that it charged nothing and charges nothing any more. */
const wasStopped: Guard = all(isFree, ({ gateway }) => gateway?.meaning === 'cancelled');
const showsNothing: Guard = any(({ gateway }) => gateway?.meaning === 'none', wasStopped);
export const attemptWasFound: Guard = all(mayHaveBegun, ({ gateway }) => gateway !== undefined, not(showsNothing));
/** Nothing is told or sent before all of them were asked for. */
export const attemptsAreAbsent: Guard = any(
  not(mayHaveBegun),
  all(
    showsNothing,
    (state) => !state.serviceChanged && !isUnclear(state),
    ({ gateway, pausedUntil = 0 }) => (gateway?.askedAt ?? 0) >= pausedUntil,
  ),
);
/** That nobody has a record of them, two answers have to say: one may miss it. */
export const attemptsLeftNothing: Guard = all(
  attemptsAreAbsent,
  any(
    not(mayHaveBegun),
    all(wasStopped, (state) => !someAreAbsentOnce(state)),
    (state) => isAbsentTwice(state),
  ),
);
/** Where others use the terminal too a second charge cannot be ruled out, so that one look is enough before the next attempt. */
export const mayFollow: Guard = (state, now, event) =>
  (state.policies.exclusiveTerminal ? attemptsLeftNothing : attemptsAreAbsent)(state, now, event);
export const attemptsStayUnproven: Guard = all(mayHaveBegun, (state, now) => now >= attemptsProvedBy(state));
/** A result approves, or leaves open whether it does: that the status service knows nothing then proves nothing. */
const isUnclear = (state: LifecycleState): boolean => {
  const { meaning, isUnclear } = state.terminal ?? {};
  const wasCharged = meaning === 'approved' || meaning === 'partial' || meaning === 'returned';
  return isUnclear === true || state.saysEnd === true || wasCharged || unreadEarlier(state).length > 0;
};
/** The result of the only attempt. Where there are several, a result ends its own attempt and not the operation. */
export const onlyAttemptDenies =
  (...meanings: Meaning[]): Guard =>
  (state, now, event) =>
    not(hasEarlierAttempts)(state, now, event) && terminalDenies(...meanings)(state, now, event);

/**
 * A partial approval by callback is the end of it. One that was polled may still be the prompt: after it the terminal must
 * still say so, and the gateway, where it can, that the money was not given back. A result that the service keeps no longer
 * leaves the gateway alone.
 */
export const partialIsFinal: Guard = (state) => {
  const { terminal, gateway, traceable, goneAt = 0 } = state;
  if (terminal?.meaning !== 'partial') return false;
  const from = states.partialSettledFrom(state);
  if (from === undefined) return true;
  const isPolled = (terminal.askedAt ?? 0) >= from;
  const isInChain = (gateway?.meaning === 'approved' || gateway?.meaning === 'partial') && gateway.askedAt >= from;
  return traceable ? isInChain && (isPolled || goneAt >= from) : isPolled;
};

/** No attempt before the latest has a result of its own that may have been an approval. */
export const attemptsAreClear: Guard = (state) => !someEarlier(state, 'unclear');

/** Nothing has to be sent any more before it is told. */
export const isStopped: Guard = (state) => !needsStop(state);

/** It moves no money, and its terminal has not said in time how it ended. */
export const movedNothing: Guard = (state, now) => now >= (harmlessUntil(state) ?? Number.POSITIVE_INFINITY);

export const late: Guard = (state, now) => state.terminal?.isLate === true || now >= deadlineOf(state);
export const lateIsReversed: Guard = ({ policies }) => policies.lateApproval === 'reverse';
export const partialIsReversed: Guard = ({ policies }) => policies.partialApproval === 'reverse';
/**
 * A payment, once at most: a reversal that stayed unproven is looked after by the watch. Of what was done twice a reversal
 * takes back one, and the other one stays.
 */
export const canBeReversed: Guard = (state, now, event) =>
  isReversibleOnce(state, now, event) && states.mayTakeBack(state) && state.reversing === undefined;
/** The policy of the flow takes it back. */
export const lateGoesBack = all(terminalSays('approved'), late, lateIsReversed, canBeReversed);
/** The terminal can be asked no more how its question was answered, and the whole chain shows the part. */
const partialIsInChain = all(terminalSays('partial'), gatewaySettles('partial'));
export const partialGoesBack = all(any(partialIsFinal, partialIsInChain), partialIsReversed, canBeReversed);
/** Its transaction is named, or the status service can be asked for it. */
export const isReversible: Guard = ({ operation, transactionId = '', traceable }) =>
  startsPayment(operation) && (traceable || transactionId !== '');
/** What the chain shows may have been done by somebody else: it is nothing to take back, and no end. */
export const mayBeAnothers: Guard = ({ gateway }) => gateway?.mayBeAnothers === true;
const isReversibleOnce: Guard = all(isReversible, not(mayBeAnothers), ({ gateway }) => !gateway?.isTwice);
/** The journal may be a backup, and the process that went on after it has told and done what it does not know of. */
export const mayBeBackup: Guard = ({ mayBeBackup }) => mayBeBackup === true;
/** The process that went on may have taken back what the terminal approves: the chain, asked in this life, shows that it stands. */
export const approvalStands: Guard = (state) => !states.awaitsChain(state);
export const knowsWhat: Guard = (state) => states.knowsWhat(state);
export const whatIsOverdue: Guard = (state, now) => !states.canBeAsked(state) || now >= states.whatIsDue(state);
/** It works on an earlier payment, and no terminal takes that back. */
export const isChange: Guard = ({ operation, traceableBy }) => traceableBy === 'original' && !startsPayment(operation);
/** Nobody will ever say how it ended: there is nothing to poll, to wait for or to ask. */
export const hasNoWitness: Guard = (state) =>
  movesMoney(state.operation) && state.resultId === undefined && !state.hasCallback && !states.canBeAsked(state);
/** An attempt before the latest was approved. */
export const approvedEarlier: Guard = ({ approvedEarlier }) => approvedEarlier !== undefined;
export const isNotReversing: Guard = ({ reversing }) => reversing === undefined;

/** "No record", asked from then on, means that there is none: no card can be presented any more. Epoch ms. */
function absenceProvesFrom(state: LifecycleState): number {
  const { isProcessing, endedAt, offlineAt = 0 } = state;
  const limit = countedFrom(state) + RECOVERY_LIMIT;
  const isPending = isProcessing === true && endedAt === undefined && offlineAt < limit;
  return Math.max(countedFrom(state) + CARD_WINDOW, isPending ? Number.POSITIVE_INFINITY : decidedFrom(state));
}

/**
 * "No record" counts when it is asked for from then on: between two attempts, and after one that was refused beside an approval,
 * once what was sent shows; after a watch also where the terminal never said how it ended. Epoch ms.
 */
export function noneCountsFrom(state: LifecycleState): number {
  const { phase, pausedUntil = 0 } = state;
  if (phase === 'pausing') return pausedUntil;
  // Beside an approval that the flow is told, what the latest charges later still goes back. Where that approval goes back as well,
  // the flow hears that nothing was charged, which has to stay true.
  if (state.latestRefused && state.approvedEarlier) return countedFrom(state) + SETTLING_LAG;
  const from = absenceProvesFrom(state);
  return phase === 'watching' ? Math.min(from, watchEndsFrom(state)) : from;
}

/** The gateway had no record when that counted first; it may have been missing from that answer alone. */
export const isAbsentOnce = (state: LifecycleState): boolean =>
  state.gateway?.meaning === 'none' && state.gateway.askedAt >= noneCountsFrom(state);

/** It had none the second time either. */
function isAbsentTwice(state: LifecycleState): boolean {
  return isAbsentOnce(state) && isSecondLook(state);
}

function isSecondLook(state: LifecycleState): boolean {
  const { noneAt = 0, askedAt = 0 } = state.gateway ?? {};
  return noneAt >= noneCountsFrom(state) && askedAt >= noneAt + SECOND_LOOK;
}

/** One attempt shows, and the record of another may have been missing from that answer alone. */
export function someAreAbsentOnce(state: LifecycleState): boolean {
  return state.gateway?.othersAbsent === true && !isSecondLook(state);
}

/** "No record" of the status service would mean that there is none. */
const canTell: Guard = (state) => states.canBeAsked(state) && !state.serviceChanged && !isUnclear(state);
export const provenNotCharged = all(canTell, isAbsentTwice);

/** At the limit nothing can turn a FAILED of the gateway into an approval any more. */
export const provenFailed: Guard = all(
  gatewaySays('failed'),
  (state) => (state.gateway?.askedAt ?? 0) >= countedFrom(state) + RECOVERY_LIMIT + SETTLING_LAG,
  (state) => !someAreAbsentOnce(state),
);

/** No failure of what moves no money can turn into a charge. */
export const failedWithoutMoney: Guard = all(terminalSays('failed'), not(isPayment));

export const partIsLeft: Guard = ({ gateway }) => (gateway?.net ?? 0) > 0;
export const lastAnswerIsOverdue: Guard = (state, now) => now >= countedFrom(state) + RECOVERY_LIMIT + LAST_ANSWER;
/** Another process would have told it by now. */
export const isOverdueSinceRestart: Guard = ({ toldBy = Number.POSITIVE_INFINITY }, now) => now >= toldBy;
export const answerIsDue: Guard = (state, now) => now >= states.flowWaitsUntil(state) + LAST_ANSWER;
export const nothingReported: Guard = ({ reported }) => reported === undefined;
/** The watch has ended, and the status service was asked after its end, in this life of the process. */
export const watchHasLastAnswer: Guard = (state) => (state.gateway?.askedAt ?? 0) >= watchEndsFrom(state);
/** The same; where it had no record it was asked twice, as one answer may miss it. */
export const watchIsAnswered: Guard = all(
  watchHasLastAnswer,
  (state) => state.gateway?.meaning !== 'none' || isAbsentTwice(state),
);
/** The watch has ended, and nobody has answered its last question, or there is nobody to ask. */
export const watchIsOver: Guard = (state, now, event) =>
  now >= (hasNoWitness(state, now, event) ? (state.watchUntil ?? 0) : watchEndsFrom(state) + WATCH_GRACE);
export const reversalIsOverdue: Guard = ({ reversing }, now) => now >= (reversing?.since ?? 0) + REVERSAL_LIMIT;
/** The flow was told a "no" that is not final. */
export const reliesOnNo: Guard = ({ latest }) => latest?.verdict.moneyMoved === 'no' && !latest.verdict.final;
/** The flow relies on a "no" that has turned out wrong, and the reversal that would make it true again takes long. */
export const reversalTakesLong: Guard = all(
  reliesOnNo,
  ({ reversing }, now) => now >= (reversing?.since ?? 0) + REVERSAL_PATIENCE,
);
export const gatewayReversed: Guard = all(
  gatewaySays('cancelled', 'returned'),
  (state, now, event) => !partIsLeft(state, now, event),
  ({ gateway, reversing }) => (gateway?.askedAt ?? 0) >= (reversing?.since ?? 0),
);
/** The one that was asked cannot be asked any more. */
export const serviceHasChanged: Guard = ({ serviceChanged }) => serviceChanged === true;
export const reportedUnknown: Guard = ({ reported }) => reported === 'unknown';
/** What the flow was told last may still change, and it has not heard of an approval. */
export const approvalIsNews: Guard = ({ reported, latest }) =>
  reported !== 'provisional' && latest?.verdict.final === false;
/** The flow was told last that a person may have to look. */
export const reportedOpen: Guard = ({ reported }) => reported === 'unknown' || reported === 'provisional';
/** The latest attempt was approved as well as an earlier one. */
export const hasSecondApproval: Guard = any(
  terminalSays('approved'),
  partialIsFinal,
  gatewaySettles('approved', 'partial'),
  all(gatewaySettles('returned'), partIsLeft),
);
