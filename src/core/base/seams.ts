/**
 * What the payment client needs from outside. Production hands in undici, the system clock and random identifiers;
 * a test hands in the simulator's own handler, a virtual clock and identifiers drawn from a seed. Nothing else in
 * `src/core` reads the time, draws a random number or opens a socket.
 */

/** A timer that was set on a {@link Clock}. */
export interface Timer {
  cancel(): void;
}

/** Time. `now` is epoch milliseconds; `after` runs `run` once, `ms` milliseconds from now. */
export interface Clock {
  now(): number;
  after(ms: number, run: () => void): Timer;
}

/** One HTTP request as the transport hands it over: complete, absolute, nothing left to add. */
export interface HttpRequest {
  method: 'GET' | 'POST';
  /** Absolute URL. */
  url: string;
  headers: Record<string, string>;
  /** JSON text; absent on a GET. */
  body?: string;
  /** Milliseconds from the call until the answer must be complete. */
  timeoutMs: number;
  /** Aborting it rejects with `AnswerLostError`: the request may have left already. */
  signal?: AbortSignal;
}

/** One HTTP answer, its body as text, already capped in size. */
export interface HttpAnswer {
  status: number;
  body: string;
}

/**
 * Sends one request and returns the answer, whatever its status.
 * Rejects with `NotSentError` only where it is certain that not a byte arrived (name not resolved, connection refused);
 * with `AnswerLostError` in every other case (timeout, reset, body cut short or over the size limit).
 */
export type Send = (request: HttpRequest) => Promise<HttpAnswer>;

/** Draws a new UUID v4 at every call. */
export type NewId = () => string;
