import { chainReferenceOf } from '../../core/chain-reference.js';
import { originalIn } from '../../core/journal/query.js';
import { RECOVERY_LIMIT } from '../../core/limits.js';
import type { OperationRecord, Outcome, Progress, TimelineEntry } from '../../core/operation.js';
import { present } from '../../core/present.js';
import { progressOf } from '../../core/progress.js';
import type { Reason } from '../../core/reason.js';
import { isCaptured, outcomeTold, takesBack } from '../../core/undoing.js';
import { needsAttention } from '../../core/verdict.js';
import { moneyOf } from './admin-money.js';
import { reasonOf } from './admin-reason.js';
import { type Receipts, receiptsOf } from './admin-receipts.js';
import { takenBackBy } from './taken-back.js';

/** What the editor shows of an operation. No key, no token, no card number, nothing of the flow's message. */

export interface Summary {
  id: string;
  /** Id of its environment. */
  environment: string;
  /** Id of the node that its message came to. */
  node: string;
  /** Epoch ms. */
  at: number;
  operation: string;
  /** Serial number; empty where none is needed. */
  terminal: string;
  /** Decimal in major units; empty where the operation has none. What moved, once that is known. */
  amount: string;
  currency: string;
  /** What the service calls what it made; empty where it made nothing. */
  transactionId: string;
  /** What it is about, as the service calls that; empty where it is about nothing else. */
  original: string;
  /** It takes its original back. */
  reverses?: 'whole' | 'part';
  /** What the flow was told last. */
  outcome?: Outcome;
  /** Where it stands while it goes on. */
  stage?: Progress['stage'] | 'abandoned';
  /** Epoch ms until which the truth is looked for, while it is in doubt. */
  until?: number;
  /** The flow waits for it; a person should look; or it is over. */
  standing: 'open' | 'attention' | 'over';
}

export interface Detail {
  summary: Summary;
  /** Why it did not go as it was asked to. */
  reason?: Reason;
  /** What it is about, where that is known here. */
  original?: Summary;
  /** What took it back as a whole, or is about to. */
  takenBackBy?: Summary;
  resultId: string;
  references: string[];
  timeline: TimelineEntry[];
  /** The service's latest answer, redacted. */
  result: Record<string, unknown>;
  receipts?: Receipts;
  /** Absent: it cannot be reversed, or was. */
  reversible?: Reversible;
  canCheck: boolean;
}

/** What a reversal gives back: a payment to the cardholder, a refund to the merchant, or a hold to nobody. */
export type Reversible = 'payment' | 'refund' | 'hold';

const REVERSIBLE: Readonly<Record<string, Reversible>> = {
  sale: 'payment',
  saleAndTokenizeCard: 'payment',
  moToSale: 'payment',
  'moto/sale': 'payment',
  'preauthorization/capture': 'payment',
  refund: 'refund',
  moToRefund: 'refund',
  'moto/refund': 'refund',
  preAuthorization: 'hold',
  moToPreAuthorization: 'hold',
};
const MOVED: ReadonlySet<string> = new Set(['approved', 'refunded', 'completed', 'partial', 'provisional']);

/** @param now epoch ms */
export function summaryOf(record: OperationRecord, now: number): Summary {
  const { operationId, environment, origin, createdAt, operation, terminal, state } = record;
  const stage = progressOf(record, now)?.stage;
  const reverses = reversalIn(record);
  const outcome = outcomeTold(record);
  const isDoubtful = needsAttention(outcome);
  const isWatched = stage === undefined && !record.closed && isDoubtful;
  return {
    id: operationId,
    environment,
    node: origin.node,
    at: createdAt,
    operation,
    terminal: terminal?.serial_number ?? '',
    ...moneyOf(record, hasMoved(state)),
    transactionId: record.transactionId ?? '',
    original: originalIn(record) ?? '',
    ...(reverses === undefined ? {} : { reverses }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(stage === undefined ? (isWatched ? { stage: 'watching' } : {}) : { stage }),
    ...(stage === 'checking' && 'attemptAt' in state ? { until: state.attemptAt + RECOVERY_LIMIT } : {}),
    standing: stage !== undefined ? 'open' : isDoubtful ? 'attention' : 'over',
  };
}

/** Of an operation whose environment was removed while it was open: nobody follows it. */
export function abandonedSummaryOf(record: OperationRecord, now: number): Summary {
  return { ...summaryOf(record, now), stage: 'abandoned', standing: 'attention' };
}

/** What else the journal knows that has to do with an operation. */
export interface Related {
  original?: OperationRecord;
  /** Operations about what it made. */
  followUps: readonly OperationRecord[];
}

export function detailOf(record: OperationRecord, related: Related, now: number): Detail {
  const summary = summaryOf(record, now);
  const reversal = reversalAmong(related.followUps, summary, now);
  return {
    summary,
    ...present('reason', reasonOf(record)),
    ...present('original', related.original && summaryOf(related.original, now)),
    ...present('takenBackBy', reversal),
    resultId: record.resultId ?? '',
    references: record.references,
    timeline: record.timeline,
    result: record.result ?? {},
    ...present('receipts', receiptsOf(record.operationId)),
    ...present('reversible', reversal === undefined ? reversibleAs(record, related.followUps) : undefined),
    canCheck: !record.closed || chainReferenceOf(record) !== undefined,
  };
}

/** The reversal that took all of an operation back, or is about to. */
export function reversalAmong(
  followUps: readonly OperationRecord[],
  original: Summary,
  now: number,
): Summary | undefined {
  return followUps
    .map((record) => summaryOf(record, now))
    .find((summary) => takenBackBy(original, summary) !== undefined);
}

/** What a reversal at the gateway would give back; undefined where there is nothing. The service decides whether it takes place. */
export function reversibleAs(
  { operation, transactionId, state }: OperationRecord,
  followUps: readonly OperationRecord[],
): Reversible | undefined {
  if (!transactionId || !hasMoved(state)) return undefined;
  const kind = REVERSIBLE[operation];
  return kind === 'hold' && isCaptured(followUps) !== false ? 'payment' : kind;
}

function hasMoved({ told }: OperationRecord['state']): boolean {
  return told !== undefined && MOVED.has(told);
}

/** Of an operation that takes another one back: all of it, or a part. */
function reversalIn(record: OperationRecord): Summary['reverses'] {
  if (!takesBack(record.operation)) return undefined;
  return moneyOf(record, false).amount === '' ? 'whole' : 'part';
}
