import { Abort, type Signal } from '../../base/abort.js';
import {
  ConfigurationError,
  KeyReplacedError,
  NotStartedError,
  type RefusedError,
  UnreadableAnswerError,
  WithdrawnError,
} from '../../base/errors.js';
import { parseJson } from '../../base/json.js';
import { isObject } from '../../base/objects.js';
import { isBase } from '../../base/privacy/address.js';
import { withoutSecrets } from '../../base/privacy/redact.js';
import type { Clock, HttpAnswer, HttpRequest, Send } from '../../base/seams.js';
import {
  BACK_OFFICE_REQUEST_LIFETIME,
  READ_DEADLINE,
  REQUEST_LIFETIME,
  THROTTLE_LIMIT,
  THROTTLE_PAUSE,
} from '../../base/timings.js';
import { sleep } from '../../platform/sleep.js';
import { type ApiKey, ApiKeys } from './api-keys.js';
import { type Endpoint, isKeyRefused, refusalFrom } from './error-answer.js';
import { refusalInAcceptance } from './error-in-acceptance.js';
import type { Place, RateLimiterRegistry } from './rate-limiter.js';

/** Until the answer must be complete, ms. */
const DEADLINES: Record<Endpoint, number> = {
  terminal: REQUEST_LIFETIME,
  'back-office': BACK_OFFICE_REQUEST_LIFETIME,
  read: READ_DEADLINE,
};

/** The service's limit for each key. */
const REQUESTS_PER_SECOND = 2;

export interface TransportOptions {
  /** Address of the service, without a slash at the end. */
  baseUrl: string;
  /** Address of the status service. */
  statusUrl: string;
  apiKey: string;
  /** Another key of the same merchant, which takes over when the service refuses the one in use. */
  secondApiKey?: string;
  /** Asked before the second key is used: whether it is of the same merchant. Absent: the caller knows that it is. */
  isSecondProved?: () => Promise<boolean>;
  send: Send;
  clock: Clock;
  /** Shared by every client that may use the same key. */
  rateLimiters: RateLimiterRegistry;
  /** Default 2; 0 switches the limit off. Of the clients that use the same key the lowest counts for all of them. */
  requestsPerSecond?: number;
  /** Whether polls, status queries and device lists count against the limit too. Default false. */
  countReads?: boolean;
  /** Sends what counts against the limit by the process that has the limit. Absent: this one has it. */
  relay?: (call: RelayedCall) => Promise<HttpAnswer>;
  log?: Log;
}

type Log = (level: 'info' | 'warn' | 'error', text: string) => void;

/** A caller's options for one request. */
export interface CallOptions {
  /** Aborting before the request is sent rejects with `WithdrawnError`, and afterwards with `AnswerLostError`. */
  signal?: Signal;
  /** Aborting before the request is sent rejects with `WithdrawnError`, and afterwards has no effect. */
  withdraw?: Signal;
  /** Asked right before the request is sent; false rejects with `NotStartedError`. What it throws is thrown. */
  mayStart?: () => boolean;
  /** Called if the request has to wait for the rate limit. */
  onQueued?: () => void;
  /** Awaited once the rate limit has let the request through. What it throws is thrown, and nothing was sent. */
  onLeaving?: () => Promise<void>;
  /** Goes before everything that waits for the rate limit: a stop, or a reversal that a policy demands. */
  isUrgent?: boolean;
}

export interface Call extends CallOptions {
  endpoint: Endpoint;
  method: 'GET' | 'POST';
  /** Path segments below the base address; each is encoded. */
  path: readonly string[];
  at?: 'service' | 'status';
  body?: unknown;
  /** Makes the body once the rate limit has let the request through. What it throws is thrown, and nothing was sent. */
  makeBody?: () => Promise<unknown>;
  /** A 429 is thrown: the next attempt needs a new reference, or the caller has to ask first whether a copy of this one was done. */
  once?: boolean;
}

/** What is sent by another process: plain JSON. */
export type RelayedCall = Pick<Call, 'endpoint' | 'method' | 'path' | 'at' | 'body' | 'once' | 'isUrgent'>;

/**
 * HTTP access to the service: key, JSON, deadlines and rate limit. Returns every 2xx response, except where it says that a terminal
 * did not begin, or leaves that open, and throws otherwise: `RefusedError` and `NotSentError` if certainly nothing has happened,
 * `AnswerLostError` if that is open.
 */
