import { movesMoney, type Operation } from './kinds.js';
import { isSuccess, needsAttention, type Outcome } from './outcome.js';
import type { Retry } from './retry.js';

/** It is proven that nothing was charged, and that nothing will be. */
export const NOT_CHARGED: Verdict = { outcome: 'not-charged', moneyMoved: 'no', final: true, retry: 'safe' };

/** Certainly never sent, and too old to begin. */
export const NOT_STARTED: Verdict = {
  ...NOT_CHARGED,
  error: Object.freeze({
    code: 'NOT_STARTED',
    name: 'NotStarted',
    message: 'it could not be sent in time and was not started',
  }),
};

/** What would give back more than was taken is not sent. */
export const REFUNDED_BEFORE: Verdict = {
  outcome: 'refused',
  moneyMoved: 'no',
  final: true,
  retry: 'after-change',
  error: Object.freeze({
    code: 'REFUNDED_BEFORE',
    name: 'RefundedBefore',
    message:
      'something of it went back before: with this, more would go back than was charged, or less than has gone back ' +
      'already; it was not sent',
  }),
};

/** The truth is not known yet. A correction follows once it is. */
export const UNKNOWN: Verdict = {
  outcome: 'unknown',
  moneyMoved: 'unknown',
  final: false,
  retry: 'after-recovery',
  error: Object.freeze({
    code: 'OUTCOME_UNKNOWN',
    name: 'OutcomeUnknown',
    message: 'nobody has said for certain how it ended: a correction follows as soon as somebody does',
  }),
};

/** Why nobody knows how an operation ended that moves no money. */
export const NO_RESPONSE = Object.freeze({
  code: 'NOT_ANSWERED',
  name: 'NotAnswered',
  message: 'nobody said how it ended: it moves no money, and can be asked for again',
} as const);

/** Nobody said how an operation ended that moves no money. */
export const UNANSWERED: Verdict = {
  outcome: 'unknown',
  moneyMoved: 'no',
  final: true,
  retry: 'safe',
  error: NO_RESPONSE,
};

/** What happened cannot be made durable, so it is not told yet. */
export const JOURNAL_UNAVAILABLE: Verdict = {
  ...UNKNOWN,
  error: Object.freeze({
    code: 'JOURNAL_UNAVAILABLE',
    name: 'JournalError',
    message: 'the journal cannot be written: check its disk and folder. The result follows once it can be written',
  }),
};

/** The watch has ended, and nobody has said. */
export const WATCH_ENDED: Verdict = {
  ...UNKNOWN,
  final: true,
  retry: 'never',
  error: Object.freeze({
    code: 'WATCH_ENDED',
    name: 'WatchEnded',
    message: 'the outcome could not be determined within two days: check the records of the acquirer',
  }),
};

/** Of a message that repeats an order, or whose order another process had taken: the record of that is gone, or is damaged. */
export const RECORD_LOST: Verdict = {
  ...UNKNOWN,
  final: true,
  retry: 'never',
  error: Object.freeze({
    code: 'RECORD_LOST',
    name: 'RecordLost',
    message:
      'the journal has lost the record of this order, or of the one that it repeats, so nobody knows what became of it: check ' +
      'the records of the acquirer before it is sent again',
  }),
};

/** Terminal or gateway say FAILED, which may still turn into an approval. The service has words of its own for why. */
export const FAILED_UNCONFIRMED: Verdict = {
  outcome: 'failed',
  moneyMoved: 'unknown',
  final: false,
  retry: 'after-recovery',
};

/** The same where the service has no words. */
export const FAILURE_UNCONFIRMED = Object.freeze({
  code: 'FAILURE_UNCONFIRMED',
  name: 'FailureUnconfirmed',
  message: 'it is reported as failed, which may still turn into an approval: a correction says how it ended',
} as const);

/** A part of the payment went back, the rest is charged. */
export const PARTLY_REFUNDED: Verdict = {
  outcome: 'partial',
  moneyMoved: 'partly',
  final: true,
  retry: 'never',
  error: Object.freeze({
    code: 'PARTLY_REFUNDED',
    name: 'PartlyRefunded',
    message: 'a part of the payment has already been refunded: the total is what is left',
  }),
};

