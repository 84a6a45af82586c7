import type { TransactionOperation } from '../../api/schema/operation-rules.js';
import {
  CARD_WINDOW,
  LAST_ANSWER,
  RECOVERY_LIMIT,
  SETTLING_LAG,
  STALE_AFTER,
  STOP_AFTER_SIGN,
} from '../../base/timings.js';
import type { PendingDelivery } from '../../operation/delivery-state.js';
import { movesMoney } from '../../operation/kinds.js';
import type { Policies } from '../../operation/order.js';
import type { Refusal } from '../../operation/refusal.js';
import type { Meaning, Reading } from '../../operation/result-meaning.js';
import type { ReversalReason, Verdict } from '../../operation/verdict.js';

/** What the lifecycle knows of an operation, what may happen to it, and what it asks to be done. */

export type Phase =
  /** Recorded; the engine's own earlier operation still holds the terminal. Nothing was sent. */
  | 'queued'
  /** The request is on its way, or was when the process died. */
  | 'sending'
  /** Certainly refused for now (busy, 429); the next attempt follows. */
  | 'pausing'
  /** The terminal may be charging: wait for the truth from callback, poll and status service. */
  | 'waiting'
  /** An approval is being taken back by the flow's policy. */
  | 'reversing'
  /** The flow was told "unknown" or "provisional"; a slow watch looks for the truth. */
  | 'watching'
  | 'closed';
export type LifecycleEvent =
  /** The terminal is free for this operation. */
  | { type: 'turn' }
  | { type: 'accepted'; resultId?: string }
  | { type: 'refused'; refusal: Refusal; error: NonNullable<Verdict['error']>; needsChange?: true }
  | { type: 'not-sent'; error: NonNullable<Verdict['error']> }
  /** The request was taken back while it still waited for the rate limit: by a cancel, or because this engine stops. */
  | { type: 'withdrawn' }
  | { type: 'answer-lost' }
  /** The process died, or the engine was replaced; this one takes the operation up from the journal. */
  | { type: 'restored'; serviceChanged?: boolean }
  /** `earlier`: the reference of an attempt before the latest, where it is about that one. */
  | ({
      type: 'terminal';
      via: 'callback' | 'poll';
      transactionId?: string;
      earlier?: string;
      needsChange?: true;
    } & Reading)
  /** What the whole chain under our reference shows. */
  | {
      type: 'gateway';
      meaning: Meaning | 'none';
      askedAt: number;
      transactionId?: string;
      net?: number;
      needsChange?: true;
    }
  /** The terminal is still at it: a poll was answered 204. */
  | { type: 'processing' }
  /** The service does not know the result id any more: that proves nothing, but nobody waits for its result either. */
  | { type: 'result-gone' }
  /** A stop was answered with 1005: nothing runs on the terminal. */
  | { type: 'idle'; askedAt: number }
  /** The stop after a keyed entry was sent, whatever its answer. */
  | { type: 'stop-tried' }
  /** A stop was answered with 1002: the terminal is offline. */
  | { type: 'offline'; askedAt: number }
  | { type: 'cancel' }
  | { type: 'reversed' }
  /** A person has dealt with it, so that nothing may be reversed any more. */
  | { type: 'handled' }
  /** The flow has been handed the verdict that was owed under this number. */
  | { type: 'delivered'; sequence: number }
  /** The flow was told that the journal cannot be written. */
  | { type: 'unavailable' }
  /** This engine stops in good order, so what is still owed was certainly not handed over. */
  | { type: 'stopping' }
  | { type: 'tick' };

export type EventType = LifecycleEvent['type'];

/** What the engine does for a row, in this order; `save` is awaited before what follows it. */
export type Effect = 'new-attempt' | 'save' | 'post' | 'deliver' | 'late';

/** An attempt that the terminal approved after it was taken for refused. */
export interface ApprovedAttempt {
  reference: string;
  meaning: 'approved' | 'partial';
  via: 'callback' | 'poll';
  transactionId?: string;
}