export class Transport {
  readonly #keys: ApiKeys;
  private readonly bases: Record<'service' | 'status', string>;
  private readonly send: Send;
  private readonly clock: Clock;
  private readonly countReads: boolean;
  private readonly relay: TransportOptions['relay'];

  /** @throws ConfigurationError if an address is not an http(s) URL, or the key cannot be the value of a header */
  constructor(options: TransportOptions) {
    const { apiKey, secondApiKey = '', requestsPerSecond = REQUESTS_PER_SECOND, countReads = false } = options;
    this.bases = {
      service: address('service', options.baseUrl),
      status: address('status service', options.statusUrl),
    };
    this.send = options.send;
    this.clock = options.clock;
    this.#keys = new ApiKeys(
      secondApiKey === '' ? [apiKey] : [apiKey, secondApiKey],
      (key) => options.rateLimiters.join(this.bases.service, key, requestsPerSecond),
      (text) => options.log?.('warn', text),
      options.isSecondProved ?? (() => Promise.resolve(true)),
    );
    this.countReads = countReads;
    this.relay = options.relay;
  }

  /**
   * One request. After a 429 it pauses and goes again, for up to a minute; not so what is asked for `once`. Where the key is
   * refused and there is another, it goes again with that; what has a reference of its own throws `KeyReplacedError` instead.
   */
  async request(call: Call): Promise<HttpAnswer> {
    if (this.relay !== undefined && this.counts(call.endpoint)) {
      const { endpoint, method, path, at, body, once, isUrgent, signal } = call;
      throwIfWithdrawn(signal);
      return this.relay({ endpoint, method, path, at, body, once, isUrgent });
    }
    const since = { now: this.clock.now(), wall: this.clock.wall() };
    const refusedKeys = new Set<ApiKey>();
    // What only asks waits twice as long each time, so that it does not stand in the way of payments.
    for (let pauseMs = THROTTLE_PAUSE; ; ) {
      const { key, place } = await this.turn(call);
      const body = await this.bodyOf(call, place);
      place?.leave();
      const answer = await this.exchange(call, body, key);
      place?.answered();
      const refusal = this.refusalIn(answer, call.endpoint);
      if (refusal === undefined || !isKeyRefused(refusal)) this.#keys.accept(key);
      if (refusal === undefined) return answer;
      const isReplaced = isKeyRefused(refusal) && (await this.#keys.refuse(key));
      if (isReplaced && hasReference(call, body)) throw new KeyReplacedError(refusal);
      if (isReplaced && !refusedKeys.has(this.#keys.current)) {
        refusedKeys.add(key);
      } else {
        if (answer.status !== 429) throw refusal;
        await this.slowDown(call, key, refusal, since, pauseMs);
        pauseMs *= 2;
      }
    }
  }

  /** Whether what counts against the limit could be sent at once. */
  get isFree(): boolean {
    return this.#keys.current.rateLimiter.isFree;
  }

  /** See {@link RateLimiter.startAfresh}. */
  startAfresh(): void {
    this.#keys.startAfresh();
  }

  /** Its limit counts no longer for the others that use the same key. */
  close(): void {
    this.#keys.close();
  }

  /** @throws UnreadableAnswerError: neither an answer nor a refusal, or both */
  private refusalIn(answer: HttpAnswer, endpoint: Endpoint): RefusedError | undefined {
    if (answer.status >= 200 && answer.status < 300) {
      if (endpoint !== 'terminal') return undefined;
      const refusal = refusalInAcceptance(answer.status, answer.body);
      if (refusal === 'unclear') throw unreadable(answer, 'an error inside an acceptance');
      return refusal;
    }
    const refusal = refusalFrom(answer.status, answer.body, endpoint);
    if (refusal === undefined) throw unreadable(answer, `HTTP status ${answer.status}`);
    return refusal;
  }

  private async bodyOf(call: Call, place: Place | undefined): Promise<unknown> {
    const { body, makeBody, onLeaving, mayStart, signal, withdraw = signal } = call;
    try {
      throwIfTooLate(mayStart);
      if (makeBody === undefined && onLeaving === undefined) return body;
      await onLeaving?.();
      const made = makeBody === undefined ? body : await makeBody();
      throwIfWithdrawn(withdraw);
      throwIfTooLate(mayStart);
      return made;
    } catch (error) {
      place?.giveBack();
      throw error;
    }
  }

  /** Waits for the rate limit of the key in use, which may have been refused meanwhile. */
  private async turn(call: Call): Promise<{ key: ApiKey; place?: Place }> {
    const { endpoint, signal, withdraw = signal, onQueued, isUrgent = false } = call;
    throwIfWithdrawn(withdraw);
    for (;;) {
      const key = this.#keys.current;
      if (!this.counts(endpoint)) return { key };
      const place = await key.rateLimiter.take({
        priority: isUrgent ? 'urgent' : endpoint,
        signal: withdraw,
        onQueued,
      });
      if (key === this.#keys.current) return { key, place };
      place.giveBack();
    }
  }

  private async slowDown(
    { endpoint, once, signal, onQueued }: Call,
    { rateLimiter }: ApiKey,
    refusal: RefusedError,
    since: { now: number; wall: number },
    pauseMs: number,
  ): Promise<void> {
    if (this.counts(endpoint)) rateLimiter.pause(THROTTLE_PAUSE);
    const passed = Math.max(this.clock.now() - since.now, this.clock.wall() - since.wall);
    if (once || passed >= THROTTLE_LIMIT) throw refusal;
    if (this.counts(endpoint)) return;
    onQueued?.();
    await sleep(this.clock, pauseMs, signal ?? new Abort().signal);
  }

  private counts(endpoint: Endpoint): boolean {
    return endpoint !== 'read' || this.countReads;
  }

  private async exchange(
    { endpoint, method, path, at = 'service', signal }: Call,
    body: unknown,
    key: ApiKey,
  ): Promise<HttpAnswer> {
    const url = `${this.bases[at]}/${path.map(encodeURIComponent).join('/')}`;
    const headers: Record<string, string> = {
      ApiKeyCloud: key.text,
      Accept: 'application/json',
      // Without it a server may pack its answer in any way.
      'Accept-Encoding': 'identity',
    };
    if (method === 'GET') headers['Cache-Control'] = 'no-cache';
    const request: HttpRequest = { method, url, headers, timeoutMs: DEADLINES[endpoint] };
    if (signal !== undefined) request.signal = signal;
    if (body !== undefined) {
      request.body = JSON.stringify(body);
      request.headers['Content-Type'] = 'application/json';
    }
    const answer = await this.send(request);
    return { ...answer, body: withoutSecrets(answer.body, [key.text, ...this.#keys.texts, tokenIn(body)]) };
  }
}

/**
 * Parses the JSON of a response.
 * @throws UnreadableAnswerError if it is not JSON
 */
export function jsonOf(answer: HttpAnswer): unknown {
  try {
    return parseJson(answer.body);
  } catch (cause) {
    throw unreadable(answer, 'no JSON, or nested too deep', cause);
  }
}

/** The error for a response that cannot be relied on. The body is kept out of its message. */
export function unreadable({ status }: HttpAnswer, why: string, cause?: unknown): UnreadableAnswerError {
  return new UnreadableAnswerError(status, `the response cannot be read: ${why}`, { cause });
}

function tokenIn(body: unknown): string | undefined {
  return isObject(body) && typeof body.token === 'string' ? body.token : undefined;
}

/** The service may remember a reference that it refused: the next attempt needs a new one. */
function hasReference({ makeBody }: Call, body: unknown): boolean {
  return makeBody !== undefined || (isObject(body) && body.transactionReference !== undefined);
}

function throwIfTooLate(mayStart: CallOptions['mayStart']): void {
  if (mayStart?.() === false) throw new NotStartedError('it could not be sent in time, and is not begun so late');
}

function throwIfWithdrawn(signal: Signal | undefined): void {
  if (signal?.aborted) throw new WithdrawnError('withdrawn before it was sent');
}

function address(of: string, text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new ConfigurationError(`the address of the ${of} is no http(s) URL: ${text}`);
  }
  // What is refused may hold a password or a token, which must not appear in an error.
  if (!isBase(text))
    throw new ConfigurationError(`the address of the ${of} has a user name, a password, "?" or "#" in it`);
  return text.replace(/\/+$/, '');
}
