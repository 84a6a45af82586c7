import type { PaymentError } from '../base/errors.js';
import type { Origin } from '../operation/order.js';
import type { Exit } from '../operation/verdict.js';
import type { ProgressPayload, ResultPayload } from './payload.js';

/** One result for the node its message came from. */
export interface Delivery {
  /** Of the message: the `operationId`, or an id of its own where it repeats an order. */
  id: string;
  exit: Exit;
  origin: Origin;
  payload: ResultPayload;
  /** Its number among the verdicts of its message; absent where the journal does not have it. */
  sequence?: number;
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
    /** A stop could hit the payment of another point of sale, so none is sent; the payment is followed to its end. */
    | 'cancel-not-possible'
    | 'reversing'
    | 'watching'
    /** The result is known, and is delivered once the journal can be written. */
    | 'unwritten';
  /** Until the recovery limit, where `stage` is `checking`. */
  secondsLeft?: number;
}

/** A new stage of a payment, for the flow. */
export interface StageChange {
  /** As {@link Delivery.id}. */
  id: string;
  origin: Origin;
  payload: ProgressPayload;
}

/** How a node takes results and progress. The methods are called synchronously. */
export interface Listener {
  /** Where it throws, it gets the delivery again a second later, and after a deploy: marked as redelivered. */
  deliver(delivery: Delivery): void;
  progress(progress: Progress): void;
  /** Never called after the result. Absent where nobody wants to know. */
  stage?(change: StageChange): void;
}
