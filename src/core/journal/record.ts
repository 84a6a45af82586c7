import type { TerminalAddress } from '../api/schema/fields.js';
import type { TransactionOperation } from '../api/schema/operation-rules.js';
import type { TransactionOrder } from '../api/schema/transaction-request.js';
import type { BackOfficeState } from '../lifecycle/back-office/state.js';
import type { LifecycleState } from '../lifecycle/terminal/lifecycle.js';
import { type BackOfficeOperation, type BackOfficeOrder, originalOf } from '../operation/back-office-order.js';
import type { TimelineEntry } from '../operation/event.js';
import type { ReversedKind } from '../operation/kinds.js';
import type { Origin, Policies } from '../operation/order.js';

interface AnyRecord {
  /** UUID v4. */
  operationId: string;
  /** Id of the environment that runs it. */
  environment: string;
  /** The service it was sent to, see `service.ts`. */
  service: string;
  /** The engine that works on it, and holds its lease. */
  owner: string;
  origin: Origin;
  /** Epoch ms. */
  createdAt: number;
  /** Epoch ms. */
  updatedAt: number;
  /** The attempt ids, newest last; the first is the `operationId`. Sent as `transactionReference` where it is honoured. */
  references: string[];
  /** `transactionResultId` of the latest attempt. */
  resultId?: string;
  /** What the service calls what this operation made. */
  transactionId?: string;
  /** Of a reversal: what it takes back, where this journal knows. */
  reverses?: ReversedKind;
  /** Read from a journal that does not keep all of the order: it cannot be sent any more. See `journal/written.ts`. */
  incomplete?: true;
  /** Of a reversal that names no amount: what the whole comes to, where this journal knows. Minor units, as digits. */
  reversedAmount?: { amount: string; currency: string };
  /** The latest result the service gave, redacted. */
  result?: Record<string, unknown>;
  timeline: TimelineEntry[];
  /** True when nothing more is owed to the flow and nothing more is watched. */
  closed: boolean;
}

export interface TerminalRecord extends AnyRecord {
  kind: 'terminal';
  operation: TransactionOperation;
  terminal: TerminalAddress;
  request: TransactionOrder;
  policies: Policies;
  /** Of the chain that the original belongs to, where this journal knows it. */
  originalReference?: string;
  /** Where the lifecycle stands. */
  state: LifecycleState;
}

export interface BackOfficeRecord extends AnyRecord {
  kind: 'back-office';
  operation: BackOfficeOperation;
  terminal?: TerminalAddress;
  request: BackOfficeOrder;
  state: BackOfficeState;
}

/** The durable record of one operation. JSON-safe, and free of secrets and card data. */
export type OperationRecord = TerminalRecord | BackOfficeRecord;

/** The transaction that an operation is about. */
export function originalIn({ request }: Pick<OperationRecord, 'request'>): string | undefined {
  return 'body' in request ? originalOf(request) : request.originalTransactionId;
}
