import type { CommonEvent } from '../../operation/event.js';
import type { ReversedKind } from '../../operation/kinds.js';
import type { Meaning, Reading } from '../../operation/result-meaning.js';

/** What may happen to an operation on a terminal. */
export type LifecycleEvent =
  | CommonEvent
  /** `saysEnd`: it says how the operation ended, where it should only say that it has begun. */
  | { type: 'accepted'; resultId?: string; saysEnd?: true }
  /** It was not sent: the chain of the payment shows that more would go back than was taken. */
  | { type: 'too-much-back' }
  /** `earlier`: the reference of an attempt before the latest, where it is about that one. */
  | ({
      type: 'terminal';
      via: 'callback' | 'poll';
      /** When it was asked for; absent for a callback. */
      askedAt?: number;
      transactionId?: string;
      earlier?: string;
      needsChange?: true;
      takesBack?: ReversedKind;
      /** It says something that the service does not describe. */
      isStrange?: true;
      /** It is unclear, and says that it was approved: a "no" that follows contradicts it. */
      claims?: true;
      /** It names a reference of the service's own, by which the status service can be asked. */
      isNamed?: true;
    } & Reading)
  /** What the whole chain under our reference shows. */
  | {
      type: 'gateway';
      meaning: Meaning | 'none';
      askedAt: number;
      transactionId?: string;
      net?: number;
      /** It was done twice under one reference. */
      isTwice?: true;
      /** Other entries of it show as well, whatever became of them. */
      hasOthers?: true;
      /** It was found by a mark that the flow has given it, which somebody else's may have as well. */
      mayBeAnothers?: true;
      amountDiffers?: true;
      needsChange?: true;
      takesBack?: ReversedKind;
      /** Another attempt that was asked about with it has no record. */
      othersAbsent?: true;
    }
  /** What the status service shows of the attempts before the latest: `approved` where one of them has charged. */
  | ({ type: 'earlier' } & EarlierAnswer)
  /** The terminal is still at it: a poll was answered 204. */
  | { type: 'processing' }
  /** The service does not know the result id any more: that proves nothing, but nobody waits for its result either. */
  | { type: 'result-gone'; askedAt: number }
  /** A stop was answered with 1005: nothing runs on the terminal. */
  | { type: 'idle'; askedAt: number }
  /** A stop that the flow or its deadline asked for could hit another's payment, so it was not sent. */
  | { type: 'stop-not-possible' }
  /** A stop was accepted, or, after a keyed entry, sent: whatever its answer. */
  | { type: 'stop-tried' }
  /** A stop was answered with 1002: the terminal is offline. */
  | { type: 'offline'; askedAt: number }
  | { type: 'reversed' }
  /** Callback-in has heard the alarm. */
  | { type: 'alarm-told' }
  /** A person has dealt with it, so that nothing may be reversed any more. */
  | { type: 'handled' };

export type EventType = LifecycleEvent['type'];

/**
 * What the status service said of the attempts before the latest; reference and transaction of the one that has charged.
 * `askedAt`, `lastAskedAt`: when it was asked for the first and for the last of them. `noneAt`: when it was asked before, and had
 * no record either. `other`: another one that has charged.
 * `shown`: references of those whose record says that they have charged, or leaves it open. `others`: where one has
 * charged, what those show that have not. `isOwn`: the own result of the one that has charged says so.
 */
export interface EarlierAnswer {
  meaning: 'approved' | 'failed' | 'undefined' | 'none';
  askedAt: number;
  lastAskedAt?: number;
  noneAt?: number;
  reference?: string;
  transactionId?: string;
  isOwn?: true;
  other?: Charge;
  shown?: readonly string[];
  others?: 'failed' | 'undefined' | 'none';
}

/** An attempt that was approved, and its transaction where somebody has named it: the status service knows it by its reference. */
export interface Charge {
  reference: string;
  transactionId?: string | undefined;
  /** Its own result says so, late: nothing that the status service shows or forgets takes that back. */
  isOwn?: true | undefined;
}
