import type { TerminalAddress } from '../../core/api/schema/fields.js';
import type { ErrorReport } from '../../core/operation/verdict.js';

/** `msg.payload` of requests that move no money and have no record in the journal. */

interface AnyAnswer {
  /** The command: `pingDevice`, `stopCurrentTransaction`, `set-locale` and so on. */
  operation: string;
  /** Always `no`. */
  moneyMoved: 'no';
}

/** Of `payment-status`: what the status service knows of a payment. */
export interface StatusAnswer extends AnyAnswer {
  /** Always `status`. */
  operation: 'status';
  /** `not-found` leaves by the second output. */
  outcome: 'completed' | 'not-found';
  /** The `transactionReference` that was asked about. */
  reference: string;
  /** The service's own results, oldest first. */
  results: Record<string, unknown>[];
  /**
   * With the operation *net amount*: what is charged, less what was refunded and reversed. Absent if the service does not show how much that is: where an entry
   * lacks its type, amount, outcome or original, or has another currency, or where the payment has another reference.
   */
  amount?: NetAmount;
}

/** The net amount of a chain. */
export interface NetAmount {
  /** ISO 4217 alpha-3. */
  currency: string;
  /** Decimal string in major units. */
  total: string;
  /** The same as an integer. */
  minor: NetMinorAmount;
}

/** The net amount in minor units. */
interface NetMinorAmount {
  /** Minor units. */
  total: number;
}

/** Of `payment-status` with the operation *journal*. */
export interface JournalAnswer extends AnyAnswer {
  /** Always `journal`. */
  operation: 'journal';
  /** `not-found` leaves by the second output. */
  outcome: 'completed' | 'not-found';
  /** Records of the journal, newest first. For people to read: their form may change with any version. */
  operations: object[];
}

/** Of `payment-device` with the operation *list*. */
export interface TerminalListAnswer extends AnyAnswer {
  /** Always `list`. */
  operation: 'list';
  /** Always `completed`. */
  outcome: 'completed';
  /** The terminals of the merchant. */
  terminals: ListedTerminal[];
}

/** A terminal as the service lists it. */
export interface ListedTerminal extends TerminalAddress {
  /** The merchant that the terminal belongs to. */
  merchant_id_alpha: string;
}

/** Of `payment-device`: ping, cancel, and changes of settings. */
export interface CommandAnswer extends AnyAnswer {
  /** `unknown` leaves by the third output: the response is lost or leaves that open, and the command may have been carried out. */
  outcome: 'completed' | 'refused' | 'failed' | 'unknown';
  /** The terminal that the command was sent to. */
  terminal: TerminalAddress;
  /** What a ping returned of the terminal: battery, versions, power. */
  device?: Record<string, unknown>;
  /** The service's own result, where the command has one. */
  result?: Record<string, unknown>;
  /** Why it was not done. */
  error?: ErrorReport;
}

export type AnswerPayload = StatusAnswer | JournalAnswer | TerminalListAnswer | CommandAnswer;