/** JSON-safe: it lives in the journal. All times epoch ms. */
export interface LifecycleState {
  phase: Phase;
  operation: TransactionOperation;
  policies: Policies;
  /** The status service can know this operation by our reference; where it cannot, its "not found" proves nothing. */
  traceable: boolean;
  /** When the message entered. */
  startedAt: number;
  /** When the latest attempt was answered, or its answer was given up: the request left no later than that. */
  attemptAt: number;
  /** How far the wall clock has jumped ahead in this life, ms: passed for what must not be late, and nothing for a proof. */
  jumped?: number;
  /** The same when the latest attempt was answered. */
  jumpedBefore?: number;
  /** When this engine took it up from an earlier one. */
  restoredAt?: number;
  /** It was sent to another service than this engine drives, which may know nothing of it. */
  serviceChanged?: boolean;
  pausedUntil?: number;
  /** The latest attempt was refused because the terminal is busy, perhaps with an attempt of ours that was sent twice. */
  busy?: { at: number; error: NonNullable<Verdict['error']> };
  /** `needsChange`: what was declined or failed will be again until something is changed. */
  terminal?: Reading & { via: 'callback' | 'poll'; at: number; needsChange?: true };
  /** The approval of an attempt before the latest, which is the operation's: what the latest charged has to go back. */
  approvedEarlier?: ApprovedAttempt;
  /** `net`: what is left of a payment of which some went back, minor units. `declinedAt`: since when it shows a decline. */
  gateway?: { meaning: Meaning | 'none'; askedAt: number; net?: number; declinedAt?: number; needsChange?: true };
  /** When the terminal was first known to have the request. */
  signAt?: number;
  /** The latest poll said that the terminal is still at it. */
  isProcessing?: boolean;
  /** When a stop found the terminal offline. */
  offlineAt?: number;
  /** From this moment on nothing of this operation runs on the terminal, and nothing is on its way from it to the gateway. */
  endedAt?: number;
  stopWanted?: boolean;
  /** After a keyed entry that was cancelled, a stop was sent. */
  stopTried?: boolean;
  resultId?: string;
  transactionId?: string;
  reversing?: { reason: ReversalReason; since: number };
  watchUntil?: number;
  /** A contradiction of what was final has been reported. */
  alarmed?: true;
  /** What the flow was told last. */
  reported?: Verdict['outcome'];
  /** The error that this was because of. */
  reportedError?: Verdict['error'];
  deliveries?: number;
  pending?: PendingDelivery;
}

/** The state of a new operation whose terminal is free. */
export function begin(
  operation: TransactionOperation,
  policies: Policies,
  traceable: boolean,
  now: number,
): LifecycleState {
  return { phase: 'sending', operation, policies, traceable, startedAt: now, attemptAt: now };
}

/** From here on time passed by one clock, and certainly after the request had left. Epoch ms. */
export function countedFrom({ attemptAt, restoredAt = 0 }: LifecycleState): number {
  return Math.max(attemptAt, restoredAt);
}

/**
 * A stop asked from this moment on, and answered that nothing runs, proves the end of the operation: the terminal has the
 * request by then, or never will. Epoch ms.
 */
export function stopProvesFrom(state: LifecycleState): number {
  const { signAt } = state;
  return signAt === undefined
    ? countedFrom(state) + CARD_WINDOW
    : Math.max(signAt, countedFrom(state)) + STOP_AFTER_SIGN;
}

/** When nothing of the operation can run on the terminal any more: proved, or at the recovery limit. Epoch ms. */
export function endOf(state: LifecycleState): number {
  return state.endedAt ?? countedFrom(state) + RECOVERY_LIMIT;
}

/**
 * From this moment on the status service shows all that the operation did. A terminal that does not know the outcome
 * itself goes on trying to learn it, so that the limit counts. Epoch ms.
 */
export function decidedFrom(state: LifecycleState): number {
  const end = state.terminal?.meaning === 'undefined' ? countedFrom(state) + RECOVERY_LIMIT : endOf(state);
  return end + SETTLING_LAG;
}

/** Until then the status service has to say what became of attempts that were refused as busy. Epoch ms. */
export function busyProofEnds({ busy, startedAt, policies }: LifecycleState): number {
  return Math.max(busy?.at ?? 0, startedAt + policies.busyWaitMs) + LAST_ANSWER;
}

/** When an operation that moves no money ends without an answer; undefined for what moves money. Epoch ms. */
export function harmlessUntil(state: LifecycleState): number | undefined {
  if (movesMoney(state.operation)) return undefined;
  if (state.isProcessing) return countedFrom(state) + RECOVERY_LIMIT + LAST_ANSWER;
  const readsCard = state.operation === 'tokenizeCard' || state.operation === 'cardPan';
  return countedFrom(state) + (readsCard ? CARD_WINDOW : LAST_ANSWER);
}

/**
 * A keyed entry that timed out leaves its terminal busy until it is stopped (spec: after a keyed-entry timeout). Its result
 * is told after that stop, so that "try again" is true, and the stop cannot hit the next payment.
 */
export function needsStop({ phase, operation, terminal, policies, ...state }: LifecycleState): boolean {
  const isKeyed = operation === 'moToSale' || operation === 'moToRefund' || operation === 'moToPreAuthorization';
  const isOpen = (phase === 'sending' || phase === 'waiting') && !state.serviceChanged;
  const isStopped = state.stopWanted === true || state.stopTried === true;
  return isKeyed && isOpen && !isStopped && policies.exclusiveTerminal === true && terminal?.meaning === 'cancelled';
}

/** When an approval counts as late, and the terminal is asked to stop. Epoch ms. */
export function deadlineOf({ policies, startedAt, attemptAt, jumped = 0, jumpedBefore = 0 }: LifecycleState): number {
  return policies.deadlineMs === undefined
    ? attemptAt + RECOVERY_LIMIT - (jumped - jumpedBefore)
    : startedAt + policies.deadlineMs - jumped;
}

/** The person who waited for it has gone: a payment must not begin long after it was asked for. */
export function isStale(state: LifecycleState, now: number): boolean {
  return now < state.startedAt || now > agedAt(state, Math.max(state.policies.busyWaitMs, STALE_AFTER));
}

/** When what the flow asked for counts as that old, ms. Epoch ms. */
export function agedAt({ startedAt, jumped = 0 }: LifecycleState, age: number): number {
  return startedAt + age - jumped;
}
