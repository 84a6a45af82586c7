/**
 * How long things take, in ms, and the bounds within which they stay whatever the faults. A client can only recover
 * because the bounds hold.
 */

const SECOND = 1000;
const MINUTE = 60 * SECOND;

export interface Timings {
  /** From the terminal to the gateway. */
  toGatewayMs: number;
  /** From the gateway's decision back to the terminal. */
  fromGatewayMs: number;
  /** How long a terminal waits for the gateway before it reports `UNDEFINED`. */
  gatewayTimeoutMs: number;
  /** How long after an `UNDEFINED`, or after it came back, a terminal asks the gateway what became of a payment. */
  recoverMs: number;
  /** How far the status service is behind the gateway. At most {@link MAX_STATUS_LAG}. */
  statusLagMs: number;
  /** A ping, a print, a stop, a device command. */
  deviceMs: number;
  /** Card read, PIN, signature, application, duplicate, partial-approval and tip prompts. */
  promptMs: number;
}

export const DEFAULT_TIMINGS: Timings = {
  toGatewayMs: 300,
  fromGatewayMs: 400,
  gatewayTimeoutMs: 30 * SECOND,
  recoverMs: 20 * SECOND,
  statusLagMs: SECOND,
  deviceMs: 50,
  promptMs: 30 * SECOND,
};

/** A request on its way is delivered within this, or never: the client closes the connection then. */
export const MAX_REQUEST_DELAY = 20 * SECOND;
/** A slow service acts within this after the request was sent, whether or not anybody waits for its answer. */
export const MAX_ACTING_DELAY = 110 * SECOND;
/** The status service is never further behind. */
export const MAX_STATUS_LAG = 10 * SECOND;
/** Counted from the sending of the request: by then the gateway has it, or never will. */
export const TERMINAL_WORST_CASE = 340 * SECOND;

/** The same card and amount, or the same reference, within this asks the cardholder whether that is meant. */
export const DUPLICATE_WINDOW = 5 * MINUTE;

/** One try of a callback: 5 s to connect and 15 s to read. */
export const CALLBACK_TIMEOUT = 20 * SECOND;
/** The callback schedule: a fixed interval at first, then doubling up to a cap, until it is given up. */
export const CALLBACK_INTERVAL = 5 * SECOND;
export const CALLBACK_STEADY_FOR = 100 * SECOND;
export const CALLBACK_MAX_INTERVAL = 15 * MINUTE;
export const CALLBACK_GIVE_UP = 2 * 24 * 60 * MINUTE;
