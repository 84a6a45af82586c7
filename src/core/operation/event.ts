import type { FailureEvent } from './refusal.js';

export interface TimelineEntry {
  /** Epoch ms. */
  at: number;
  event: string;
}

/** What may happen to any operation. */
export type CommonEvent =
  /** It is this operation's turn. */
  | { type: 'turn' }
  | { type: 'cancel' }
  | FailureEvent
  /** An earlier engine left the operation; this one resumes it from the journal. */
  | { type: 'restored'; serviceChanged?: boolean }
  | { type: 'tick' }
  /** The flow was handed the pending verdict with this number. */
  | { type: 'delivered'; sequence: number }
  /** This engine stops in good order, so a verdict that is still pending was certainly not handed over. */
  | { type: 'stopping' };
