/**
 * How long things take, in ms, and bounds that hold whatever the faults. Recovery by a client relies on these bounds.
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
  /**
   * Delay after an `UNDEFINED`, or after reconnecting, until a terminal asks the gateway for the outcome of a
   * payment.
   */
  recoverMs: number;
  /** How far the status service is behind the gateway. At most {@link MAX_STATUS_LAG}. */
  statusLagMs: number;
  /** Duration of a ping, a print, a stop or a device command. */
  deviceMs: number;
  /** Time limit of the prompts: card read, PIN, signature, application, duplicate, partial approval and tip. */
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

/** A request arrives within this time or never: the client closes the connection then. */
export const MAX_REQUEST_DELAY = 20 * SECOND;
/** A slow service acts within this after the request was sent, whether or not anybody waits for its answer. */
export const MAX_ACTING_DELAY = 110 * SECOND;
/** The status service is never further behind. */
export const MAX_STATUS_LAG = 10 * SECOND;
/** Counted from the sending of the request: by then the gateway has it, or never will. */
export const TERMINAL_WORST_CASE = 340 * SECOND;

/**
 * The same card and amount, or the same reference, within this period makes the terminal ask the cardholder for
 * confirmation.
 */
export const DUPLICATE_WINDOW = 5 * MINUTE;

/** Time limit of one callback attempt: 5 s to connect and 15 s to read. */
export const CALLBACK_TIMEOUT = 20 * SECOND;
/** The callback schedule: a fixed interval at first, then doubling intervals up to a cap, until the end. */
export const CALLBACK_INTERVAL = 5 * SECOND;
export const CALLBACK_STEADY_FOR = 100 * SECOND;
export const CALLBACK_MAX_INTERVAL = 15 * MINUTE;
export const CALLBACK_GIVE_UP = 2 * 24 * 60 * MINUTE;
