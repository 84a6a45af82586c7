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
