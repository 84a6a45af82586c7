import type { Verdict } from './verdict.js';

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
  | { type: 'not-sent'; error: NonNullable<Verdict['error']> }
  /** An earlier engine left it; this one takes it up from the journal. */
  | { type: 'restored'; serviceChanged?: boolean }
  | { type: 'tick' }
  /** The flow has been handed the verdict that was owed under this number. */
  | { type: 'delivered'; sequence: number }
  /** This engine stops in good order, so what is still owed was certainly not handed over. */
  | { type: 'stopping' };
