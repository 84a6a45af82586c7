import type { Signal } from './abort.js';

/**
 * The seams: everything the payment client needs from outside. Production passes undici, the system clock and random
 * identifiers; a test passes the simulator's own handler, a virtual clock and identifiers drawn from a seed. Nothing
 * else in `src/core` reads the time or draws random values, and only the journal in PostgreSQL opens connections of its own.
 */

/** A timer set on a {@link Clock}. */
export interface Timer {
  cancel(): void;
}

/** All times in epoch milliseconds. */
export interface Clock {
  /** The time of this process: it passes evenly, whatever becomes of the computer's clock. */
  now(): number;
  /** The computer's clock, which may jump. Only what must not be too late asks it; no proof rests on it. */
  wall(): number;
  /** Runs `run` once, `ms` milliseconds from now. */
  after(ms: number, run: () => void): Timer;
}

/** One complete HTTP request. */
export interface HttpRequest {
  method: 'GET' | 'POST';
  /** Absolute URL. */
  url: string;
  headers: Record<string, string>;
  /** JSON text; absent on a GET. */
  body?: string;
  /** Milliseconds from the call until the response must be complete. */
  timeoutMs: number;
  /** Aborting it rejects with `AnswerLostError`, because the request may have been sent. */
  signal?: Signal;
}

/** One HTTP response, with its body as text of limited size. */
export interface HttpAnswer {
  status: number;
  body: string;
}

/**
 * Sends one request and returns the response, whatever its status. Rejects with `NotSentError` only if certainly not
 * a byte arrived (name not resolved, connection refused), and with `AnswerLostError` in every other case (timeout,
 * reset, body incomplete or too large).
 */
export type Send = (request: HttpRequest) => Promise<HttpAnswer>;

/** Returns a new v4 UUID at every call. */
export type NewId = () => string;
