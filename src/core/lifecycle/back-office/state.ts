import type { BackOfficeOperation } from '../../operation/back-office-order.js';
import type { PendingDelivery } from '../../operation/delivery-state.js';
import type { CommonEvent } from '../../operation/event.js';
import type { Refusal } from '../../operation/refusal.js';
import type { Verdict } from '../../operation/verdict.js';
import type { AmountMismatch } from './amounts.js';
import type { Baseline } from './chain-evidence.js';

/** What the life of an operation that needs no terminal consists of. */

export type BackOfficePhase =
  /** Recorded; waits for its turn, or for what the chain shows before it. Nothing was sent. */
  | 'preparing'
  | 'sending'
  /** The answer was lost, and doing it twice is doing it once; or it was too much for the rate limit. The next try follows. */
  | 'retrying'
  /** The answer was lost: the chain has to say. */
  | 'reconciling'
  /** The flow was told "unknown"; the chain is looked at slowly. */
  | 'watching'
  | 'closed';

export type Failure = NonNullable<Verdict['error']>;

export type BackOfficeEvent =
  | CommonEvent
  /** The chain was looked at, or cannot be: it may be sent. */
  | { type: 'ready'; baseline?: Baseline }
  | { type: 'answered'; approved: boolean; kind?: string; difference?: AmountMismatch; error?: Failure }
  | { type: 'refused'; refusal: Refusal; error: Failure }
  | { type: 'not-sent'; error: Failure }
  /** Taken back while it waited for the rate limit. */
  | { type: 'withdrawn' }
  | { type: 'answer-lost' }
  | {
      type: 'proof';
      says: 'done' | 'declined' | 'absent' | 'unclear';
      askedAt: number;
      kind?: string;
      difference?: AmountMismatch;
    };

/** JSON-safe: it lives in the journal. All times epoch ms. */
export interface BackOfficeState {
  phase: BackOfficePhase;
  operation: BackOfficeOperation;
  /** The chain can be asked for. */
  traceable: boolean;
  startedAt: number;
  /** Of a reversal: an amount was asked for, so that what reverses the whole may be another's. */
  partial?: boolean;
  /** Sent again it might do something else: what is open then is another batch. */
  notResendable?: boolean;
  /** When what it is about was made, where that is known. */
  originalAt?: number;
  /** When the latest try was sent. */
  sentAt: number;
  /** When the first answer was lost; from then on a refusal is no proof. */
  lostAt?: number;
  nextAt?: number;
  tries: number;
  baseline?: Baseline;
  /** What a later try was refused with. */
  refusal?: Failure;
  stopWanted?: boolean;
  watchUntil?: number;
  /** It was sent to another service than this engine drives, which may know nothing of it. */
  serviceChanged?: boolean;
  reported?: Verdict['outcome'];
  /** The error that this was because of. */
  reportedError?: Verdict['error'];
  deliveries?: number;
  pending?: PendingDelivery;
}

/** What the timeline says of an operation that needs no terminal. */
export const LINES = [
  'sent',
  'sent again',
  'put off',
  'throttled',
  'answer lost',
  'not sent',
  'never begun',
  'given up',
  'refused',
  'cancelled',
  'done',
  'declined',
  'unknown',
  'looks at the chain',
  'the chain shows it',
  'the chain shows a decline',
  'the chain does not have it',
  'looks at the batch',
  'the batch is closed',
  'the batch is open',
  'watch ends',
] as const;

export type Line = (typeof LINES)[number] | `done before (${string})`;

/** What a look at the chain, or where a batch is to be closed at that batch, is called. */
const OF_BATCH: Partial<Record<Line, Line>> = {
  'looks at the chain': 'looks at the batch',
  'the chain shows it': 'the batch is closed',
  'the chain does not have it': 'the batch is open',
};

export function lineOf(line: Line, batch: string | undefined): Line {
  return batch === undefined ? line : (OF_BATCH[line] ?? line);
}
