import type { Outcome, Source, Verdict } from './verdict.js';

/** What is owed to the flow, over the lives of several engines. */

export interface DeliveryState {
  /** What the flow was told last, or is owed. */
  reported?: Outcome;
  /** What that was because of, where there was an error. */
  reportedError?: Verdict['error'];
  deliveries?: number;
  pending?: PendingDelivery;
}

/** A new verdict. What was owed and certainly never handed over is replaced, not corrected. */
export function enqueueVerdict(
  { pending, reported, deliveries = 0 }: DeliveryState,
  say: Pick<PendingDelivery, 'verdict' | 'source' | 'mistake'>,
): DeliveryState {
  const correction =
    pending === undefined ? reported !== undefined : pending.correction || pending.mayBeDelivered === true;
  const sequence = deliveries + 1;
  const { outcome, error } = say.verdict;
  return { pending: { ...say, sequence, correction }, deliveries: sequence, reported: outcome, reportedError: error };
}

/** The flow has been handed what was owed under a number. */
export function confirm(owed: PendingDelivery | undefined, telling: number): PendingDelivery | undefined {
  return owed?.sequence === telling ? undefined : owed;
}

/** This engine stops, and has not handed it over. */
export function markUndelivered(owed: PendingDelivery | undefined): PendingDelivery | undefined {
  return owed === undefined || owed.mayBeDelivered ? owed : { ...owed, undelivered: true };
}

/** The next engine takes it up: from now on it may be handed over at any moment. */
export function resume(owed: PendingDelivery | undefined): PendingDelivery | undefined {
  if (owed === undefined) return undefined;
  const { undelivered, ...rest } = owed;
  return undelivered ? rest : { ...rest, mayBeDelivered: true };
}

/** A verdict that the flow has not been told yet. */
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
