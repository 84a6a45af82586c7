import type { Reason } from '../../core/delivery/decline-reason.js';
import type { Progress } from '../../core/delivery/listener.js';
import type { TimelineEntry } from '../../core/operation/event.js';
import { isSuccess, type Outcome } from '../../core/operation/outcome.js';
import type { Receipts } from '../runtime/receipts/recent-receipts.js';
import type { BankFacts } from './operations/bank-facts.js';

/** What the editor shows of an operation. No key, no token, no card number, nothing of the flow's message. */

export interface Summary extends BankFacts {
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
  /** Decimal in major units: what was asked for, where another amount moved. */
  requested?: string;
  /** The idempotency key of its order. A card number in it is redacted. */
  orderKey?: string;
  /** The id of its transaction; empty where it made none. */
  transactionId: string;
  /** The id of the transaction that it is about; empty where there is none. */
  original: string;
  /** How much of its original it reverses. */
  reverses?: 'whole' | 'part';
  /** The outcome last delivered to the flow. */
  outcome?: Outcome;
  /** Its progress while it is open. */
  stage?: Progress['stage'] | 'abandoned';
  /** Epoch ms until which a doubtful outcome is checked. */
  until?: number;
  /** The flow waits for it, a person should look, or it is over. */
  standing: 'open' | 'attention' | 'over';
  /** Why it was not done as requested: a code, and the service's words. */
  reason?: Reason;
  /** Nobody has taken what it has to tell: its node is gone, and there is no callback-in. */
  undelivered?: true;
  /** A person has dealt with it; `overturned`: and then its money became something else. */
  handling?: 'handled' | 'overturned';
}

/** Ids of operations that have changed, as open editors are told. */
export type Changed = readonly string[];

/** So many are told, or may be asked for, at once. */
export const MOST_CHANGED = 200;

export interface Detail {
  summary: Summary;
  /** The operation that it is about, where the journal knows it. */
  original?: Summary;
  /** Its full reversal, done or open. */
  takenBackBy?: Summary;
  resultId: string;
  references: string[];
  timeline: (TimelineEntry | SaidEntry)[];
  /** The service's latest answer, redacted. */
  result: Record<string, unknown>;
  receipts?: Receipts;
  /** Absent: it cannot be reversed, or was. */
  reversible?: Reversible;
  /** How much of it can be given back, and how; absent: nothing. */
  refundable?: Refundable;
  canCheck: boolean;
  /** There are no receipts here, but the service may still have them. */
  canFetchReceipts: boolean;
  /** A person can say that it is dealt with, or take that back. */
  canHandle?: 'handle' | 'withdraw';
}

/** The name of everybody where the editor has no login. */
export const NO_LOGIN = 'unknown';

/** What a person said, as a line of the timeline. */
export interface SaidEntry {
  /** Epoch ms. */
  at: number;
  event: 'handled' | 'handled-withdrawn' | 'unreadable';
  by: string;
  note: string;
}

export interface Refundable {
  /** Decimal in major units. */
  left: string;
  currency: string;
  /** `gateway`: without the card, the whole or a part. `gateway-whole`: the whole alone. `terminal`: with the card. */
  ways: RefundWay[];
}

export type RefundWay = 'gateway' | 'gateway-whole' | 'terminal';

/** What a reversal gives back: a payment to the cardholder, a refund to the merchant, or a hold to nobody. */
export type Reversible = 'payment' | 'refund' | 'hold';

/** One step of the test whether an environment can take payments, or whether a database can be a journal. */

export interface CheckResult {
  check:
    | 'settings'
    | 'service'
    | 'key'
    | 'second-key'
    | 'status'
    | 'clock'
    | 'callback'
    | 'database'
    | 'tables'
    | 'durability'
    | 'notifications'
    | 'leader';
  state: 'ok' | 'bad' | 'unsure';
  /** Which text of the catalogue explains it. */
  reason: string;
  /** A value that the text mentions. */
  figure?: string | number;
  /** The service's own message, redacted. */
  detail?: string;
}

/** A full reversal of it is done, or open. */
export type TakenBack = 'done' | 'open';

/** What a reversal did to an operation; undefined where it is of another one, failed, or is partial. */
export function takenBackBy(original: Summary, reversal: Summary): TakenBack | undefined {
  const { reverses, outcome, stage, amount } = reversal;
  const isAbout = original.transactionId !== '' && reversal.original === original.transactionId;
  const isWhole = reverses === 'whole' || (reverses === 'part' && amount === original.amount);
  if (!isAbout || !isWhole) return undefined;
  if (isSuccess(outcome)) return 'done';
  return outcome === undefined || stage !== undefined ? 'open' : undefined;
}
