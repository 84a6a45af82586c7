import type { TransactionOperation } from '../../api/schema/operation-rules.js';
import {
  CARD_WINDOW,
  PARTIAL_SETTLED,
  RECOVERY_LIMIT,
  SETTLING_LAG,
  STALE_AFTER,
  STOP_AFTER_SIGN,
} from '../../base/timings.js';
import type { LatestVerdict, PendingDelivery } from '../../operation/delivery-state.js';
import { type ReversedKind, startsPayment } from '../../operation/kinds.js';
import type { Policies } from '../../operation/order.js';
import type { Reading } from '../../operation/result-meaning.js';
import type { ReversalReason, Verdict } from '../../operation/verdict.js';
import type { Charge, EarlierAnswer } from './event.js';
import type { KnownToGateway } from './known-to-gateway.js';

/** What the lifecycle knows of an operation, and what it asks to be done. */

export type Phase =
  /** Recorded; it waits for the engine's own earlier operation on the terminal, or for the rate limit. Nothing was sent. */
  | 'queued'
  /** The request is on its way, or was when the process died. */
  | 'sending'
  /** Refused for now (busy, 429): the next attempt follows, or every attempt is asked for before the flow hears of it. */
  | 'pausing'
  /** The terminal may be charging: wait for the truth from callback, poll and status service. */
  | 'waiting'
  /**
   * The flow was told, not finally, that the terminal is busy. One of the attempts may have begun all the same: whatever
   * shows is a correction. Nothing waits for it.
   */
  | 'listening'
  /** An approval is being taken back by the flow's policy. */
  | 'reversing'
  /** The flow was told "unknown" or "provisional"; a slow watch looks for the truth. */
  | 'watching'
  | 'closed';

/** What the engine does for a row, in this order; `save` is awaited before what follows it. */
export type Effect = 'new-attempt' | 'save' | 'post' | 'deliver' | 'late' | 'alarm';

/** An attempt that the terminal approved after it was taken for refused. */
export interface ApprovedAttempt {
  reference: string;
  meaning: 'approved' | 'partial';
  via: 'callback' | 'poll';
  transactionId?: string;
  /** It was approved with another amount than was asked for. */
  amountDiffers?: true;
}

/**
 * It has ended without a charge; what it charged went back, as we asked; it failed, which may still turn into an approval; or its
 * result leaves open whether it charged.
 */
export type EarlierResult = 'ended' | 'returned' | 'failed' | 'unclear';

