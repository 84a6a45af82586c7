import { askedOf } from '../../core/back-office/report.js';
import { chainReferenceOf } from '../../core/chain-reference.js';
import { originalIn } from '../../core/journal/query.js';
import { RECOVERY_LIMIT } from '../../core/limits.js';
import { toMajorString } from '../../core/money.js';
import type { OperationRecord, Outcome, Progress, TimelineEntry } from '../../core/operation.js';
import { progressOf } from '../../core/progress.js';
import { needsAttention } from '../../core/verdict.js';
import { type Receipts, receiptsOf } from './admin-receipts.js';

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
  /** What the flow was told last. */
  outcome?: Outcome;
  /** Where it stands while it goes on. */
  stage?: Progress['stage'];
  /** Epoch ms until which the truth is looked for, while it is in doubt. */
  until?: number;
  /** The flow waits for it; a person should look; or it is over. */
  standing: 'open' | 'attention' | 'over';
}

export interface Detail {
  summary: Summary;
  transactionId: string;
  original: string;
  resultId: string;
  references: string[];
  timeline: TimelineEntry[];
  /** The service's latest answer, redacted. */
  result: Record<string, unknown>;
  receipts?: Receipts;
  canReverse: boolean;
  canCheck: boolean;
}

const REVERSIBLE: ReadonlySet<string> = new Set([
  'sale',
  'saleAndTokenizeCard',
  'refund',
  'preAuthorization',
  'moToSale',
  'moToRefund',
  'moToPreAuthorization',
  'moto/sale',
  'moto/refund',
  'preauthorization/capture',
]);
const MOVED: ReadonlySet<string> = new Set(['approved', 'refunded', 'completed', 'partial', 'provisional']);

/** @param now epoch ms */
export function summaryOf(record: OperationRecord, now: number): Summary {
  const { operationId, environment, origin, createdAt, operation, terminal, state } = record;
  const stage = progressOf(record, now)?.stage;
  const isDoubtful = needsAttention(state.told);
  const isWatched = stage === undefined && !record.closed && isDoubtful;
  return {
    id: operationId,
    environment,
    node: origin.node,
    at: createdAt,
    operation,
    terminal: terminal?.serial_number ?? '',
    ...moneyOf(record),
    ...(state.told === undefined ? {} : { outcome: state.told }),
    ...(stage === undefined ? (isWatched ? { stage: 'watching' } : {}) : { stage }),
    ...(stage === 'checking' && 'attemptAt' in state ? { until: state.attemptAt + RECOVERY_LIMIT } : {}),
    standing: stage !== undefined ? 'open' : isDoubtful ? 'attention' : 'over',
  };
}

/** @param followUps operations about what this one made */
export function detailOf(record: OperationRecord, followUps: readonly OperationRecord[], now: number): Detail {
  const receipts = receiptsOf(record.operationId);
  return {
    summary: summaryOf(record, now),
    transactionId: record.transactionId ?? '',
    original: originalIn(record) ?? '',
    resultId: record.resultId ?? '',
    references: record.references,
    timeline: record.timeline,
    result: record.result ?? {},
    ...(receipts === undefined ? {} : { receipts }),
    canReverse: canBeReversed(record) && !followUps.some(isWholeReversal),
    canCheck: !record.closed || chainReferenceOf(record) !== undefined,
  };
}

/** Whether a reversal at the gateway can be asked for. The service decides whether it still takes place. */
export function canBeReversed({ operation, transactionId, state }: OperationRecord): boolean {
  return REVERSIBLE.has(operation) && Boolean(transactionId) && state.told !== undefined && MOVED.has(state.told);
}

function isWholeReversal(record: OperationRecord): boolean {
  const isReversal = record.operation === 'reversal' || record.operation.endsWith('Reversal');
  return isReversal && record.state.told !== undefined && MOVED.has(record.state.told) && moneyOf(record).amount === '';
}

function moneyOf(record: OperationRecord): { amount: string; currency: string } {
  if (record.kind === 'back-office') {
    const { amount = '', currency = '' } = askedOf(record.request) ?? {};
    return { amount, currency };
  }
  const { amount, currency } = record.request;
  if (amount === undefined || currency === undefined) return { amount: '', currency: '' };
  const total = record.result?.totalAmount;
  const hasMoved = record.state.told !== undefined && MOVED.has(record.state.told);
  const isKnown = hasMoved && typeof total === 'number' && Number.isSafeInteger(total);
  return { amount: toMajorString(isKnown ? total : BigInt(amount), currency), currency };
}
