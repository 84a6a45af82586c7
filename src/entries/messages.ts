/**
 * The types of the messages, for those who write functions and tests around the nodes. There is nothing to load at run
 * time: `import type { PaymentResult } from '@cloud-terminal/node-red-payments'`.
 */

import type { ErrorCode } from '../core/base/errors.js';
import type { ResultPayload } from '../core/delivery/payload.js';

export type { TerminalAddress } from '../core/api/schema/fields.js';
export type { ErrorCode } from '../core/base/errors.js';
export type {
  AmountReport,
  CardReport,
  MinorAmounts,
  ProgressPayload as PaymentProgress,
  Receipt,
  Receipts,
  ResultPayload as PaymentResult,
  Signature,
  Stage,
} from '../core/delivery/payload.js';
export type { TimelineEntry } from '../core/operation/event.js';
export type { Operation } from '../core/operation/kinds.js';
export type { Outcome } from '../core/operation/outcome.js';
export type { Retry } from '../core/operation/retry.js';
export type { ErrorReport, MoneyMoved, Source, Verdict } from '../core/operation/verdict.js';
export type {
  CommandAnswer,
  JournalAnswer,
  ListedTerminal,
  NetAmount,
  StatusAnswer,
  TerminalListAnswer,
} from '../nodes/action/answers.js';

/** A message that leaves a node which moves money; it keeps all that the message carried when it came. */
export interface PaymentMessage {
  /** The result. */
  payload: ResultPayload;
  /** Node-RED's id of the message. */
  _msgid?: string;
  /** After a restart: names of the properties that are missing, because the journal does not keep them. */
  _dropped?: string[];
  /** After a restart: names of the properties of which a part was redacted. */
  _redacted?: string[];
  [property: string]: unknown;
}

/** A message that leaves `payment-callback-in`. */
export interface CallbackMessage extends PaymentMessage {
  /** The node that the message came from has sent it as well. */
  claimed: boolean;
  /** True where it came after the flow had a final result. */
  late?: boolean;
}

/**
 * A message that leaves a Catch node. It moved no money: nothing was sent for it, or the service refused it. An order that it
 * repeats under an idempotency key may be charging.
 */
export interface CaughtMessage {
  /** What is wrong. */
  error: CaughtError;
  /** Node-RED's id of the message. */
  _msgid?: string;
  [property: string]: unknown;
}

/** What Node-RED adds to a message for Catch. */
export interface CaughtError {
  /** Explanation for people; it names the field, what was expected and what came. May change. */
  message: string;
  /** Stable code to branch on. */
  code: ErrorCode;
  /** The node that raised the error. */
  source: ErrorSource;
}

/** A node, as Node-RED names it. */
export interface ErrorSource {
  /** Id of the node. */
  id: string;
  /** Type of the node, such as `payment-sale`. */
  type: string;
  /** Name of the node. */
  name?: string;
  /** How often the message has been through a Catch node. */
  count: number;
}