/** JSON-safe: it lives in the journal. All times epoch ms. */
export interface LifecycleState {
  phase: Phase;
  operation: TransactionOperation;
  policies: Policies;
  /** The status service can know this operation by our reference; where it cannot, its "not found" proves nothing. */
  traceable: boolean;
  /** The status service knows it by another reference: that of its original, or one that its own result has named. */
  traceableBy?: 'original' | 'result';
  /** Its result is posted to us. */
  hasCallback?: true;
  /** Of a reversal: the journal says that it is of a hold, or does not know; what has become of that, the chain knows. */
  mayBeHold?: 'hold' | 'unknown';
  /** What a reversal has taken back, as the service says. */
  takesBack?: ReversedKind;
  /** When the message entered. */
  startedAt: number;
  /** When the latest attempt was answered, or its answer was given up: the request left no later than that. */
  attemptAt: number;
  /** How far the wall clock has jumped ahead in this life, ms: it counts for what must not be late, never for a proof. */
  jumped?: number;
  /** `jumped` as it was when the latest attempt was answered. */
  jumpedBefore?: number;
  /** When this engine took it up from an earlier one. */
  restoredAt?: number;
  /** Taken up from an earlier process: when the flow is told that nobody can say. */
  toldBy?: number;
  /** It was sent to another service than this engine drives, which may know nothing of it. */
  serviceChanged?: boolean;
  /** It was taken up so late that the journal may be a backup: nothing is sent for it, and nothing that it did is undone. */
  mayBeBackup?: boolean;
  /** So many attempts may have followed those that the journal knows, as it may be a backup; they count as earlier ones. */
  unknownAttempts?: number;
  /** The journal says that it was not sent, and may be a backup. */
  perhapsSent?: true;
  /** Nobody has said yet whether another process has sent it: nothing final is told of it, and it is not sent. */
  unasked?: true;
  /** When the next attempt may follow; an answer about the attempts before counts if it was asked for from then on. */
  pausedUntil?: number;
  /** Its request waits for the rate limit, in this life. */
  leaving?: true;
  /** The terminal was free for it: it waits for that no longer. */
  hadTurn?: true;
  /** How many attempts there were before the latest that may have begun. */
  retries?: number;
  /** One of them was refused as busy or with 429, and nothing proved that it had not begun before the latest. */
  unprovenAttempts?: true;
  /** What the status service said of them last, in this life. */
  earlier?: EarlierAnswer;
  /** The reference of the one that the operation was taken for after all, as the latest charged nothing. */
  takenUp?: string;
  /** The latest was approved too, and went back. */
  latestWentBack?: true;
  /** The service refused its API key once: the other key takes its place, and no third try follows. */
  keyReplaced?: true;
  /** By reference, what the own results of attempts before the latest say of them. */
  earlierResults?: Readonly<Record<string, EarlierResult>>;
  /**
   * The latest attempt was refused because the terminal is busy, perhaps with an attempt of ours that was sent twice.
   * `freeAt`: what kept it busy had ended then, for certain.
   */
  busy?: { at: number; error: NonNullable<Verdict['error']>; freeAt?: number };
  /** The latest 429 to a request that moves money, after so many attempts: it may have been sent twice, and have begun. */
  throttled?: { at: number; error: NonNullable<Verdict['error']>; after?: number };
  /** What the flow is told once every attempt was asked for and none has begun. No other is sent. */
  ending?: Pick<PendingDelivery, 'verdict' | 'mistake'>;
  /**
   * `needsChange`: what was declined or failed will be again until something is changed. `isLate`: an approval that came after
   * the deadline, whatever is measured from now on. `claimed`: an approval that was a question came before, or is this.
   */
  terminal?: Reading & {
    via: 'callback' | 'poll';
    at: number;
    askedAt?: number;
    needsChange?: true;
    isLate?: true;
    claimed?: true;
  };
  /** The latest attempt certainly did not begin, while an earlier one was approved. */
  latestNotBegun?: true;
  /** It was refused as busy or with 429 while an earlier one was approved: it may have begun all the same. */
  latestRefused?: true;
  /** One of several attempts was found to have begun, and not by its own result: others may have begun after it. */
  isFound?: true;
  /** The attempt that shows may not be the last that was sent: the terminal may have begun with another one after it. */
  mayBeFollowed?: true;
  /** Another attempt may have begun after the one that the flow was told of: the others are asked for once more. */
  looksAgain?: true;
  /** The approval of an attempt before the latest, which is the operation's: what the latest charged has to go back. */
  approvedEarlier?: ApprovedAttempt;
  /** The transaction of one more attempt before the latest that was approved, empty where it names none: it goes back. */
  otherApproved?: Charge;
  /** Yet another one was approved: a person must look. */
  isThirdCharged?: true;
  gateway?: KnownToGateway;
  /** The answer to the request said how it ended: that the service knows nothing then proves nothing. */
  saysEnd?: true;
  /** When the terminal was first known to have the request. */
  signAt?: number;
  /** The latest poll said that the terminal is still at it. */
  isProcessing?: boolean;
  /** When the service was asked for the result last and did not know it any more. */
  goneAt?: number;
  /** When a stop found the terminal offline. */
  offlineAt?: number;
  /** From this moment on nothing of this operation runs on the terminal, and nothing is on its way from it to the gateway. */
  endedAt?: number;
  stopWanted?: boolean;
  /** A stop may hit another's payment; it is sent as soon as it is certain that ours is on the terminal. */
  stopNotPossible?: true;
  /** A stop was accepted, or was sent after a keyed entry that was cancelled. */
  stopTried?: boolean;
  resultId?: string;
  transactionId?: string;
  /**
   * `second`: another attempt that was approved than the one that is the operation's. `asksOthers`: only one answer says
   * that no other one has charged, so the engine asks once more. `isBack`: the gateway has confirmed the reversal meanwhile.
   * `isSurplus`: nobody says yet what became of the latest, which is watched again afterwards. `isLeft`: nothing can take it back, and
   * a person looks.
   */
  reversing?: {
    reason: ReversalReason;
    since: number;
    second?: Charge;
    asksOthers?: true;
    isBack?: true;
    isSurplus?: true;
    isLeft?: true;
  };
  /** A person was asked to look because a reversal stayed unproven: nothing is taken back any more. */
  onlyWatch?: true;
  watchUntil?: number;
  /** A contradiction of what was final has been reported, or a second charge. */
  alarmed?: true;
  /** It was a contradiction: another one is not reported. */
  contradicted?: true;
  /** What came after the end, and charged or may have: a person was asked to look at each of them. */
  lateCharges?: readonly Charge[];
  /** What came after the end last, and was no alarm: the same once more is no news. */
  latestLate?: Charge & { outcome: Verdict['outcome'] };
  /** A person was asked to look at yet another attempt: it was charged as well, or nobody can rule that out. */
  alarmedAgain?: true;
  /** What callback-in hears after the flow had its final verdict: of a second charge, or of a contradiction. */
  alarm?: Verdict;
  /** Callback-in has not heard the alarm yet. */
  isAlarmDue?: true;
  /** The watch began while none of the attempts was known to have begun. */
  noneBegan?: true;
  /** What the flow was told last. */
  reported?: Verdict['outcome'];
  /** The error that this was because of. */
  reportedError?: Verdict['error'];
  deliveries?: number;
  latest?: LatestVerdict;
  pending?: PendingDelivery;
}

/** The status service can say what became of it. */
export function canBeAsked({ traceable, traceableBy }: LifecycleState): boolean {
  return traceable || traceableBy !== undefined;
}

/**
 * The engine takes a payment back on its own. Once a person was asked to look it does not, nor where another process may have
 * told the flow of an approval.
 */
