import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { Client } from '../../../src/core/api/client.js';
import { RateLimiterRegistry } from '../../../src/core/api/transport/rate-limiter.js';
import type { TransportOptions } from '../../../src/core/api/transport/transport.js';
import { createHttpSend } from '../../../src/core/platform/undici-send.js';
import { VirtualClock } from '../../harness/virtual-clock.js';

interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** HTTP status and body; a body that is not a string is sent as JSON. */
export type Scripted = [status: number, body?: unknown];

/** A real HTTP server that sends scripted responses in order, and a client for it with a virtual clock. */
export async function scriptedService(t: TestContext, options: Partial<TransportOptions> = {}) {
  const script: Scripted[] = [];
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      received.push({ method, path: url, headers, body: Buffer.concat(chunks).toString() });
      const [status, body] = script.shift() ?? [599, 'the script has ended'];
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const send = createHttpSend();
  t.after(async () => {
    await send.close();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clock = new VirtualClock();
  const connection: TransportOptions = {
    baseUrl: `${origin}/api/`,
    statusUrl: `${origin}/status`,
    apiKey: 'planted-key-4711',
    send,
    clock,
    rateLimiters: new RateLimiterRegistry(clock),
    requestsPerSecond: 0,
    ...options,
  };
  return {
    client: new Client(connection),
    connection,
    clock,
    received,
    /** Appends the next responses, in order. */
    answers: (...more: Scripted[]) => void script.push(...more),
  };
}
