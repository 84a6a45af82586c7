import {
  BACK_OFFICE_STALE_AFTER,
  RECONCILIATION_LIMIT,
  RECOVERY_LIMIT,
  SETTLING_LAG,
  THROTTLE_LIMIT,
  THROTTLE_PAUSE,
} from '../../base/timings.js';
import type { BackOfficeOperation } from '../../operation/back-office-order.js';
import type { LatestVerdict, PendingDelivery } from '../../operation/delivery-state.js';
import type { CommonEvent } from '../../operation/event.js';
import type { ReversedKind } from '../../operation/kinds.js';
import type { Refusal } from '../../operation/refusal.js';
import type { Verdict } from '../../operation/verdict.js';
import type { Baseline, Negative } from '../chain/chain-evidence.js';
import type { AmountMismatch } from './amounts.js';
import { RULES } from './rules.js';

/** What the life of an operation that needs no terminal consists of. */

export type BackOfficePhase =
  /** Recorded; waits for its turn, or for what the chain shows before it. Nothing was sent. */
  | 'preparing'
  | 'sending'
  /** The answer was lost, and doing it twice is doing it once; or it was too much for the rate limit. The next try follows. */
  | 'retrying'
  /** The answer was lost: the chain has to say. */
  | 'reconciling'
  /** The flow was told "unknown"; the chain is looked at slowly. */
  | 'watching'
  | 'closed';

export type Failure = NonNullable<Verdict['error']>;

export type BackOfficeEvent =
  | CommonEvent
  /** The chain was looked at, or cannot be: it may be sent. */
  | { type: 'ready'; baseline?: Baseline }
  | {
      type: 'answered';
      approved: true;
      kind?: string;
      takesBack?: ReversedKind;
      difference?: AmountMismatch;
      named?: true;
    }
  | { type: 'answered'; approved: false; error: Failure; needsChange?: true }
  | {
      type: 'proof';
      says: 'done' | 'declined' | 'absent' | 'unclear';
      askedAt: number;
      /** When the original was made, epoch ms. */
      originalAt?: number;
      kind?: string;
      takesBack?: ReversedKind;
      difference?: AmountMismatch;
      /** What is left of it, minor units, where some of it went back, or it was done twice. */
      left?: number;
      isTwice?: true;
      meaning?: Negative;
      needsChange?: true;
    };

/** JSON-safe: it lives in the journal. All times epoch ms. */
export interface BackOfficeState {
  phase: BackOfficePhase;
  operation: BackOfficeOperation;
  /** The chain can be asked for. */
  traceable: boolean;
  startedAt: number;
  /** How far the wall clock has jumped ahead in this life, ms: it counts for what must not be late, never for a proof. */
  jumped?: number;
  /** Of a reversal: the journal says that it is of a hold, or does not know; what has become of that, the chain knows. */
  mayBeHold?: 'hold' | 'unknown';
  /** When it was answered that the reversal was done; what of, the chain has to say. */
  answeredAt?: number;
  /** It was answered with a decline, or a refusal that a copy of it may have got; that nothing was done, the chain has to say. */
  decline?: { at: number; error: Failure; needsChange?: true; refusal?: Refusal };
  /** What has waited longer than this is not begun, ms. Null: however late; absent: 15 minutes. */
  startWithinMs?: number | null;
  /** Sent again it might do something else: what is open then is another batch. */
  notResendable?: boolean;
  /** A refund of an earlier payment: how old that is decides whether it arrives. */
  isLinkedRefund?: boolean;
  /** When what it is about was made, where that is known. */
  originalAt?: number;
  /** When that was made, as a later look at the chain has shown. */
  shownAt?: number;
  /** Of a tip: when this journal knew of its sale what it knows now, so not before the sale was approved. */
  saleKnownAt?: number;
  /** The latest try of a tip was sent so soon after the sale, or after something of that went back, that its approval says nothing. */
  sentEarly?: true | undefined;
  /** Until when it may be sent again after a lost answer; absent where that is not allowed, or not any more. */
  resendUntil?: number;
  /**
   * When the latest lost answer was given up, or came too early to say anything: the request had left the rate limit's queue
   * by then. From the first lost answer on a refusal is no proof.
   */
  lostAt?: number;
  /** Taken up from an earlier process: when the flow is told that nobody can say. */
  toldBy?: number;
  /**
   * An answer approves it: over another amount or under another reference than was asked for, too early to count, or of too old a
   * payment.
   */
  approved?: 'amount' | 'reference' | 'early' | 'old';
  nextAt?: number;
  /** So many attempts may have followed those that the journal knows, as it may be a backup. */
  unknownAttempts?: number;
  /** Taken up unsent, and not asked for yet: another process may have sent it, if the journal is a backup that is still young. */
  takenUp?: true;
  /** The journal says that it was not sent, and may be a backup. */
  perhapsSent?: true;
  /** The service refused its API key once: the other key takes its place, and no third try follows. */
  keyReplaced?: true;
  tries: number;
  baseline?: Baseline;
  /** What the chain says is left of it, minor units, where some of it went back, or it was done twice. */
  left?: number | undefined;
  /** What a later try was refused with. */
  refusal?: Failure;
  /** When the chain was asked first so that "nothing of it" counts, and showed nothing, in this life. */
  absentAt?: number | undefined;
  /** Its request waits for the rate limit, in this life. */
  leaving?: true;
  stopWanted?: boolean;
  watchUntil?: number;
  /** It was sent to another service than this engine drives, which may know nothing of it. */
  serviceChanged?: boolean;
  reported?: Verdict['outcome'];
  /** The error that this was because of. */
  reportedError?: Verdict['error'];
  deliveries?: number;
  latest?: LatestVerdict;
  pending?: PendingDelivery;
}

