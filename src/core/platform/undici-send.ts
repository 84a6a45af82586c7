import type { Dispatcher, Pool } from 'undici';
import { AnswerLostError, NotSentError, type PaymentError } from '../base/errors.js';
import type { HttpAnswer, HttpRequest, Send } from '../base/seams.js';

/** Sends requests over the network, with one connection pool per origin and a limit on the size of a response. */

const MAX_ANSWER_BYTES = 1024 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;

/** Failures that occur before the first byte can be sent: no name, no listener, no trusted certificate. */
const NOT_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

export type HttpSend = Send & {
  /** Closes every connection. A pending request rejects with `AnswerLostError`. */
  close(): Promise<void>;
};

export function createHttpSend(): HttpSend {
  const pools = new Map<string, Pool>();

  const poolOf = async (origin: string): Promise<Pool> => {
    // Loaded with the first request, to keep Node-RED's start fast.
    const { Pool } = await import('undici');
    const existing = pools.get(origin);
    if (existing !== undefined) return existing;
    // Each request has its own deadline, so undici's timeouts are off.
    const pool = new Pool(origin, { connect: { timeout: CONNECT_TIMEOUT_MS }, headersTimeout: 0, bodyTimeout: 0 });
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
    try {
      const { method, headers, body } = request;
      const pool = await poolOf(origin);
      const answer = await pool.request({ method, path: pathname + search, headers, body, signal: abort.signal });
      return { status: answer.statusCode, body: await textOf(answer.body) };
    } catch (error) {
      throw failure(request, error);
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

/** The message names the origin, because that is what a person can correct. */
function failure({ method, url }: HttpRequest, cause: unknown): PaymentError {
  const why = cause instanceof Error ? cause.message || codeOf(cause) : String(cause);
  const message = `${method} ${new URL(url).origin}: ${why}`;
  return isNotSent(cause) ? new NotSentError(message, { cause }) : new AnswerLostError(message, { cause });
}

/**
 * A failed connection means that nothing was written. If a name has several addresses, the connection to each of them
 * must have failed.
 */
function isNotSent(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isNotSent);
  if (!(error instanceof Error)) return false;
  return ('syscall' in error && error.syscall === 'connect') || NOT_SENT.has(codeOf(error));
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}
