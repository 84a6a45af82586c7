import type { Reason } from '../../core/delivery/decline-reason.js';
import type { Progress } from '../../core/delivery/listener.js';
import type { TimelineEntry } from '../../core/operation/event.js';
import { isSuccess, type Outcome } from '../../core/operation/outcome.js';
import type { Receipts } from '../runtime/recent-receipts.js';

/** What the editor shows of an operation. No key, no token, no card number, nothing of the flow's message. */

export interface Summary {
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
  /** What the service calls what it made; empty where it made nothing. */
  transactionId: string;
  /** What it is about, as the service calls that; empty where it is about nothing else. */
  original: string;
  /** It takes its original back. */
  reverses?: 'whole' | 'part';
  /** What the flow was told last. */
  outcome?: Outcome;
  /** Where it stands while it goes on. */
  stage?: Progress['stage'] | 'abandoned';
  /** Epoch ms until which the truth is looked for, while it is in doubt. */
  until?: number;
  /** The flow waits for it; a person should look; or it is over. */
  standing: 'open' | 'attention' | 'over';
}

export interface Detail {
  summary: Summary;
  /** Why it did not go as it was asked to. */
  reason?: Reason;
  /** What it is about, where that is known here. */
  original?: Summary;
  /** What took it back as a whole, or is about to. */
  takenBackBy?: Summary;
  resultId: string;
  references: string[];
  timeline: TimelineEntry[];
  /** The service's latest answer, redacted. */
  result: Record<string, unknown>;
  receipts?: Receipts;
  /** Absent: it cannot be reversed, or was. */
  reversible?: Reversible;
  canCheck: boolean;
}

/** What a reversal gives back: a payment to the cardholder, a refund to the merchant, or a hold to nobody. */
export type Reversible = 'payment' | 'refund' | 'hold';

/** Finds out whether payments can be taken with an environment, one thing after the other. */

export interface CheckResult {
  check: 'settings' | 'service' | 'key' | 'status' | 'clock' | 'callback';
  state: 'ok' | 'bad' | 'unsure';
  /** Which text of the catalogue explains it. */
  reason: string;
  /** What that text speaks of. */
  figure?: string | number;
  /** What the other side said, redacted. */
  detail?: string;
}

/** Asked by the runtime before it takes anything back, and by the sidebar for what it shows. Knows nothing of either. */

/** The whole of it has gone back, or is about to. */
export type TakenBack = 'done' | 'open';

/** What a reversal did to an operation; undefined where it is about another, failed, or was about a part. */
export function takenBackBy(original: Summary, reversal: Summary): TakenBack | undefined {
  const { reverses, outcome, stage, amount } = reversal;
  const isAbout = original.transactionId !== '' && reversal.original === original.transactionId;
  const isWhole = reverses === 'whole' || (reverses === 'part' && amount === original.amount);
  if (!isAbout || !isWhole) return undefined;
  if (isSuccess(outcome)) return 'done';
  return outcome === undefined || stage !== undefined ? 'open' : undefined;
}