/** The environment was pointed at another service while the payment was open. */
export const SERVICE_CHANGED: Verdict = {
  ...UNKNOWN,
  error: Object.freeze({
    code: 'SERVICE_CHANGED',
    name: 'ServiceChanged',
    message:
      'the address or the API key of the environment was changed while this operation was open, so its outcome can no ' +
      'longer be queried: check the service to which it was sent, or change the settings back',
  }),
};

/** The environment was pointed at another service before it was sent: that one must not charge for it. */
export const NOT_STARTED_ELSEWHERE: Verdict = {
  ...NOT_CHARGED,
  error: Object.freeze({
    code: 'SERVICE_CHANGED',
    name: 'ServiceChanged',
    message:
      'the environment was changed to another service, or to the API key of another merchant, before this operation was sent, ' +
      'so it was not started',
  }),
};

/** The answer was lost, and nobody is left who could say how it ended. */
export const NO_WITNESS: Verdict = {
  ...UNKNOWN,
  error: Object.freeze({
    code: 'NO_WITNESS',
    name: 'NoWitness',
    message:
      'it may have begun, and nobody can be asked how it ended: there is no result id, no callback address, and no reference ' +
      'that the service knows it by: look at the terminal and at the records of the acquirer',
  }),
};

/**
 * The service answered "busy" or "too many requests", perhaps to a copy of this very request, and nobody can be asked: its callback
 * may still come.
 */
export const ONLY_CALLBACK: Verdict = {
  ...UNKNOWN,
  error: Object.freeze({
    code: 'ONLY_CALLBACK',
    name: 'OnlyCallback',
    message:
      'the service answered "busy" or "too many requests", but the operation may have begun all the same, and only a callback ' +
      'would say so: look at the terminal and at the records of the acquirer',
  }),
};

/** The reversal succeeded, and nobody has said yet what that did to the money. */
export const HOLD_OR_MONEY: Verdict = {
  ...UNKNOWN,
  error: Object.freeze({
    code: 'HOLD_OR_MONEY',
    name: 'HoldOrMoney',
    message:
      'the reversal was done, and it is not known yet whether it released a hold or gave back money that had been captured: ' +
      'look at the chain of the original',
  }),
};

const UNSAID = new Set(
  [UNKNOWN, FAILED_UNCONFIRMED, JOURNAL_UNAVAILABLE, WATCH_ENDED, SERVICE_CHANGED, NO_WITNESS, ONLY_CALLBACK].map(
    ({ error }) => error?.code,
  ),
);

/** It rests on no result that says how much it was. */
export function isUnsaid({ outcome, moneyMoved, error }: Verdict): boolean {
  return moneyMoved === 'unknown' && outcome !== 'provisional' && UNSAID.has(error?.code);
}

/** The terminal approved another amount than was requested, or its amounts contradict each other. */
export const AMOUNT_DIFFERS = Object.freeze({
  code: 'AMOUNT_DIFFERS',
  name: 'AmountDiffers',
  message:
    'the amounts in the result contradict what was requested, or each other, and tip, surcharge and tax do not explain it: check ' +
    'the records of the acquirer',
} as const);

/** A person must look at how much it was: until then nothing may be charged on top of it. */
export function withOtherAmount(verdict: Verdict): Verdict {
  return { ...verdict, retry: 'never', error: AMOUNT_DIFFERS };
}

/** The gateway has approved; the terminal has not confirmed it and may still reverse it. */
export const PROVISIONAL: Verdict = {
  outcome: 'provisional',
  moneyMoved: 'unknown',
  final: false,
  retry: 'after-recovery',
  error: Object.freeze({
    code: 'APPROVAL_UNCONFIRMED',
    name: 'ApprovalUnconfirmed',
    message:
      'the gateway has approved it, and the terminal has not confirmed that and may still reverse it: a correction follows',
  }),
};

