import type { TerminalAddress } from '../api/schema/fields.js';
import type { TimelineEntry } from '../operation/event.js';
import type { ToldOperation } from '../operation/kinds.js';
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
  operation: ToldOperation;
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
