/** What became of an operation. */
export type Outcome =
  /** The payment, hold, capture or tip was approved as asked. */
  | 'approved'
  /** An operation that moves no money was done, or a hold was released. */
  | 'completed'
  /** The refund or the reversal was done. Of a sale: its money has gone back already. */
  | 'refunded'
  /** Only a part was approved, or is left after a partial refund. */
  | 'partial'
  /** The issuer, the acquirer or the gateway declined. */
  | 'declined'
  /** Cancelled on the terminal, by the flow, or reversed by the policy of the node. */
  | 'cancelled'
  /** A technical failure. */
  | 'failed'
  /** The service refused the request: the terminal is busy or offline, or the request does not fit the payment. */
  | 'refused'
  /** Proven that nothing was charged, or never sent. */
  | 'not-charged'
  /** Nobody could say so far. A person must look, unless a correction follows. */
  | 'unknown'
  /** The gateway approved, but the terminal has not confirmed it and may still reverse it. */
  | 'provisional';

/** Done as requested; not done at all; or done in part or in doubt, so that a person should look. */
const CLASSES: Readonly<Record<Outcome, 'success' | 'failure' | 'attention'>> = {
  approved: 'success',
  completed: 'success',
  refunded: 'success',
  partial: 'attention',
  declined: 'failure',
  cancelled: 'failure',
  failed: 'failure',
  refused: 'failure',
  'not-charged': 'failure',
  unknown: 'attention',
  provisional: 'attention',
};

export const OUTCOMES: readonly string[] = Object.keys(CLASSES);

/** Whether all of what was requested was done. */
export function isSuccess(outcome: Outcome | undefined): boolean {
  return outcome !== undefined && CLASSES[outcome] === 'success';
}

/** Whether a person should look at the operation. */
export function needsAttention(outcome: Outcome | undefined): boolean {
  return outcome !== undefined && CLASSES[outcome] === 'attention';
}

/** Whether the gateway approved what was requested, or a part of it. */
export function hasApproval(outcome: Outcome | undefined): boolean {
  return isSuccess(outcome) || outcome === 'partial' || outcome === 'provisional';
}
