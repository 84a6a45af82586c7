import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import express, { type RequestHandler } from 'express';
import type { NodeAPI } from 'node-red';
import { MAX_BODY } from '../../src/core/platform/body-text.js';
import { newId } from '../../src/core/platform/new-id.js';
import { listen, type Receive } from '../../src/nodes/runtime/callback-route.js';
import { laneRequire } from '../harness/node-red.js';

/** An application with HTTP nodes, as Node-RED makes it; returns how often a callback passed the layers in front of those. */
async function passed(t: TestContext, inFront: readonly RequestHandler[], settings: object = {}): Promise<number> {
  let count = 0;
  const app = express();
  for (const layer of inFront) app.use(layer);
  app.use(function serveStatic(_req, _res, next) {
    count++;
    next();
  });
  const httpNode = express();
  app.use('/', httpNode);
  const stop = listen({ httpNode, settings } as unknown as NodeAPI, '/payments', async () => 'taken');
  const server = createServer(app).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/payments/${newId()}`, { method: 'POST', body: '{}' });
  stop?.();
  assert.equal(answer.status, 200);
  return count;
}

/** An application with HTTP nodes, which nobody listens in yet, and how to post a callback to it. */
async function served(t: TestContext) {
  const app = express();
  const httpNode = express();
  app.use('/', httpNode);
  const server = createServer(app).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const post = async (headers = {}): Promise<number> => {
    const path = `/payments/${newId()}`;
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: '{}' });
    return answer.status;
  };
  return { app, httpNode, port, post };
}

/** An application that takes callbacks: its port, and what of each arrives. */
async function taking(t: TestContext, settings: object): Promise<{ port: number; arrived: Promise<string> }> {
  const app = express();
  const httpNode = express();
  app.use('/', httpNode);
  let resolve: (text: string) => void = () => undefined;
  const arrived = new Promise<string>((settle) => {
    resolve = settle;
  });
  const stop = listen({ httpNode, settings } as unknown as NodeAPI, '/payments', async (_attemptId, _token, text) => {
    resolve(text);
    return 'taken';
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  t.after(() => {
    stop?.();
    server.close();
  });
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, arrived };
}

/** Posts a body, and returns what of it arrives. */
async function posted(
  t: TestContext,
  settings: object,
  body: Buffer,
  packing: string | undefined,
  expected = 200,
): Promise<string> {
  const { port, arrived } = await taking(t, settings);
  const { status } = await fetch(`http://127.0.0.1:${port}/payments/${newId()}`, {
    method: 'POST',
    headers: packing === undefined ? {} : { 'content-encoding': packing },
    body: new Uint8Array(body),
  });
  assert.equal(status, expected);
  return arrived;
}

function rawBodyCapture(_req: unknown, _res: unknown, next: () => void): void {
  next();
}

test('a callback is answered before Express routes it, where nobody stands in front of HTTP nodes', async (t) => {
  assert.equal(await passed(t, []), 0);
  assert.equal(await passed(t, [rawBodyCapture]), 0);
});

test('whoever stands in front of HTTP nodes sees a callback', async (t) => {
  const guard: RequestHandler = (_req, _res, next) => next();
  assert.equal(await passed(t, [guard]), 1);
  assert.equal(await passed(t, [], { httpNodeMiddleware: guard }), 1);
  assert.equal(await passed(t, [], { httpNodeAuth: { user: 'a', pass: 'b' } }), 1);
});

test('middleware that another node has put in front of the HTTP nodes sees a callback, whenever that came', async (t) => {
  const { app, httpNode, post } = await served(t);
  const seen: string[] = [];
  const guard =
    (name: string): RequestHandler =>
    (_req, _res, next) => {
      seen.push(name);
      next();
    };
  httpNode.use('/dashboard', guard('elsewhere'));
  httpNode.use('/payments/admin', guard('elsewhere'));
  httpNode.use('/elsewhere', express());
  const stop = listen({ httpNode, settings: {} } as unknown as NodeAPI, '/payments', async () => 'taken');
  t.after(() => stop?.());
  app.use(guard('root'));
  const { stack } = app._router ?? app.router;
  const root = stack.pop();
  assert.equal(await post(), 200);
  assert.deepEqual(seen, []);
  stack.unshift(root);
  assert.equal(await post(), 200);
  assert.deepEqual(seen, ['root']);
});

