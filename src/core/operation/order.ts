import type { Draft } from '../api/schema/check.js';
import type { TransactionOrder } from '../api/schema/transaction-request.js';
import type { OrderKey } from './order-key.js';

/** Where a message came from, what it carried, and which order it is: enough to send its answer after a restart. */
export interface Origin {
  /** Id of the node that took the message. */
  node: string;
  /** JSON-safe copy of the whole message, capped in size. */
  message: Record<string, unknown>;
  /** Absent: the message is an order of its own. */
  key?: OrderKey;
  /** The process that took the message, where several share the journal. */
  replica?: string;
  /** That process did not lead, and asked the leader for the operation. */
  asked?: true;
  /** Another process may have led since. */
  resumed?: true;
}

/** The origin of what is taken up from the journal: the process that led before may have posted its results there. */
export function resumedOrigin(origin: Origin): Origin {
  return origin.replica === undefined ? origin : { ...origin, resumed: true };
}

/** What the flow decides in advance, because nobody can decide it while a payment runs. Times in ms. */
export interface Policies {
  /** How long to wait and try again while the terminal answers busy (1001). 0: report it at once. */
  busyWaitMs: number;
  /** After this time the terminal is asked to stop, and an approval counts as late. Absent: the recovery limit, 360 s. */
  deadlineMs?: number;
  /** Nobody outside this journal uses the terminal, so a stop can only end an operation of ours. Absent: shared. */
  exclusiveTerminal?: boolean;
  /** A late approval, or one that only the status service knows: report it, or reverse it and prove it. */
  lateApproval: 'report' | 'reverse';
  /** A partial approval: keep the part, or reverse it. */
  partialApproval: 'accept' | 'reverse';
}

/** What a refund may give back. */
export interface RefundLimited {
  /** At most what is left of its original. Where the amount comes from, as the flow's author knows it. Absent: it is not compared. */
  atMostLeft?: { source: string };
}

/** What one message requests. The engine checks it, and adds what belongs to each attempt. */
export interface Order extends RefundLimited {
  /** The request body without `transactionReference`, `callbackUrl` and `token`: those belong to an attempt. */
  request: Draft<TransactionOrder>;
  policies: Policies;
  origin: Origin;
}
