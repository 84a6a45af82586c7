import { withoutAbsent } from '../../../core/base/objects.js';
import { RECOVERY_LIMIT } from '../../../core/base/timings.js';
import { type Reason, reasonIn } from '../../../core/delivery/decline-reason.js';
import { progressOf } from '../../../core/delivery/progress.js';
import { type Annotation, handlingOf } from '../../../core/journal/annotation.js';
import { type OperationRecord, originalIn } from '../../../core/journal/record.js';
import { isReversal, type Kind, kindOf } from '../../../core/operation/kinds.js';
import { hasApproval, needsAttention } from '../../../core/operation/outcome.js';
import { chainReferenceOf } from '../../../core/original/chain-reference.js';
import { isCaptured, reportedOutcome } from '../../../core/original/reversal.js';
import type { Receipts } from '../../runtime/receipts/recent-receipts.js';
import { type Detail, type Refundable, type Reversible, type Summary, takenBackBy } from '../contract.js';
import { bankFactsOf } from './bank-facts.js';
import { type Money, moneyOf } from './money.js';

const REVERSIBLE: Partial<Record<Kind, Reversible>> = {
  charge: 'payment',
  capture: 'payment',
  refund: 'refund',
  hold: 'hold',
};

/**
 * @param now epoch ms
 * @param said what people said about it
 */
export function summaryOf(record: OperationRecord, now: number, said?: readonly Annotation[]): Summary {
  const { operationId, environment, origin, createdAt, operation, terminal, state } = record;
  const stage = progressOf(record, now)?.stage;
  const reverses = reversalIn(record);
  const outcome = reportedOutcome(record);
  const handling = handlingOf(record, said);
  const isDoubtful = isInDoubt(record, outcome);
  const undelivered = isUndelivered(record, stage) || undefined;
  const isWatched = stage === undefined && !record.closed && isDoubtful && !undelivered;
  const money = moneyOf(record, hasApproval(state.reported));
  return withoutAbsent({
    id: operationId,
    environment,
    node: origin.node,
    at: createdAt,
    operation,
    terminal: terminal?.serial_number ?? '',
    ...money,
    requested: otherThanMoved(record, money),
    orderKey: origin.key?.text,
    transactionId: record.transactionId ?? '',
    original: originalIn(record) ?? '',
    ...bankFactsOf(record),
    reverses,
    outcome,
    reason: reasonOf(record),
    handling,
    stage: isWatched ? 'watching' : stage,
    until: stage === 'checking' && 'attemptAt' in state ? state.attemptAt + RECOVERY_LIMIT : undefined,
    undelivered,
    standing:
      stage !== undefined
        ? 'open'
        : wantsAttention(isDoubtful || undelivered === true, handling)
          ? 'attention'
          : 'over',
  });
}

/** What was asked for, where that is another amount than what moved. */
function otherThanMoved(record: OperationRecord, { amount: moved }: Money): string | undefined {
  const { amount } = moneyOf(record, false);
  return amount === '' || amount === moved ? undefined : amount;
}

/** Nobody may rely on it, or more was done than was asked for. */
function isInDoubt({ state, closed }: OperationRecord, outcome: Summary['outcome']): boolean {
  if (needsAttention(outcome) || state.reportedError?.code === 'AMOUNT_DIFFERS') return true;
  // Where it is still watched, it may turn into an approval.
  return outcome === 'failed' && !closed;
}

/** It is over, and its result, or an alarm about it, waits for somebody to take it. */
function isUndelivered({ state }: OperationRecord, stage: Summary['stage']): boolean {
  return stage === undefined && (state.pending !== undefined || ('isAlarmDue' in state && state.isAlarmDue === true));
}

function wantsAttention(isDoubtful: boolean, handling: Summary['handling']): boolean {
  return handling === 'overturned' || (isDoubtful && handling === undefined);
}

/** The summary of an operation whose environment was removed while it was open: nothing drives it any more. */
export function abandonedSummaryOf(record: OperationRecord, now: number): Summary {
  return { ...summaryOf(record, now), stage: 'abandoned', standing: 'attention' };
}

/** Operations that have to do with another one. */
export interface Related {
  original?: OperationRecord;
  /** Operations about its transaction. */
  followUps: readonly OperationRecord[];
}

/** What only the journal and the environment know of an operation. */
export interface Beside {
  said?: readonly Annotation[];
  refundable?: Refundable;
  receipts?: Receipts;
}

export function detailOf(record: OperationRecord, related: Related, now: number, beside: Beside = {}): Detail {
  const { said = [], refundable, receipts } = beside;
  const summary = summaryOf(record, now, said);
  const reversal = reversalAmong(related.followUps, summary, now);
  return withoutAbsent({
    summary,
    original: related.original && summaryOf(related.original, now),
    takenBackBy: reversal,
    resultId: record.resultId ?? '',
    references: record.references,
    timeline: timelineOf(record, said),
    result: record.result ?? {},
    receipts,
    reversible: reversal === undefined ? reversibleAs(record, related.followUps) : undefined,
    refundable,
    canFetchReceipts: receipts === undefined && record.closed && record.resultId !== undefined,
    canCheck: !record.closed || chainReferenceOf(record) !== undefined,
    canHandle: summary.standing === 'attention' ? 'handle' : summary.handling === 'handled' ? 'withdraw' : undefined,
  });
}

/** With what people said, each at its time. */
function timelineOf({ timeline, createdAt }: OperationRecord, said: readonly Annotation[]): Detail['timeline'] {
  // When something unreadable was said is not known.
  const lines = said.map(({ at, event, by, note }) => ({ at: Math.max(at, createdAt), event, by, note }));
  return [...timeline, ...lines].sort((a, b) => a.at - b.at);
}

/** The full reversal of an operation, done or open. */
export function reversalAmong(
  followUps: readonly OperationRecord[],
  original: Summary,
  now: number,
): Summary | undefined {
  return followUps
    .map((record) => summaryOf(record, now))
    .find((summary) => takenBackBy(original, summary) !== undefined);
}

/** What a reversal at the gateway would give back; undefined where there is nothing. The service may still refuse it. */
export function reversibleAs(
  { operation, transactionId, state }: OperationRecord,
  followUps: readonly OperationRecord[],
): Reversible | undefined {
  if (!transactionId || !hasApproval(state.reported) || followUps.some(mayHaveRefunded)) return undefined;
  const reversible = REVERSIBLE[kindOf(operation)];
  return reversible === 'hold' && isCaptured(followUps) !== false ? 'payment' : reversible;
}

/** A reversal would give it back once more. */
function mayHaveRefunded({ operation, state: { reported } }: OperationRecord): boolean {
  return (
    kindOf(operation) === 'refund' && (reported === undefined || hasApproval(reported) || needsAttention(reported))
  );
}

/** Whether a reversal is full or partial; undefined for any other operation. */
function reversalIn(record: OperationRecord): Summary['reverses'] {
  if (!isReversal(record.operation)) return undefined;
  return moneyOf(record, false).amount === '' ? 'whole' : 'part';
}

/** Why a payment was not done as requested; undefined where nothing explains it. */
function reasonOf(record: OperationRecord): Reason | undefined {
  const { reported, reportedError } = record.state;
  if (reportedError === undefined) return reasonIn(reported, record.result);
  return { code: reportedError.code, message: reportedError.message };
}