test('middleware at a path with a parameter, and an application of another node, see a callback', async (t) => {
  for (const mount of [
    (httpNode: express.Express, seen: RequestHandler) => httpNode.use('/payments/:attempt', seen),
    (httpNode: express.Express, seen: RequestHandler) => httpNode.use(express().use(seen)),
  ]) {
    let count = 0;
    const { httpNode, post } = await served(t);
    mount(httpNode, (_req, _res, next) => {
      count++;
      next();
    });
    const stop = listen({ httpNode, settings: {} } as unknown as NodeAPI, '/payments', async () => 'taken');
    assert.equal(await post(), 200);
    assert.equal(count, 1);
    stop?.();
  }
});

for (const [how, settings] of [
  ['directly', {}],
  ['through Express', { httpNodeMiddleware: ((_req, _res, next) => next()) as RequestHandler }],
] as const) {
  test(`of a callback that is known to be forged no body is waited for, and nothing of it is kept ${how}`, async (t) => {
    const { httpNode, port, post } = await served(t);
    const bodies: string[] = [];
    const receive: Receive = async (_attemptId, token, body) => {
      bodies.push(body);
      return token === 'true' ? 'taken' : 'not-found';
    };
    const stop = listen(
      { httpNode, settings } as unknown as NodeAPI,
      '/payments',
      receive,
      (_attemptId, token) => token !== 'true',
    );
    const socket = connect(port, '127.0.0.1');
    t.after(() => {
      stop?.();
      socket.destroy();
    });
    const head = `POST /payments/${newId()} HTTP/1.1\r\nHost: shop\r\nauth-token: guess\r\nContent-Length: 1000000\r\n\r\n`;
    socket.write(`${head}half of it`);
    const [answer] = await once(socket, 'data');
    assert.match(String(answer), /^HTTP\/1\.1 404 /);
    assert.deepEqual([await post({ 'auth-token': 'true' }), bodies], [200, ['', '{}']]);
  });
}

const WAYS = [
  ['directly', {}],
  ['through Express', { httpNodeMiddleware: ((_req, _res, next) => next()) as RequestHandler }],
] as const;

for (const [how, settings] of WAYS) {
  test(`two environments take their callbacks ${how}, one below the path of the other`, async (t) => {
    const app = express();
    const httpNode = express();
    app.use('/', httpNode);
    const RED = { httpNode, settings } as unknown as NodeAPI;
    const taken: string[] = [];
    for (const path of ['/shop/live', '/shop', '/shop/test']) {
      const stop = listen(RED, path, async () => {
        taken.push(path);
        return 'taken';
      });
      t.after(() => stop?.());
    }
    const server = createServer(app).listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const paths = ['/shop', '/shop/live', '/shop/test'];
    for (const path of paths) {
      const { status } = await fetch(`http://127.0.0.1:${port}${path}/${newId()}`, { method: 'POST', body: '{}' });
      assert.equal(status, 200, path);
    }
    assert.deepEqual(taken, paths);
  });
}

const RESULT = '{"statusMessage":"Genehmigt für 10 €"}';

for (const [how, settings] of WAYS) {
  test(`a result that is posted compressed, and in UTF-16, is read ${how}`, async (t) => {
    assert.equal(await posted(t, settings, gzipSync(Buffer.from(RESULT, 'utf16le')), 'gzip'), RESULT);
  });

  test(`a body that is too long is heard of, and not read ${how}`, async (t) => {
    assert.equal(await posted(t, settings, Buffer.alloc(MAX_BODY + 1, ' '), undefined, 413), '');
  });

  test(`a body whose connection breaks off is heard of ${how}`, async (t) => {
    const { port, arrived } = await taking(t, settings);
    const socket = connect(port, '127.0.0.1');
    socket.write(`POST /payments/${newId()} HTTP/1.1\r\nHost: till\r\nContent-Length: 100\r\n\r\n${RESULT}`, () =>
      socket.end(),
    );
    assert.equal(await arrived, '');
  });
}

test('Node-RED puts no other layer in front of its HTTP nodes than the one that we know', async () => {
  const source = await readFile(laneRequire.resolve('@node-red/nodes/core/network/21-httpin.js'), 'utf8');
  const [, layer] = /rootApp\.use\((\w+)\)/.exec(source) ?? [];
  assert.equal(layer, 'rawBodyCapture');
});
