import type { Socket } from 'node:net';
import type { buildConnector, Dispatcher, Pool } from 'undici';
import { AnswerLostError, NotSentError, type PaymentError } from '../base/errors.js';
import type { HttpAnswer, HttpRequest, Send } from '../base/seams.js';

/** Sends requests over the network, with one connection pool per origin and a limit on the size of a response. */

const MAX_ANSWER_BYTES = 1024 * 1024;
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

  const poolOf = async (origin: string): Promise<Pool> => {
    // Loaded with the first request: it would slow down the start of a Node-RED that has nothing to pay yet.
    const { buildConnector, Pool } = await import('undici');
    const existing = pools.get(origin);
    if (existing !== undefined) return existing;
    // The deadline of each request stands above undici's own timeouts.
    const connect = connectorOf(buildConnector({ timeout: CONNECT_TIMEOUT_MS }));
    const pool = new Pool(origin, { connect, headersTimeout: 0, bodyTimeout: 0 });
    pools.set(origin, pool);
    return pool;
  };

  const send = async (request: HttpRequest): Promise<HttpAnswer> => {
    const { origin, pathname, search } = new URL(request.url);
    const abort = new AbortController();
    const withdraw = (): void => abort.abort(new Error('withdrawn'));
    const timer = setTimeout(
      () => abort.abort(new Error(`no answer within ${request.timeoutMs} ms`)),
      request.timeoutMs,
    );
    request.signal?.addEventListener('abort', withdraw);
    if (request.signal?.aborted) withdraw();
    let pool: Pool | undefined;
    try {
      const { method, headers, body } = request;
      pool = await poolOf(origin);
      const answer = await pool.request({ method, path: pathname + search, headers, body, signal: abort.signal });
      return { status: answer.statusCode, body: await textOf(answer.body) };
    } catch (error) {
      const isNotSent = pool === undefined || (error instanceof Error && notConnected.has(error));
      throw failure(request, error, isNotSent);
    } finally {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', withdraw);
    }
  };

  const close = async (): Promise<void> => {
    const open = [...pools.values()];
    pools.clear();
    await Promise.all(open.map((pool) => pool.destroy()));
  };

  return Object.assign(send, { close });
}

async function textOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop destroys the stream.
    if (size > MAX_ANSWER_BYTES) throw new Error(`the answer is larger than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
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
