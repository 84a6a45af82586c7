import type { Outcome } from './outcome.js';
import { exitOf, type Source, UNKNOWN, type Verdict } from './verdict.js';

/** The verdicts that the flow gets, kept in the journal over the lives of several engines. */

export interface DeliveryState {
  /** Outcome of the newest verdict, delivered or pending. */
  reported?: Outcome;
  /** The error of that verdict, where it had one. */
  reportedError?: Verdict['error'];
  /** How many verdicts there have been. */
  deliveries?: number;
  /** The newest verdict: what a message is told that repeats the order. */
  latest?: LatestVerdict;
  pending?: PendingDelivery;
}

/** A verdict, and its place among the verdicts of its operation. */
export type LatestVerdict = Pick<PendingDelivery, 'sequence' | 'verdict' | 'source' | 'mistake'>;

/** A new verdict. It replaces a pending one that was certainly never handed over, and corrects any other. */
export function enqueueVerdict(
  { pending, reported, deliveries = 0 }: DeliveryState,
  next: Pick<PendingDelivery, 'verdict' | 'source' | 'mistake'>,
): DeliveryState {
  const correction =
    pending === undefined ? reported !== undefined : pending.correction || pending.mayBeDelivered === true;
  const sequence = deliveries + 1;
  const { outcome, error } = next.verdict;
  return {
    pending: { sequence, correction, ...next },
    latest: { sequence, ...next },
    deliveries: sequence,
    reported: outcome,
    reportedError: error,
  };
}

/** The flow was told "unknown" because the journal could not be written: what follows is a correction. */
export function noteUnavailable({ pending }: DeliveryState): DeliveryState {
  return pending === undefined ? { reported: 'unknown' } : { pending: { ...pending, correction: true } };
}

/** What was final has been contradicted: nobody may rely on it any more. */
export function contradict(
  { deliveries = 0 }: DeliveryState,
  latest: Pick<LatestVerdict, 'verdict' | 'source'>,
): DeliveryState {
  const sequence = deliveries + 1;
  return { latest: { sequence, ...latest }, deliveries: sequence };
}

/**
 * It is final that nothing was done of what was asked for, so that the order may be attempted anew. A hold moves no money
 * either, but it was done.
 */
export function isUndone({ latest }: DeliveryState): boolean {
  if (latest === undefined) return false;
  const { verdict, mistake } = latest;
  return verdict.final && verdict.moneyMoved === 'no' && (mistake === true || exitOf(verdict) === 'not-done');
}

/** Nothing that is known is final yet, or what was has been contradicted. */
export function isOpenQuestion({ latest }: DeliveryState): boolean {
  return latest?.verdict.final === false;
}

/** The flow was handed the verdict with this number. A newer one stays pending. */
export function confirm(pending: PendingDelivery | undefined, sequence: number): PendingDelivery | undefined {
  return pending?.sequence === sequence ? undefined : pending;
}

/** This engine stops before it handed the verdict over. */
export function markUndelivered(pending: PendingDelivery | undefined): PendingDelivery | undefined {
  return pending === undefined || pending.mayBeDelivered ? pending : { ...pending, undelivered: true };
}

/** The next engine resumes the delivery: from now on it may be handed over at any moment. */
export function resume(pending: PendingDelivery | undefined): PendingDelivery | undefined {
  if (pending === undefined) return undefined;
  const { undelivered, ...rest } = pending;
  return undelivered ? rest : { ...rest, mayBeDelivered: true };
}

/**
 * The next engine takes it up: nobody listened since, so that a "no" that was not final may be true no more. It is a question
 * until something shows.
 */
export function withoutOldNo<State extends DeliveryState>(state: State): State {
  const { pending } = state;
  if (pending === undefined || pending.verdict.final || pending.verdict.moneyMoved !== 'no') return state;
  const { undelivered } = pending;
  // A number of its own: whoever has got the "no" is to hear of the question too.
  const sequence = (state.deliveries ?? pending.sequence) + 1;
  const question = { sequence, verdict: UNKNOWN, source: 'recovery' as const };
  const correction = pending.correction || undelivered !== true;
  return {
    ...state,
    pending: { ...pending, ...question, correction },
    latest: question,
    deliveries: sequence,
    reported: UNKNOWN.outcome,
  };
}

/** A verdict that is not known to have reached the flow. */
export interface PendingDelivery {
  /** Counts the verdicts of an operation. */
  sequence: number;
  verdict: Verdict;
  source: Source;
  correction: boolean;
  /** The flow or its configuration is at fault: Catch, not an output. */
  mistake?: boolean;
  /** Known not to have been handed over when its engine stopped. */
  undelivered?: boolean;
  /** An earlier engine may have handed it over: it died before it could note that. */
  mayBeDelivered?: boolean;
}
