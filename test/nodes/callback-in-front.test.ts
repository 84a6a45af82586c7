import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { NodeAPI } from 'node-red';
import { newId } from '../../src/core/platform/new-id.js';
import { listen, type Receive, routeFor } from '../../src/nodes/runtime/callback-route.js';

/** What stands in front of Node-RED: a proxy, an application that embeds it, middleware of its settings. */

const RESULT = '{"finStatus":"AUTHORISED"}';

type Mount = (httpNode: Express) => Express;

const asNodeRed: Mount = (httpNode) => express().use('/', httpNode);

interface Options {
  address?: string;
  mount?: Mount;
  settings?: object;
  receive: Receive;
}

/** Returns the address of a server that takes results. */
async function taking(t: TestContext, { address, mount = asNodeRed, settings = {}, receive }: Options) {
  const httpNode = express();
  const app = mount(httpNode);
  const RED = { httpNode, settings } as unknown as NodeAPI;
  const stop = listen(RED, routeFor(address ?? 'https://shop.example/payments', '/'), receive);
  const server = createServer(app).listen(0, '127.0.0.1');
  t.after(() => {
    stop?.();
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Texts that arrive, and what notes them. */
function inbox(): { texts: string[]; receive: Receive } {
  const texts: string[] = [];
  const receive: Receive = async (_attemptId, _token, text) => {
    texts.push(text);
    return 'taken';
  };
  return { texts, receive };
}

async function post(port: number, path: string): Promise<number> {
  const { status } = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: RESULT,
    signal: AbortSignal.timeout(5000),
  });
  return status;
}

/** Sends a request line that names the whole address. */
async function postByProxy(port: number, path: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const head = ['Host: shop.example', `Content-Length: ${RESULT.length}`, 'Connection: close'];
  socket.write([`POST http://shop.example${path} HTTP/1.1`, ...head, '', RESULT].join('\r\n'));
  let answer = '';
  for await (const part of socket) answer += part;
  return answer;
}

const passing: RequestHandler = (_req, _res, next) => next();

for (const [how, settings] of [
  ['directly', {}],
  ['through Express', { httpNodeMiddleware: passing }],
] as const) {
  test(`a public address with two slashes takes results ${how}`, async (t) => {
    const { texts, receive } = inbox();
    const port = await taking(t, { address: 'https://shop.example//payments', settings, receive });
    assert.equal(await post(port, `//payments/${newId()}`), 200);
    assert.equal(await post(port, `/payments//${newId()}?from=terminal//1`), 200);
    assert.deepEqual(texts, [RESULT, RESULT]);
  });

  test(`a request line with the whole address, as some proxies send, is read ${how}`, async (t) => {
    const { texts, receive } = inbox();
    const port = await taking(t, { settings, receive });
    assert.match(await postByProxy(port, `/payments/${newId()}`), /^HTTP\/1.1 200/);
    assert.deepEqual(texts, [RESULT]);
  });
}

for (const [what, parser] of [
  ['JSON', express.json()],
  ['text', express.text({ type: '*/*' })],
  ['bytes', express.raw({ type: '*/*' })],
] as const) {
  test(`a body that the application around Node-RED has read as ${what} is answered, and read`, async (t) => {
    const { texts, receive } = inbox();
    const mount: Mount = (httpNode) => express().use(parser).use(express.Router().use('/', httpNode));
    const port = await taking(t, { mount, receive });
    assert.equal(await post(port, `/payments/${newId()}`), 200);
    assert.deepEqual(texts, [RESULT]);
  });
}

/** A journal that takes its time: until `take` is called. */
function slowJournal(): { receive: Receive; take: () => void; called: Promise<void> } {
  let take = (): void => undefined;
  let call = (): void => undefined;
  const called = new Promise<void>((resolve) => {
    call = resolve;
  });
  const taken = new Promise<'taken'>((resolve) => {
    take = () => resolve('taken');
  });
  const receive: Receive = () => {
    call();
    return taken;
  };
  return { receive, take, called };
}

/** What was rejected, and nobody handled, while `run` went on and in the turn after it. */
async function unhandled(run: () => Promise<void>): Promise<string[]> {
  const found: string[] = [];
  const note = (reason: unknown): number => found.push(String(reason));
  process.on('unhandledRejection', note);
  await run();
  await new Promise(setImmediate);
  process.off('unhandledRejection', note);
  return found;
}

test('a result that middleware has answered before the journal took it does not end Node-RED', async (t) => {
  const { receive, take, called } = slowJournal();
  /** As `connect-timeout` does: it goes on, and answers by itself where that takes too long. */
  const impatient: RequestHandler = (_req, res, next) => {
    void called.then(() => res.writeHead(503).end());
    next();
  };
  const port = await taking(t, { settings: { httpNodeMiddleware: impatient }, receive });
  const escaped = await unhandled(async () => {
    assert.equal(await post(port, `/payments/${newId()}`), 503);
    take();
  });
  assert.deepEqual(escaped, []);
});

test('a response that middleware has spoilt does not end Node-RED', async (t) => {
  const spoiling: RequestHandler = (_req, res, next) => {
    res.writeHead = () => {
      throw new Error('spoilt');
    };
    next();
  };
  const { texts, receive } = inbox();
  const port = await taking(t, { settings: { httpNodeMiddleware: spoiling }, receive });
  const escaped = await unhandled(() => assert.rejects(post(port, `/payments/${newId()}`)));
  assert.deepEqual(escaped, []);
  assert.deepEqual(texts, [RESULT]);
});

const unhurried: RequestHandler = (_req, _res, next) => void setImmediate(next);

test('middleware that throws after another one has taken its time does not end Node-RED', async (t) => {
  const broken: RequestHandler = () => {
    throw new Error('broken');
  };
  const { texts, receive } = inbox();
  const port = await taking(t, { settings: { httpNodeMiddleware: [unhurried, broken] }, receive });
  assert.equal(await post(port, `/payments/${newId()}`), 500);
  assert.deepEqual(texts, []);
});

test('a list of middleware may hold lists, and handlers of errors', async (t) => {
  const refusing: ErrorRequestHandler = (_error, _req, res, _next) => void res.status(401).end();
  const { texts, receive } = inbox();
  const port = await taking(t, { settings: { httpNodeMiddleware: [[unhurried], refusing] }, receive });
  assert.equal(await post(port, `/payments/${newId()}`), 200);
  assert.deepEqual(texts, [RESULT]);
});
