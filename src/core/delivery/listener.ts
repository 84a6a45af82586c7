import type { PaymentError } from '../base/errors.js';
import type { Origin } from '../operation/order.js';
import type { Exit } from '../operation/verdict.js';
import type { ResultPayload } from './payload.js';

/** One result for the node its message came from. */
export interface Delivery {
  exit: Exit;
  origin: Origin;
  payload: ResultPayload;
  /** With exit `mistake`: what the flow or its configuration got wrong. No money moved. */
  error?: PaymentError;
}

/** How far a payment has come, for a status line. */
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
    /** A stop could hit the payment of another till, so it is not sent; the end is asked for on. */
    | 'cancel-not-possible'
    | 'reversing'
    | 'watching'
    /** The result is known, and is delivered once the journal can be written. */
    | 'unwritten';
  /** Until the recovery limit, where `stage` is `checking`. */
  secondsLeft?: number;
}

/** How a node takes results and progress. Both methods are called synchronously and must not throw. */
export interface Listener {
  deliver(delivery: Delivery): void;
  progress(progress: Progress): void;
}
