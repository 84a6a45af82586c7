import type { TerminalAddress } from '../api/schema/fields.js';
import type { TimelineEntry } from '../operation/event.js';
import type { Operation } from '../operation/kinds.js';
import type { Source, Verdict } from '../operation/verdict.js';

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
  /** With an idempotency key: how many operations its order has had, this one included. */
  attempt?: number;
  /** True when the message repeated an order under its key: everything else here is about the first. */
  repeated?: true;
  /** True when this replaces an earlier `unknown` or `provisional`. */
  correction?: boolean;
  /** True when the process died between delivering this and recording that, so the flow may have seen it before. */
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

/** How far a payment has come, as a flow may show it. */
export type Stage =
  /** Waits for its turn, for the rate limit, or for a busy terminal. */
  | 'queued'
  /** The request is on its way. */
  | 'sending'
  /** The service has taken it: the cardholder is asked. */
  | 'waiting'
  /** The answer was lost, or the result is overdue. */
  | 'checking'
  | 'stopping'
  | 'reversing';

/** `msg.payload` of every message of a progress output. */
export interface ProgressPayload {
  operationId: string;
  idempotencyKey?: string;
  terminal?: TerminalAddress;
  stage: Stage;
  /** While waiting until the deadline, afterwards until the recovery limit. */
  secondsLeft?: number;
}
