import type { TerminalAddress } from '../api/schema/fields.js';
import type { TimelineEntry } from '../operation/event.js';
import type { ToldOperation } from '../operation/kinds.js';
import type { Source, Verdict } from '../operation/verdict.js';

/**
 * What the flow gets. `docs/message.md` is written from the interfaces of this file and of the files they name: the comment
 * of a property is its description there.
 */

/** Amounts of one payment. A property is absent where the service said nothing of it. */
export interface AmountReport {
  /** Currency of all amounts, ISO 4217 alpha-3. */
  currency: string;
  /** What was asked for. Decimal string in major units. */
  requested: string;
  /**
   * What was charged, refunded, held or reversed, tip included; `0` where nothing was, what was asked for where nobody can say.
   * Decimal string in major units.
   */
  total: string;
  /** Tip, part of `total`. Decimal string in major units. */
  tip?: string;
  /** What is still to be paid after a partial approval. Decimal string in major units. */
  due?: string;
  /** What a pre-authorization holds now. Decimal string in major units. */
  hold?: string;
  /** Surcharge, part of `total`. Decimal string in major units. */
  surcharge?: string;
  /** Tax, part of `total`. Decimal string in major units. */
  tax?: string;
  /** The same amounts as integers in minor units. */
  minor: MinorAmounts;
}

/** Integers in the currency's minor unit: 1250 is 12.50 EUR, 1250 JPY or 1.250 KWD. */
export interface MinorAmounts {
  /** Minor units. */
  requested: number;
  /** Minor units. */
  total: number;
  /** Minor units. */
  tip?: number;
  /** Minor units. */
  due?: number;
  /** Minor units. */
  hold?: number;
  /** Minor units. */
  surcharge?: number;
  /** Minor units. */
  tax?: number;
}

/** The card, as the service reports it. Texts are empty where no card was read. */
export interface CardReport {
  /** Card scheme, such as `VISA` or `MASTERCARD`. */
  scheme: string;
  /** Masked card number; only the last four digits can be read. */
  masked: string;
  /** How the card was read: `CONTACTLESS_ICC`, `ICC` (chip), `MAG_STRIPE`, `CNP` (card not present), `UNDEFINED`. */
  entry: string;
  /** How the cardholder was verified: `PIN`, `SIGNATURE`, `NOT_REQUIRED`, `MOBILE_PASS_CODE` and others. */
  verification: string;
  /** `CREDIT`, `DEBIT`, `PREPAID` or `NOT_SET`. */
  tender: string;
  /** Expiry date, MMYY. */
  expiry: string;
  /** Token of the stored card, where the operation made or fetched one. Keep it secret. */
  token?: string;
}

/** A receipt in the form in which the service sent it. */
export interface Receipt {
  /** What `value` is. */
  kind: 'url' | 'html' | 'none';
  /** An address, HTML, or empty. */
  value: string;
}

/** The signature of the cardholder. */
export interface Signature {
  /** What `value` is. */
  kind: 'url' | 'png' | 'none';
  /** An address, a PNG in base64, or empty. */
  value: string;
}

/** Both receipts of a payment. */
export interface Receipts {
  /** For the cardholder. */
  customer: Receipt;
  /** For the merchant. */
  merchant: Receipt;
}

/** `msg.payload` of every operation: sale, refund, reversal, MOTO, pre-authorization, tip, token, batch, printing, loyalty card. */
export interface ResultPayload extends Verdict {
  /** Identifies the operation in the journal. UUID v4. */
  operationId: string;
  /** What was done, in the words of the service: `sale`, `refund`, `preauthorization/capture`, `tip-adjustment` and others. */
  operation: ToldOperation;
  /** With an idempotency key: the number of this attempt at the order, from 1. */
  attempt?: number;
  /** True where the message repeated an order under its key: everything else here is about the first. */
  repeated?: true;
  /** True where this message replaces one that was not final. */
  correction?: boolean;
  /**
   * True where the flow may have seen it: the process died between sending this message and noting that it was sent, or
   * something in Node-RED threw while it was sent.
   */
  redelivered?: boolean;
  /** Which witness the verdict rests on. */
  source: Source;
  /** `transactionReference` of the payment's chain, for the status service. Empty where the service takes none. UUID v4. */
  reference: string;
  /** The service's id of the transaction. Refund, reversal, capture and tip find the payment by it. Empty where there is none. */
  transactionId: string;
  /** Id of the transaction that this operation is about. Follow-up operations only. */
  originalTransactionId?: string;
  /** `transactionResultId`, the handle for polling. Operations on a terminal only. */
  resultId?: string;
  /** The terminal that the request was sent to. */
  terminal?: TerminalAddress;
  /** Absent where an operation has no amount, or none is known. */
  amount?: AmountReport;
  /** The card. */
  card: CardReport;
  /** Approval code of the issuer; empty where there is none. */
  authorisationCode: string;
  /** Response code of the issuer, ISO 8583 field 39: `00` approved, `51` insufficient funds. Empty where no issuer was asked. */
  issuerCode: string;
  /** Number of the batch, where the acquirer gives one. */
  batch?: string;
  /** Absent receipts have the kind `none`. */
  receipts: Receipts;
  /** Kind `none` where nobody signed. */
  signature: Signature;
  /** Battery, versions and power of the terminal, as it reports them. */
  device?: Record<string, unknown>;
  /** What happened, oldest first; at most 200 entries. */
  timeline: TimelineEntry[];
  /** The service's own response, as received; `{}` where none came. Card numbers are masked, but for a loyalty card that was asked for. */
  result: Record<string, unknown>;
}

/** How far a payment has come, as a flow may show it. */
export type Stage =
  /** It waits for its turn, for the rate limit, or for a busy terminal. */
  | 'queued'
  /** The request is on its way. */
  | 'sending'
  /** The service has accepted it: the terminal waits for the cardholder. */
  | 'waiting'
  /** The response was lost, or the result is overdue: the node asks what happened. */
  | 'checking'
  /** The node cancels on the terminal. */
  | 'stopping'
  /** An approval is being reversed, as the node says. */
  | 'reversing';

/** `msg.payload` of every message of a progress output. */
export interface ProgressPayload {
  /** Identifies the operation, as in its result. UUID v4. */
  operationId: string;
  /** The idempotency key of the order, where it has one. */
  idempotencyKey?: string;
  /** The terminal, where the operation has one. */
  terminal?: TerminalAddress;
  /** How far it has come. */
  stage: Stage;
  /** Seconds: while waiting until the deadline, afterwards until the recovery limit. */
  secondsLeft?: number;
}
