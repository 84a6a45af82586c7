import { ConfigurationError, type RefusedError, UnreadableAnswerError, WithdrawnError } from '../../base/errors.js';
import type { Clock, HttpAnswer, HttpRequest, Send } from '../../base/seams.js';
import {
  BACK_OFFICE_REQUEST_LIFETIME,
  READ_DEADLINE,
  REQUEST_LIFETIME,
  THROTTLE_LIMIT,
  THROTTLE_PAUSE,
} from '../../base/timings.js';
import { sleep } from '../../platform/sleep.js';
import { type Endpoint, refusalFrom } from './error-answer.js';
import type { RateLimiter, RateLimiterRegistry } from './rate-limiter.js';

/** Until the answer must be complete, ms. */
const DEADLINES: Record<Endpoint, number> = {
  terminal: REQUEST_LIFETIME,
  'back-office': BACK_OFFICE_REQUEST_LIFETIME,
  read: READ_DEADLINE,
};

/** What the service allows each key. */
const REQUESTS_PER_SECOND = 2;

export interface TransportOptions {
  /** Address of the service, without a slash at the end. */
  baseUrl: string;
  /** Address of the status service. */
  statusUrl: string;
  apiKey: string;
  send: Send;
  clock: Clock;
  /** Shared by all who may use the same key. */
  rateLimiters: RateLimiterRegistry;
  /** 2 unless told; 0 switches the limit off. */
  requestsPerSecond?: number;
  /** Polls, status queries and device lists wait for their turn too; by default they do not count. */
  countReads?: boolean;
}

/** How a caller takes part in one request. */
export interface CallOptions {
  /** Aborting while it waits for its turn: `WithdrawnError`. After that: `AnswerLostError`. */
  signal?: AbortSignal;
  /** Aborting while it waits for its turn: `WithdrawnError`. After that: without effect. */
  withdraw?: AbortSignal;
  /** Called when the request has to wait for its turn. */
  onQueued?: () => void;
}

interface Call extends CallOptions {
  endpoint: Endpoint;
  method: 'GET' | 'POST';
  /** Path segments below the base address; each is encoded. */
  path: readonly string[];
  at?: 'service' | 'status';
  body?: unknown;
  /** It carries a reference of ours, so a 429 is the caller's: the next attempt needs a new one. */
  once?: boolean;
}

/**
 * The way to the service: key, JSON, deadlines, turns. Hands back every 2xx answer and throws the rest:
 * `RefusedError` and `NotSentError` where nothing has happened for certain, `AnswerLostError` where that is open.
 */
export class Transport {
  readonly #headers: Readonly<Record<string, string>>;
  private readonly bases: Record<'service' | 'status', string>;
  private readonly send: Send;
  private readonly clock: Clock;
  private readonly rateLimiter: RateLimiter;
  private readonly countReads: boolean;

  /** @throws ConfigurationError when an address is no http(s) URL, or the key cannot be a header's value */
  constructor(options: TransportOptions) {
    const { apiKey, requestsPerSecond = REQUESTS_PER_SECOND, countReads = false } = options;
    if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new ConfigurationError('the API key is empty, or not plain text');
    this.#headers = { ApiKeyCloud: apiKey, Accept: 'application/json' };
    this.bases = {
      service: address('service', options.baseUrl),
      status: address('status service', options.statusUrl),
    };
    this.send = options.send;
    this.clock = options.clock;
    this.rateLimiter = options.rateLimiters.of(this.bases.service, apiKey, requestsPerSecond);
    this.countReads = countReads;
  }

  /**
   * One request. After a 429 it waits a second and goes again, for up to a minute; not so what is asked for `once`.
   */
  async request(call: Call): Promise<HttpAnswer> {
    const giveUpAt = this.clock.now() + THROTTLE_LIMIT;
    for (;;) {
      await this.turn(call);
      const answer = await this.exchange(call);
      if (answer.status >= 200 && answer.status < 300) return answer;
      const refusal = refusalFrom(answer.status, answer.body, call.endpoint);
      if (refusal === undefined) throw unreadable(answer, `HTTP status ${answer.status}`);
      if (answer.status !== 429) throw refusal;
      await this.slowDown(call, refusal, giveUpAt);
    }
  }

  private async turn({ endpoint, signal, withdraw = signal, onQueued }: Call): Promise<void> {
    if (this.counts(endpoint)) await this.rateLimiter.take({ signal: withdraw, onQueued });
    else throwIfWithdrawn(withdraw);
  }

  private async slowDown(
    { endpoint, once, signal, onQueued }: Call,
    refusal: RefusedError,
    giveUpAt: number,
  ): Promise<void> {
    if (this.counts(endpoint)) this.rateLimiter.pause(THROTTLE_PAUSE);
    if (once || this.clock.now() >= giveUpAt) throw refusal;
    if (this.counts(endpoint)) return;
    onQueued?.();
    await sleep(this.clock, THROTTLE_PAUSE, signal ?? new AbortController().signal);
  }

  private counts(endpoint: Endpoint): boolean {
    return endpoint !== 'read' || this.countReads;
  }

  private async exchange({ endpoint, method, path, at = 'service', body, signal }: Call): Promise<HttpAnswer> {
    const url = `${this.bases[at]}/${path.map(encodeURIComponent).join('/')}`;
    const request: HttpRequest = { method, url, headers: { ...this.#headers }, timeoutMs: DEADLINES[endpoint] };
    if (signal !== undefined) request.signal = signal;
    if (body !== undefined) {
      request.body = JSON.stringify(body);
      request.headers['Content-Type'] = 'application/json';
    }
    return this.send(request);
  }
}

/**
 * The JSON of an answer.
 * @throws UnreadableAnswerError when it is none
 */
export function jsonOf(answer: HttpAnswer): unknown {
  try {
    return JSON.parse(answer.body);
  } catch (cause) {
    throw unreadable(answer, 'no JSON', cause);
  }
}

/** An answer that came and says nothing that can be relied on. Its body stays out of the message. */
export function unreadable({ status }: HttpAnswer, why: string, cause?: unknown): UnreadableAnswerError {
  return new UnreadableAnswerError(status, `the answer cannot be read: ${why}`, { cause });
}

function throwIfWithdrawn(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new WithdrawnError('withdrawn before it was sent');
}

function address(of: string, text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new ConfigurationError(`the address of the ${of} is no http(s) URL: ${text}`);
  }
  return text.replace(/\/+$/, '');
}
