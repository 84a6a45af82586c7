import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { buildConnector, Dispatcher, Pool } from 'undici';
import { AnswerLostError, NotSentError, type PaymentError } from '../base/errors.js';
import type { HttpAnswer, HttpRequest, Send } from '../base/seams.js';
import { MAX_BODY, textIn } from './body-text.js';

/** Sends requests over the network, with one connection pool per origin and a limit on the size of a response. */

const CONNECT_TIMEOUT_MS = 10_000;

export type HttpSend = Send & {
  /** Closes every connection. A pending request rejects with `AnswerLostError`. */
  close(): Promise<void>;
};

export function createHttpSend(): HttpSend {
  const pools = new Map<string, Pool>();

  /** Errors of the connector, which runs before a byte of any request is written: name, address, TLS handshake. */
  const notConnected = new WeakSet<object>();

  const connectorOf = (connect: buildConnector.connector): buildConnector.connector => {
    return (options, callback) => {
      connect(options, (...[error, socket]) => {
        if (error !== null) notConnected.add(error);
        (callback as (error: Error | null, socket: Socket | null) => void)(error, socket);
      });
    };
  };

  const newPool = (origin: string): Pool => {
    const { buildConnector, Pool } = loadUndici();
    // The deadline of each request stands above undici's own timeouts.
    const connect = connectorOf(buildConnector({ timeout: CONNECT_TIMEOUT_MS }));
    const pool = new Pool(origin, { connect, headersTimeout: 0, bodyTimeout: 0 });
    pools.set(origin, pool);
    return pool;
  };

  const send = async (request: HttpRequest): Promise<HttpAnswer> => {
    const { origin, pathname, search } = new URL(request.url);
    const { method, headers, body } = request;
    let pool: Pool | undefined;
    try {
      pool = pools.get(origin) ?? newPool(origin);
      const exchange = new Exchange(request);
      pool.dispatch({ method, path: pathname + search, headers, body }, exchange);
      return await exchange.answer;
    } catch (error) {
      const isNotSent = pool === undefined || (error instanceof Error && notConnected.has(error));
      throw failure(request, error, isNotSent);
    }
  };

  const close = async (): Promise<void> => {
    const open = [...pools.values()];
    pools.clear();
    await Promise.all(open.map((pool) => pool.destroy()));
  };

  return Object.assign(send, { close });
}

/**
 * Loads undici with the first request: it would slow down the start of a Node-RED that has nothing to pay yet. On a busy machine
 * Node.js now and then finds none of its names by `import()`, and then never does until it ends.
 */
function loadUndici(): typeof import('undici') {
  return require('undici');
}

/** One request and its answer, as undici tells of them: without the streams and signals that its own `request` makes. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<HttpAnswer>;
  private readonly method: string;
  private readonly settle: () => void;
  private readonly chunks: Buffer[] = [];
  private size = 0;
  private status = 0;
  private packing: string | string[] | undefined;
  private controller: Dispatcher.DispatchController | undefined;
  private ended: Error | undefined;
  private resolve!: (answer: HttpAnswer) => void;
  private reject!: (error: Error) => void;

  constructor({ method, timeoutMs, signal }: HttpRequest) {
    this.method = method;
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    const withdraw = (): void => this.end(new Error('withdrawn'));
    const timer = setTimeout(() => this.end(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    signal?.addEventListener('abort', withdraw);
    this.settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', withdraw);
    };
    if (signal?.aborted) withdraw();
  }

  /** What was given up while it waited for a connection is not sent any more. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.ended !== undefined) controller.abort(this.ended);
    this.controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // An interim response precedes the answer, and its headers say nothing about it.
    if (status < 200) return;
    const { age } = headers;
    this.status = status;
    this.packing = headers['content-encoding'];
    // Something in between has kept it, although it was told not to: it says nothing of now.
    if (isOld(age, this.method)) this.end(new Error(`the answer is from a cache (Age: ${age})`));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > MAX_BODY) this.end(new Error(`the answer is larger than ${MAX_BODY} bytes`));
    else this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.settle();
    const text = textIn(Buffer.concat(this.chunks), this.packing);
    const answer = (body: string): void => this.resolve({ status: this.status, body });
    if (typeof text === 'string') answer(text);
    else text.then(answer, this.reject);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.settle();
    this.reject(error);
  }

  /** Gives up: nobody waits for what may still come. */
  private end(error: Error): void {
    this.ended = error;
    this.settle();
    this.reject(error);
    this.controller?.abort(error);
  }
}

/**
 * Each cache on the way may name an age, in a header of its own or after a comma. Where it cannot be read, what was asked for may
 * be old; what was done is not, as no cache keeps the answer to a POST.
 */
function isOld(age: string | string[] | undefined, method: string): boolean {
  if (age === undefined) return false;
  const ages = String(age)
    .split(',')
    .map((one) => one.trim());
  return ages.some((one) => (method === 'GET' ? one !== '0' : Number(one) > 0));
}

/** Names the origin: that is what a person can mend. */
function failure({ method, url }: HttpRequest, cause: unknown, isNotSent: boolean): PaymentError {
  const why = cause instanceof Error ? cause.message || codeOf(cause) : String(cause);
  const message = `${method} ${new URL(url).origin}: ${why}`;
  return isNotSent ? new NotSentError(message, { cause }) : new AnswerLostError(message, { cause });
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}
