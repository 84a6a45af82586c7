import type { PaymentError } from '../base/errors.js';
import type { Origin } from '../operation/order.js';
import type { Exit } from '../operation/verdict.js';
import type { ResultPayload } from './payload.js';

/** What the engine tells the node a message came from. */
export interface Delivery {
  exit: Exit;
  origin: Origin;
  payload: ResultPayload;
  /** With exit `mistake`: what the flow or its configuration got wrong. No money moved. */
  error?: PaymentError;
}

/** Where a payment stands, for a status line. */
export interface Progress {
  operationId: string;
  stage:
    | 'queued'
    | 'sending'
    | 'terminal-busy'
    | 'waiting'
    | 'partial'
    | 'checking'
    | 'stopping'
    | 'reversing'
    | 'watching'
    /** What became of it is known, and is told once the journal can be written. */
    | 'unwritten';
  /** Until the recovery limit, where `stage` is `checking`. */
  secondsLeft?: number;
}

/** A node's ears. Both are called synchronously and must not throw. */
export interface Listener {
  deliver(telling: Delivery): void;
  progress(progress: Progress): void;
}
