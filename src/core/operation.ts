import type { TransactionOperation, TransactionOrder } from './api/transaction-request.js';
import type { BackOfficeOperation, BackOfficeOrder } from './back-office/operations.js';
import type { BackOfficeState } from './back-office/state.js';
import type { PaymentError } from './errors.js';
import type { LifecycleState } from './lifecycle.js';
import type { Undone } from './undoing.js';

/** A terminal as the service addresses it; the pair is needed for everything that is sent to one. */
export interface TerminalAddress {
  serial_number: string;
  terminal_type: string;
}

/** Where a message came from, and what it carried: enough to send its answer after a restart. */
export interface Origin {
  /** Id of the node that took the message. */
  node: string;
  /** JSON-safe copy of the whole message, capped in size. */
  message: Record<string, unknown>;
}

/** What the flow decides in advance for the moments when nobody is there to ask. Times in ms. */
export interface Policies {
  /** How long to wait and try again while the terminal answers busy (1001). 0: report it at once. */
  busyWaitMs: number;
  /** After this time the terminal is asked to stop, and an approval counts as late. Absent: the recovery limit, 360 s. */
  deadlineMs?: number;
  /** A late approval, or one that only the status service knows: report it, or reverse it and prove it. */
  lateApproval: 'report' | 'reverse';
  /** A partial approval: keep the part, or reverse it. */
  partialApproval: 'accept' | 'reverse';
}

/** One thing asked for one message, checked and complete but for what the engine adds to each attempt. */
export interface Order {
  /** The request body without `transactionReference`, `callbackUrl` and `token`: those belong to an attempt. */
  request: TransactionOrder;
  policies: Policies;
  origin: Origin;
}

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

export type MoneyMoved = 'yes' | 'partly' | 'no' | 'unknown';
export type Retry = 'never' | 'safe' | 'after-cardholder' | 'after-recovery' | 'remainder-only';

/** What a result means: did money move, is that final, may it be tried again. */
export interface Verdict {
  outcome: Outcome;
  moneyMoved: MoneyMoved;
  final: boolean;
  retry: Retry;
  error?: { code: string; name: string; message: string };
}

/** Who said it: the terminal by callback or poll, the status service, the answer to the request, or the journal after a restart. */
export type Source = 'callback' | 'poll' | 'status' | 'answer' | 'recovery' | 'journal';

export interface TimelineEntry {
  /** Epoch ms. */
  at: number;
  event: string;
}

export type Operation = TransactionOperation | BackOfficeOperation;

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
  undoes?: Undone;
  /** Read from a journal that does not keep all of the order: it cannot be sent any more. See `journal/written.ts`. */
  incomplete?: true;
  /** Of a reversal that names no amount: what the whole comes to, where this journal knows. Minor units, as digits. */
  whole?: { amount: string; currency: string };
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

/** Decimal strings in the currency's own exponent; `minor` holds the same as integers. Absent where the service did not say. */
export interface AmountReport {
  currency: string;
  requested: string;
  total: string;
  tip?: string;
  due?: string;
  hold?: string;
  surcharge?: string;
  tax?: string;
  minor: {
    requested: number;
    total: number;
    tip?: number;
    due?: number;
    hold?: number;
    surcharge?: number;
    tax?: number;
  };
}

export interface CardReport {
  scheme: string;
  masked: string;
  entry: string;
  verification: string;
  tender: string;
  /** MMYY. */
  expiry: string;
  /** Only after a tokenisation. */
  token?: string;
}

export type Receipt = { kind: 'url' | 'html' | 'none'; value: string };
export type Signature = { kind: 'url' | 'png' | 'none'; value: string };

/** `msg.payload` of every message that leaves an action node. */
export interface ResultPayload extends Verdict {
  operationId: string;
  operation: Operation;
  /** True when this replaces an earlier `unknown` or `provisional`. */
  correction?: boolean;
  /** True when the process died between telling the flow and noting it, so the flow may have seen this before. */
  redelivered?: boolean;
  source: Source;
  reference: string;
  transactionId: string;
  originalTransactionId?: string;
  resultId?: string;
  terminal?: TerminalAddress;
  amount?: AmountReport;
  card: CardReport;
  authorisationCode: string;
  issuerCode: string;
  batch?: string;
  receipts: { customer: Receipt; merchant: Receipt };
  signature: Signature;
  device?: Record<string, unknown>;
  timeline: TimelineEntry[];
  /** The service's own body, as it came; `{}` where none came. */
  result: Record<string, unknown>;
}

/** Which way a message leaves: the three outputs, or Catch. */
export type Exit = 'done' | 'not-done' | 'needs-attention' | 'mistake';

/** What the engine tells the node a message came from. */
export interface Telling {
  exit: Exit;
  origin: Origin;
  payload: ResultPayload;
  /** With exit `mistake`: what the flow or its configuration got wrong. No money moved. */
  error?: PaymentError;
}

/** Where a payment stands, for a status line. */
export interface Progress {
  operationId: string;
  stage:
    | 'queued'
    | 'sending'
    | 'terminal-busy'
    | 'waiting'
    | 'partial'
    | 'checking'
    | 'stopping'
    | 'reversing'
    | 'watching'
    /** What became of it is known, and is told once the journal can be written. */
    | 'unwritten';
  /** Until the recovery limit, where `stage` is `checking`. */
  secondsLeft?: number;
}

/** A node's ears. Both are called synchronously and must not throw. */
export interface Listener {
  tell(telling: Telling): void;
  progress(progress: Progress): void;
}
