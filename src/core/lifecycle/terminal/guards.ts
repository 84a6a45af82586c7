import {
  BUSY_PAUSE,
  CARD_WINDOW,
  LAST_ANSWER,
  PARTIAL_PROMPT,
  RECOVERY_LIMIT,
  REVERSAL_LIMIT,
  STALE_AFTER,
  STATUS_LAG,
  THROTTLE_LIMIT,
  THROTTLE_PAUSE,
} from '../../base/timings.js';
import { startsPayment } from '../../operation/kinds.js';
import type { Refusal } from '../../operation/refusal.js';
import type { Meaning } from '../../operation/result-meaning.js';
import { type Guard as AnyGuard, all, any } from '../guard.js';
import { countedFrom, deadlineOf, type LifecycleEvent, type LifecycleState } from './state.js';

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

/** What the status service says and the terminal does not go beyond any more. */
export const gatewaySettles = (...meanings: Meaning[]): Guard => {
  const says = gatewaySays(...meanings);
  return (state, now, event) =>
    says(state, now, event) &&
    (state.gateway?.mayGoOn !== true || state.endedAt !== undefined || limitPassed(state, now, event));
};

export const refusedAs =
  (refusal: Refusal): Guard =>
  (_state, _now, event) =>
    event.type === 'refused' && event.refusal === refusal;

export const mayTryBusyAgain: Guard = ({ startedAt, policies }, now) =>
  now + BUSY_PAUSE <= startedAt + policies.busyWaitMs;
export const mayTryThrottledAgain: Guard = ({ startedAt }, now) => now + THROTTLE_PAUSE <= startedAt + THROTTLE_LIMIT;
export const pauseIsOver: Guard = ({ pausedUntil = 0 }, now) => now >= pausedUntil;
export const turnIsLost: Guard = ({ startedAt, policies }, now) => now >= startedAt + policies.busyWaitMs;
/** The person who waited for it has gone: a payment must not begin long after it was asked for. */
export const isStale: Guard = ({ startedAt, policies }, now) =>
  now < startedAt || now > startedAt + Math.max(policies.busyWaitMs, STALE_AFTER);

/**
 * A partial approval by callback is the end of it. One that was polled may still be the prompt; after it the gateway,
 * where it can, must say that the money was not given back.
 */
export const partialIsFinal: Guard = ({ terminal, gateway, traceable }, now) => {
  if (terminal?.meaning !== 'partial') return false;
  if (terminal.via === 'callback') return true;
  const end = terminal.at + PARTIAL_PROMPT + STATUS_LAG;
  return traceable ? gateway !== undefined && gateway.meaning !== 'none' && gateway.askedAt >= end : now >= end;
};

export const late: Guard = (state, now) => now >= deadlineOf(state);
export const lateIsReversed: Guard = ({ policies }) => policies.lateApproval === 'reverse';
export const partialIsReversed: Guard = ({ policies }) => policies.partialApproval === 'reverse';
/** A payment, once at most: a reversal that stayed unproven is looked after by the watch. */
export const canBeReversed: Guard = ({ operation, transactionId = '', reversing }) =>
  startsPayment(operation) && transactionId !== '' && reversing === undefined;
export const isNotReversing: Guard = ({ reversing }) => reversing === undefined;

/** The gateway has no record, asked so late after the terminal's end that its lag is covered, and after 90 s. */
const terminalEndedWithout: Guard = (state) => {
  const { gateway, endedAt } = state;
  return (
    gateway?.meaning === 'none' &&
    endedAt !== undefined &&
    gateway.askedAt >= endedAt + STATUS_LAG &&
    gateway.askedAt >= countedFrom(state) + CARD_WINDOW
  );
};

/** The gateway has no record, asked when no terminal can still present a card. */
const limitPassedWithout: Guard = (state) =>
  state.gateway?.meaning === 'none' && state.gateway.askedAt >= countedFrom(state) + RECOVERY_LIMIT + STATUS_LAG;

/** Its "no record" would mean that there is none. */
const canTell: Guard = ({ traceable, serviceChanged }) => traceable && !serviceChanged;
export const provenNotCharged = all(canTell, any(terminalEndedWithout, limitPassedWithout));

/** The gateway's FAILED is believed once the terminal has nothing to add. */
export const provenFailed: Guard = all(
  gatewaySays('failed'),
  (state, now) => state.endedAt !== undefined || now >= countedFrom(state) + RECOVERY_LIMIT,
);

export const limitPassed: Guard = ({ attemptAt }, now) => now >= attemptAt + RECOVERY_LIMIT;
export const lastAnswerIsOverdue: Guard = ({ attemptAt }, now) =>
  now >= attemptAt + RECOVERY_LIMIT + STATUS_LAG + LAST_ANSWER;
export const watchIsOver: Guard = ({ watchUntil = 0 }, now) => now >= watchUntil;
export const reversalIsOverdue: Guard = ({ reversing }, now) => now >= (reversing?.since ?? 0) + REVERSAL_LIMIT;
export const gatewayReversed: Guard = all(
  gatewaySays('cancelled', 'returned'),
  ({ gateway, reversing }) => (gateway?.askedAt ?? 0) >= (reversing?.since ?? 0),
);
/** The one that was asked cannot be asked any more. */
export const serviceHasChanged: Guard = ({ serviceChanged }) => serviceChanged === true;
export const reportedUnknown: Guard = ({ reported }) => reported === 'unknown';
