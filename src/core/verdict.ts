import type { TransactionOperation } from './api/transaction-request.js';
import type { Exit, Outcome, Verdict } from './operation.js';

/**
 * What a result means. Every rule about money that reads a result is in this file: `finStatus` to meaning, meaning to
 * verdict, verdict to exit. The lifecycle decides when a meaning may be believed; it never reads a result itself.
 */

/** What one result says, before it is known whether that may be believed. */
export type Meaning =
  | 'approved'
  | 'partial'
  | 'declined'
  | 'cancelled'
  /** Approved once, and the money has gone back. Status service only. */
  | 'returned'
  | 'failed'
  /** The sender does not know either. */
  | 'undefined'
  | 'in-progress';

/** The fields of a result that decide. All amounts in minor units. */
export interface Decisive {
  finStatus: string;
  requestedAmount?: number;
  totalAmount?: number;
  dueAmount?: number;
  issuerResponseCode?: string;
  currency?: string;
}

/** What was asked for: a result may leave it out. */
export interface Asked {
  /** Minor units, as digits. */
  amount?: string;
  currency?: string;
}

const MEANINGS: Record<string, Meaning> = {
  AUTHORISED: 'approved',
  CAPTURED: 'approved',
  PROCESSED: 'approved',
  PARTIAL_APPROVAL: 'partial',
  DECLINED: 'declined',
  CANCELLED: 'cancelled',
  REFUNDED: 'returned',
  FAILED: 'failed',
  UNDEFINED: 'undefined',
  IN_PROGRESS: 'in-progress',
};

/** Operations whose success moves no money. */
const WITHOUT_MONEY: ReadonlySet<TransactionOperation> = new Set([
  'tokenizeCard',
  'printReceipt',
  'cardPan',
  'pingDevice',
  'stopCurrentTransaction',
]);

/** Operations whose success places or changes a hold: nothing has moved until the capture. */
const ON_HOLD: ReadonlySet<TransactionOperation> = new Set([
  'preAuthorization',
  'moToPreAuthorization',
  'preAuthorizationIncrease',
  'preAuthorizationReversal',
]);

const GIVING_BACK: ReadonlySet<TransactionOperation> = new Set([
  'refund',
  'moToRefund',
  'saleReversal',
  'refundReversal',
  'moToReversal',
]);

/** Whether an operation can move money, or place a hold on it. */
export function movesMoney(operation: TransactionOperation): boolean {
  return !WITHOUT_MONEY.has(operation);
}

/**
 * What a result says. A `finStatus` that nobody has told us about is a question, as `UNDEFINED` is, and so is an approval
 * in another currency than was asked for.
 */
export function meaningOf(operation: TransactionOperation, result: Decisive, asked: Asked = {}): Meaning {
  const meaning = MEANINGS[result.finStatus] ?? 'undefined';
  if (meaning !== 'approved' || !movesMoney(operation)) return meaning;
  // A card-not-present answer may say PROCESSED whether or not the issuer agreed.
  if (result.finStatus === 'PROCESSED' && result.issuerResponseCode !== '00') return 'undefined';
  if (result.currency && asked.currency && result.currency !== asked.currency) return 'undefined';
  const requestedAmount = Math.max(result.requestedAmount ?? 0, Number(asked.amount ?? 0));
  return isShort({ ...result, requestedAmount }) ? 'partial' : 'approved';
}

/** A contactless try that the issuer wants with the card inserted and its PIN: the terminal may be about to ask for both. */
const WANTS_MORE: ReadonlySet<string> = new Set(['61', '65', '70', '1A']);

/** Whether the terminal may go on after a decline of the gateway. */
export function mayGoOn({ issuerResponseCode = '' }: Decisive): boolean {
  return WANTS_MORE.has(issuerResponseCode);
}

/** The status service may show a partial approval as AUTHORISED with an amount still due. */
function isShort({ requestedAmount = 0, totalAmount, dueAmount = 0 }: Decisive): boolean {
  return dueAmount > 0 || (totalAmount !== undefined && totalAmount > 0 && totalAmount < requestedAmount);
}

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

/** Nobody can say yet. A correction follows when somebody can. */
export const UNKNOWN: Verdict = { outcome: 'unknown', moneyMoved: 'unknown', final: false, retry: 'after-recovery' };

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
export function takenBack(reason: 'late' | 'partial'): Verdict {
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
  if (ATTENTION.has(verdict.outcome)) return 'needs-attention';
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
