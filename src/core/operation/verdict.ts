import type { TransactionOperation } from '../api/schema/operation-rules.js';
import { GIVING_BACK, movesMoney, ON_HOLD } from './kinds.js';
import type { Meaning } from './result-meaning.js';

/** The verdict on a meaning that may be believed. */
export function verdictOf(operation: TransactionOperation, meaning: Meaning): Verdict {
  switch (meaning) {
    case 'approved':
      return { outcome: approvedOutcome(operation), moneyMoved: movedBy(operation), final: true, retry: 'never' };
    case 'partial':
      return { outcome: 'partial', moneyMoved: 'partly', final: true, retry: 'remainder-only' };
    case 'declined':
      return { outcome: 'declined', moneyMoved: 'no', final: true, retry: 'after-cardholder' };
    case 'cancelled':
      return { outcome: 'cancelled', moneyMoved: 'no', final: true, retry: 'safe' };
    case 'returned':
      return { outcome: 'refunded', moneyMoved: 'no', final: true, retry: 'never' };
    case 'failed':
      return { outcome: 'failed', moneyMoved: 'no', final: true, retry: 'safe' };
    case 'undefined':
    case 'in-progress':
      return UNKNOWN;
  }
}

/** It is proven that nothing was charged: the service never had it, or never will. */
export const NOT_CHARGED: Verdict = { outcome: 'not-charged', moneyMoved: 'no', final: true, retry: 'safe' };

/** Certainly never sent: the process ended before that. */
export const NOT_STARTED: Verdict = {
  ...NOT_CHARGED,
  error: { code: 'NOT_STARTED', name: 'NotStarted', message: 'the process ended before the request was sent' },
};

/** Nobody can say yet. A correction follows when somebody can. */
export const UNKNOWN: Verdict = { outcome: 'unknown', moneyMoved: 'unknown', final: false, retry: 'after-recovery' };

/** The watch has ended, and nobody has said. */
export const WATCH_ENDED: Verdict = {
  ...UNKNOWN,
  final: true,
  retry: 'never',
  error: {
    code: 'WATCH_ENDED',
    name: 'WatchEnded',
    message: 'nobody could say within two days: look at the records of the acquirer',
  },
};

/** Terminal or gateway say FAILED, which may still turn into an approval. */
export const FAILED_UNCONFIRMED: Verdict = { ...UNKNOWN, outcome: 'failed' };

/** A part of the payment went back, the rest is charged. */
export const PARTLY_REFUNDED: Verdict = {
  outcome: 'partial',
  moneyMoved: 'partly',
  final: true,
  retry: 'never',
  error: {
    code: 'PARTLY_REFUNDED',
    name: 'PartlyRefunded',
    message: 'a part of the payment has been given back already: the total is what is left of it',
  },
};

/** The environment was pointed at another service while the payment was open. */
export const SERVICE_CHANGED: Verdict = {
  ...UNKNOWN,
  error: {
    code: 'SERVICE_CHANGED',
    name: 'ServiceChanged',
    message:
      'the address or the key of the environment was changed while this was open, and what is asked now may know nothing ' +
      'of it: look at the service it was sent to, or set them back',
  },
};

/** The gateway has approved; the terminal has not confirmed it and may still take it back. */
export const PROVISIONAL: Verdict = {
  outcome: 'provisional',
  moneyMoved: 'unknown',
  final: false,
  retry: 'after-recovery',
};

/** The service said no before anything began. */
export function refused(error: Verdict['error']): Verdict {
  return { outcome: 'refused', moneyMoved: 'no', final: true, retry: 'safe', error };
}

/** An approval that the flow's own policy took back, proven. */
export function reversedByPolicy(reason: 'late' | 'partial'): Verdict {
  const error =
    reason === 'late'
      ? { code: 'LATE_APPROVAL_REVERSED', name: 'LateApproval', message: 'approved too late, and reversed' }
      : { code: 'PARTIAL_APPROVAL_REVERSED', name: 'PartialApproval', message: 'approved in part, and reversed' };
  return { outcome: 'cancelled', moneyMoved: 'no', final: true, retry: 'safe', error };
}

/** An approval that the flow's policy wanted to take back, and nobody can prove that it was. */
export const REVERSAL_UNPROVEN: Verdict = {
  ...PROVISIONAL,
  error: {
    code: 'REVERSAL_UNPROVEN',
    name: 'ReversalUnproven',
    message: 'approved, to be reversed by policy, and the reversal is not confirmed',
  },
};

/** Whether what was asked for was done, or may have been: moved, held, or let go. */
export function mayBeDone({ moneyMoved, outcome }: Verdict): boolean {
  return moneyMoved !== 'no' || outcome === 'approved' || outcome === 'completed' || outcome === 'partial';
}

const ATTENTION: ReadonlySet<Outcome> = new Set(['partial', 'unknown', 'provisional']);
const DONE: ReadonlySet<Outcome> = new Set(['approved', 'completed']);

/** Whether a person should look at what the flow was told. */
export function needsAttention(outcome: Outcome | undefined): boolean {
  return outcome !== undefined && ATTENTION.has(outcome);
}

/** The output a verdict leaves by. */
export function exitOf(verdict: Verdict): Exit {
  if (ATTENTION.has(verdict.outcome) || verdict.moneyMoved === 'unknown') return 'needs-attention';
  if (DONE.has(verdict.outcome)) return 'done';
  return verdict.outcome === 'refunded' && verdict.moneyMoved === 'yes' ? 'done' : 'not-done';
}

function approvedOutcome(operation: TransactionOperation): Outcome {
  if (!movesMoney(operation) || operation === 'preAuthorizationReversal') return 'completed';
  return GIVING_BACK.has(operation) ? 'refunded' : 'approved';
}

function movedBy(operation: TransactionOperation): Verdict['moneyMoved'] {
  return movesMoney(operation) && !ON_HOLD.has(operation) ? 'yes' : 'no';
}

export type Outcome =
  | 'approved'
  | 'completed'
  | 'refunded'
  | 'partial'
  | 'declined'
  | 'cancelled'
  | 'failed'
  | 'refused'
  | 'not-charged'
  | 'unknown'
  | 'provisional';

export type MoneyMoved = 'yes' | 'partly' | 'no' | 'unknown';

export type Retry = 'never' | 'safe' | 'after-cardholder' | 'after-recovery' | 'remainder-only';

/** What a result means: did money move, is that final, may it be tried again. */
export interface Verdict {
  outcome: Outcome;
  moneyMoved: MoneyMoved;
  final: boolean;
  retry: Retry;
  error?: { code: string; name: string; message: string };
}

/** Who said it: the terminal by callback or poll, the status service, the answer to the request, or the journal after a restart. */
export type Source = 'callback' | 'poll' | 'status' | 'answer' | 'recovery' | 'journal';

/** Which way a message leaves: the three outputs, or Catch. */
export type Exit = 'done' | 'not-done' | 'needs-attention' | 'mistake';