export function mayTakeBack({ operation, mayBeBackup, onlyWatch }: LifecycleState): boolean {
  return startsPayment(operation) && !mayBeBackup && !onlyWatch;
}

/**
 * By the policy of the flow a process that went on after a backup may have taken back what the terminal approves, and nobody
 * tells the terminal: only a chain that was asked for in this life shows that it still stands.
 */
export function awaitsChain(state: LifecycleState): boolean {
  const { operation, policies, mayBeBackup, terminal, gateway, restoredAt = 0 } = state;
  if (!mayBeBackup || policies.lateApproval !== 'reverse') return false;
  if (!startsPayment(operation) || !canBeAsked(state)) return false;
  if (terminal?.meaning !== 'approved' && terminal?.meaning !== 'partial') return false;
  const stands = gateway?.meaning === 'approved' || gateway?.meaning === 'partial';
  return !stands || gateway.askedAt < restoredAt;
}

/** Of a reversal: whether it gave money back, or released a hold. @returns true for everything else */
export function knowsWhat(state: LifecycleState): boolean {
  const { mayBeHold, takesBack } = state;
  if (mayBeHold === undefined || takesBack !== undefined) return true;
  return mayBeHold === 'hold' && !canBeAsked(state);
}

/** Until when the chain has to say what a reversal took back that the terminal has confirmed. Epoch ms. */
export function whatIsDue({ terminal }: LifecycleState): number {
  return (terminal?.at ?? 0) + SETTLING_LAG;
}

/** The state of a new operation whose terminal is free. */
export function begin(
  operation: TransactionOperation,
  policies: Policies,
  traceable: boolean,
  now: number,
): LifecycleState {
  return { phase: 'sending', operation, policies, traceable, startedAt: now, attemptAt: now, jumped: 0 };
}

/** The state of a new operation that has to wait. @param hasTurn for the rate limit alone */
export function queued(state: LifecycleState, hasTurn: boolean): LifecycleState {
  return { ...state, phase: 'queued', ...(hasTurn && { hadTurn: true as const }) };
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
  return state.signAt === undefined
    ? countedFrom(state) + CARD_WINDOW
    : Math.max(state.signAt, countedFrom(state)) + STOP_AFTER_SIGN;
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

/** From then on an answer says how the question of a polled partial approval was answered; undefined without one. Epoch ms. */
export function partialSettledFrom({ terminal }: LifecycleState): number | undefined {
  return terminal?.meaning === 'partial' && terminal.via === 'poll' ? terminal.at + PARTIAL_SETTLED : undefined;
}

/** What is asked from this moment on, in this life of the process, ends the watch: by then it shows all there will be. Epoch ms. */
export function watchEndsFrom(state: LifecycleState): number {
  return Math.max(state.watchUntil ?? 0, countedFrom(state) + RECOVERY_LIMIT + SETTLING_LAG);
}

/**
 * A keyed entry that timed out leaves its terminal busy until it is stopped (spec: after a keyed-entry timeout), so that nobody
 * else's payment can run there. Its result is told after that stop, so that "try again" is true, and the stop cannot hit the
 * next payment.
 */
export function needsStop(state: LifecycleState): boolean {
  const { phase, operation, terminal } = state;
  const isKeyed = operation === 'moToSale' || operation === 'moToRefund' || operation === 'moToPreAuthorization';
  const isOpen = (phase === 'sending' || phase === 'waiting') && !state.serviceChanged;
  return isKeyed && isOpen && !state.stopTried && terminal?.meaning === 'cancelled';
}

/**
 * When an approval counts as late, and the terminal is asked to stop. The flow's own deadline counts from its message, because
 * somebody waits for that; without one the recovery limit counts from the attempt. Epoch ms.
 */
export function deadlineOf({ policies, startedAt, attemptAt, jumped = 0, jumpedBefore = 0 }: LifecycleState): number {
  return policies.deadlineMs === undefined
    ? attemptAt + RECOVERY_LIMIT - (jumped - jumpedBefore)
    : startedAt + policies.deadlineMs - jumped;
}

/** The flow waits no longer for a payment that has not begun. Epoch ms. */
export function flowWaitsUntil(state: LifecycleState): number {
  return state.policies.deadlineMs === undefined ? Number.POSITIVE_INFINITY : deadlineOf(state);
}

/** The person who waited for it has gone: a payment must not begin long after it was asked for. */
export function isStale(state: LifecycleState, now: number): boolean {
  const isOld = now > agedAt(state, Math.max(state.policies.busyWaitMs, STALE_AFTER));
  return isOld || now < state.startedAt || now >= flowWaitsUntil(state);
}

/** It has waited as long as the form says for a terminal that is busy. */
export function turnIsLost({ startedAt, policies, hadTurn }: LifecycleState, now: number): boolean {
  return !hadTurn && now >= startedAt + policies.busyWaitMs;
}

/** When what the flow asked for counts as that old, ms. Epoch ms. */
export function agedAt({ startedAt, jumped = 0 }: LifecycleState, age: number): number {
  return startedAt + age - jumped;
}