export type BackOfficeEventType = BackOfficeEvent['type'];

/** What the engine does for a transition, in this order; `save` is awaited before what follows it. */
export type BackOfficeEffect = 'prepare' | 'new-attempt' | 'save' | 'post' | 'deliver';

/** The state of a new operation. @param now epoch ms */
export function beginBackOffice(
  operation: BackOfficeOperation,
  what: Pick<
    BackOfficeState,
    'traceable' | 'isLinkedRefund' | 'originalAt' | 'saleKnownAt' | 'notResendable' | 'mayBeHold' | 'startWithinMs'
  >,
  now: number,
): BackOfficeState {
  return { phase: 'preparing', operation, ...what, startedAt: now, tries: 0 };
}

/**
 * From this moment on the chain shows what the latest try did, if it did anything: the service may act after its client
 * has stopped waiting. Epoch ms.
 */
export function provenFrom({ lostAt, decline, answeredAt }: BackOfficeState): number {
  const saidAt = decline?.at ?? answeredAt;
  if (lostAt === undefined && saidAt !== undefined) return saidAt + SETTLING_LAG;
  return (lostAt ?? 0) + RECOVERY_LIMIT + SETTLING_LAG;
}

/** A request that still waits for the rate limit then is withdrawn; undefined where it may wait. Epoch ms. */
export function leavesBy({ operation, lostAt, resendUntil }: BackOfficeState): number | undefined {
  return lostAt === undefined || RULES[operation].read ? undefined : resendUntil;
}

/** What is asked from this moment on, in this life of the process, ends the watch. Epoch ms. */
export function watchEndsFrom(state: BackOfficeState): number {
  return Math.max(state.watchUntil ?? 0, provenFrom(state));
}

/** When the flow has to be told, whatever is known. Epoch ms. */
export function reconcilesUntil(state: BackOfficeState): number {
  const { lostAt, answeredAt, decline, toldBy = Number.POSITIVE_INFINITY } = state;
  // Everything about what was answered is in the chain by then.
  if (answeredAt !== undefined) return answeredAt + SETTLING_LAG;
  return Math.min(toldBy, (lostAt ?? decline?.at ?? 0) + RECONCILIATION_LIMIT);
}

/** Whether somebody can be asked what became of it. */
export function canReconcile({ traceable, baseline }: BackOfficeState): boolean {
  return traceable || baseline?.batch !== undefined;
}

/** The person who waited for it has gone. */
export function isStale({ startedAt, startWithinMs, jumped = 0, approved }: BackOfficeState, now: number): boolean {
  // What was approved too early waits for its second try by itself.
  if (startWithinMs === null || approved === 'early') return false;
  return now < startedAt || now + jumped > startedAt + (startWithinMs ?? BACK_OFFICE_STALE_AFTER);
}

/** Nothing of it has left, or what left was refused. */
export function isUnsent({ phase, lostAt }: BackOfficeState): boolean {
  return lostAt === undefined && (phase === 'preparing' || phase === 'retrying');
}

/** Where nobody can be asked what a 429 left behind, it counts as not done, and is sent again while there is time for that. */
export function isThrottledForNow(state: BackOfficeState, event: BackOfficeEvent, now: number): boolean {
  return event.type === 'refused' && event.refusal === 'throttled' && mayWaitForLimit(state, now + THROTTLE_PAUSE);
}

export function mayWaitForLimit(
  { startedAt, jumped = 0, approved, resendUntil = 0 }: BackOfficeState,
  until: number,
): boolean {
  // A tip that was approved too early is sent again as late as the first try may wait for the limit.
  const limit = approved === 'early' ? resendUntil : startedAt + THROTTLE_LIMIT;
  return until + jumped <= limit;
}

/** Something in between may have sent the request twice, so that the refusal is that of the copy: a 429, or that it is done already. */
export function isRefusalOfCopy(state: BackOfficeState, event: BackOfficeEvent): boolean {
  if (event.type !== 'refused' || !canReconcile(state)) return false;
  const { read, refusalsOfDone = [] } = RULES[state.operation];
  if (event.refusal === 'throttled') return !read;
  return refusalsOfDone.includes(event.error.code);
}

/** The service has refused one key, and not yet the other. */
export function mayUseOtherKey({ keyReplaced, stopWanted }: BackOfficeState, event: BackOfficeEvent): boolean {
  return event.type === 'refused' && event.refusal === 'key' && !keyReplaced && !stopWanted;
}