/** An approval that the flow's own policy reversed, proven. */
export function reversedByPolicy(reason: Exclude<ReversalReason, 'second'>): Verdict {
  const error =
    reason === 'late'
      ? { code: 'LATE_APPROVAL_REVERSED', name: 'LateApproval', message: 'approved after the deadline, and reversed' }
      : { code: 'PARTIAL_APPROVAL_REVERSED', name: 'PartialApproval', message: 'partially approved, and reversed' };
  return { outcome: 'cancelled', moneyMoved: 'no', final: true, retry: 'safe', error };
}

/** Two attempts of one operation were approved; the later one is reversed, proven. */
export function secondReversed(first: Verdict): Verdict {
  return {
    ...first,
    error: {
      code: 'SECOND_ATTEMPT_REVERSED',
      name: 'SecondAttemptReversed',
      message: 'an earlier attempt was approved too, so the later one was reversed',
    },
  };
}

/** An approval that the flow's policy wanted reversed, with no proof that it was. */
export const REVERSAL_UNPROVEN: Verdict = {
  ...PROVISIONAL,
  error: Object.freeze({
    code: 'REVERSAL_UNPROVEN',
    name: 'ReversalUnproven',
    message: 'approved and due to be reversed, but the reversal is not confirmed',
  }),
};

/** A verdict on an operation whose end is not known: one that moves no money has moved none, and can be asked for again. */
export function verdictWithoutEnd(operation: Operation, verdict: Verdict): Verdict {
  if (movesMoney(operation)) return verdict;
  return { ...verdict, moneyMoved: 'no', ...(verdict.final && { retry: 'safe' as const }) };
}

/** The output a verdict leaves by. */
export function exitOf({ outcome, moneyMoved, error }: Verdict): Exit {
  if (needsAttention(outcome) || moneyMoved === 'unknown' || error?.code === AMOUNT_DIFFERS.code) {
    return 'needs-attention';
  }
  // A charge whose money has gone back is "refunded" too, and moved nothing.
  const isReturned = outcome === 'refunded' && moneyMoved !== 'yes';
  return isSuccess(outcome) && !isReturned ? 'done' : 'not-done';
}

/** Whether what was requested was done, or may have been: moved, held, or released. */
export function mayBeDone(verdict: Verdict): boolean {
  return exitOf(verdict) !== 'not-done';
}

/** Why an approval is reversed: too late, only a part, or an earlier attempt of the operation was approved as well. */
export type ReversalReason = 'late' | 'partial' | 'second';

/** Whether money moved. */
export type MoneyMoved =
  /** As much as was asked for. */
  | 'yes'
  /** A part of what was asked for. */
  | 'partly'
  /** Certainly not. */
  | 'no'
  /** Nobody could say so far. */
  | 'unknown';

/** What the flow learns: whether money moved, whether that is final, whether it may try again. */
export interface Verdict {
  /** What became of the operation. */
  outcome: Outcome;
  /** Whether money moved. A hold moves none before its capture. */
  moneyMoved: MoneyMoved;
  /** False while a correction may follow. */
  final: boolean;
  /** Whether the flow may try again, and what has to happen first. */
  retry: Retry;
  /** Why the operation was not done, or why a person must look. */
  error?: ErrorReport;
}

/** A reason, in `payload.error`. */
export interface ErrorReport {
  /** Stable code to branch on: one of this package, of the service, or of the issuer. */
  code: string;
  /** Name of the error, such as `TerminalBusy` or the service's own. */
  name: string;
  /** Explanation for people. May change, and may be in the language of the card. */
  message: string;
}

/** Which witness a verdict rests on. */
export type Source =
  /** The terminal's result, as it was called back. */
  | 'callback'
  /** The terminal's result, as it was polled. */
  | 'poll'
  /** The status service. */
  | 'status'
  /** The response to the request. */
  | 'answer'
  /** No witness: a rule of the recovery decided, such as a limit that passed. */
  | 'recovery'
  /** The journal, after a restart: signature and card token are not kept, receipts only where the environment keeps them. */
  | 'journal';

/** How a message leaves the node: by one of three outputs, or to Catch. */
export type Exit = 'done' | 'not-done' | 'needs-attention' | 'mistake';
