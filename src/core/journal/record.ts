import type { TerminalAddress } from '../api/schema/fields.js';
import type { TransactionOperation } from '../api/schema/operation-rules.js';
import type { TransactionOrder } from '../api/schema/transaction-request.js';
import { BACKUP_AGE } from '../base/timings.js';
import type { SaidAmounts } from '../lifecycle/back-office/reply.js';
import type { BackOfficeState } from '../lifecycle/back-office/state.js';
import type { LifecycleState } from '../lifecycle/terminal/lifecycle.js';
import { type BackOfficeOperation, type BackOfficeOrder, originalOf } from '../operation/back-office-order.js';
import type { TimelineEntry } from '../operation/event.js';
import type { Operation, ReversedKind } from '../operation/kinds.js';
import type { Origin, Policies } from '../operation/order.js';

interface AnyRecord {
  /** UUID v4. */
  operationId: string;
  /** Id of the environment that runs it. */
  environment: string;
  /** Identifies the service it was sent to, see `engine/service-id.ts`. */
  service: string;
  /** Id of the engine that works on it and holds its lease. */
  owner: string;
  /**
   * Its place among all records of the journal, in the order in which they were recorded. Set by the journal, in what it
   * gives out. Orders what happened to a payment: a clock may be moved.
   */
  sequence?: number;
  /** Which claim of the operation may write it: grows with each. Set by the journal; always 1 where one process has it. */
  fence?: number;
  /**
   * How long the journal had been in use when this was written, ms. Set by the journal, which counts it by no clock: see
   * `Journal.prune`.
   */
  age?: number;
  origin: Origin;
  /** Orders with a key only: how many operations the order has had, this one included. */
  attempt?: number;
  /** Epoch ms. */
  createdAt: number;
  /** Epoch ms. */
  updatedAt: number;
  /**
   * The attempt ids, newest last; the first is the `operationId`. Sent as `transactionReference` where the service honours
   * that.
   */
  references: string[];
  /** `transactionResultId` of the latest attempt. */
  resultId?: string;
  /** The service's id of the transaction that this operation made. */
  transactionId?: string;
  /** Reversals only: the kind of operation it takes back, where this journal knows it. */
  reverses?: ReversedKind;
  /** The journal does not hold all of the order, so it must not be sent. See `persisted.ts`. */
  incomplete?: true;
  /** Full reversals only: the amount of the original, where this journal knows it. Minor units, as digits. */
  reversedAmount?: { amount: string; currency: string };
  /** The latest result the service gave, redacted. */
  result?: Record<string, unknown>;
  timeline: TimelineEntry[];
  /** True when every verdict was delivered and nothing is watched any more. */
  closed: boolean;
}

export interface TerminalRecord extends AnyRecord {
  kind: 'terminal';
  operation: TransactionOperation;
  terminal: TerminalAddress;
  request: TransactionOrder;
  policies: Policies;
  /** The reference of the chain that the original belongs to, where this journal knows it. */
  originalReference?: string;
  state: LifecycleState;
}

export interface BackOfficeRecord extends AnyRecord {
  kind: 'back-office';
  operation: BackOfficeOperation;
  terminal?: TerminalAddress;
  request: BackOfficeOrder;
  /** What the answer said of the amount; absent where a verdict rests on an entry of the chain. */
  said?: SaidAmounts;
  state: BackOfficeState;
}

/** The durable record of one operation. JSON-safe, and free of secrets and card data. */
export type OperationRecord = TerminalRecord | BackOfficeRecord;

/** A message that repeats an order under its key. It sends nothing, and is told what becomes of the first. */
export interface RepeatRecord {
  kind: 'repeat';
  /** UUID v4. */
  id: string;
  environment: string;
  /** `operationId` of the first. */
  first: string;
  /** What the first is; absent where an earlier version of this package wrote it. */
  operation?: Operation;
  origin: Origin;
  /** Epoch ms. */
  createdAt: number;
  /** The latest verdict of the first that it was told, by its number. */
  told?: number;
}

/**
 * Whether a record is so old that it may come from a backup: the process that wrote it may have done more since. Nobody
 * knows the age of a record from the future. @param now epoch ms
 */
export function mayBeBackup({ updatedAt }: Pick<OperationRecord, 'updatedAt'>, now: number): boolean {
  const age = now - updatedAt;
  return age < 0 || age > BACKUP_AGE;
}

/** The id of the transaction that an operation refers to. */
export function originalIn({ request }: Pick<OperationRecord, 'request'>): string | undefined {
  return 'body' in request ? originalOf(request) : request.originalTransactionId;
}

/** It has been sent, and may be on its terminal: between two attempts it is not. */
export function mayBeAtWork(record: OperationRecord | undefined): boolean {
  return record?.state.phase === 'sending' || record?.state.phase === 'waiting';
}

/** It waits for its turn: it was not sent, and has changed nothing. */
export function waitsForTurn({ state: { phase } }: OperationRecord): boolean {
  return phase === 'queued' || phase === 'preparing';
}
