import type { FailureEvent } from './refusal.js';
import type { Meaning } from './result-meaning.js';

/** What happened, as a code and what it is about. Each language has words for it. */
export interface TimelineNote {
  /** In kebab-case: the id of the transition that decided, or what was learned. */
  event: string;
  /** What the result that was learned means. */
  meaning?: Meaning | 'none';
  /** How the result came. */
  via?: 'callback' | 'poll';
  /** Who is asked what became of it: the status service, or the summary of the batch. */
  source?: 'chain' | 'batch';
  /** Code with which the service refused. */
  code?: string;
  /** Why no answer came that can be used, in English. */
  why?: string;
}

/** One line of the timeline. */
export interface TimelineEntry extends TimelineNote {
  /** Milliseconds since 1970-01-01 UTC. */
  at: number;
}

/** What an engine knows of an operation when it takes it up. */
export interface Resumed {
  /** Its service may be another one now. */
  serviceChanged?: boolean;
  /** It was written so long ago that whoever wrote it may have done more since. */
  mayBeBackup?: boolean;
  /**
   * When this engine saw first that it was open, epoch ms. Whatever the clocks say, the flow had asked by then: the time since
   * counts for its deadline.
   */
  foundAt?: number;
  /** The journal says that it was not sent, and the status service is asked whether another process has sent it. */
  isUnasked?: boolean;
}

/** What may happen to any operation. */
export type CommonEvent =
  /** It is this operation's turn. */
  | { type: 'turn' }
  | { type: 'cancel' }
  /** The request has to wait for the rate limit after all. */
  | { type: 'waiting-for-rate-limit' }
  /** The rate limit has let the request through: it leaves once the journal knows that. */
  | { type: 'leaving' }
  | FailureEvent
  /** An earlier engine left the operation; this one resumes it from the journal, which may be a backup. */
  | ({ type: 'restored' } & Resumed)
  /** The status service has no record of what was taken up unsent. */
  | { type: 'shown-unsent' }
  | { type: 'tick' }
  /** The flow was handed the pending verdict with this number. */
  | { type: 'delivered'; sequence: number }
  /** The flow was told that the journal cannot be written. */
  | { type: 'unavailable' }
  /** This engine stops in good order, so a verdict that is still pending was certainly not handed over. */
  | { type: 'stopping' };
