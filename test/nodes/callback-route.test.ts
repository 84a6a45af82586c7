import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import express, { type RequestHandler } from 'express';
import type { NodeAPI } from 'node-red';
import { newId } from '../../src/core/platform/new-id.js';
import { listen } from '../../src/nodes/runtime/callback-route.js';
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

for (const [how, settings] of [
  ['directly', {}],
  ['through Express', { httpNodeMiddleware: ((_req, _res, next) => next()) as RequestHandler }],
] as const) {
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

test('Node-RED puts no other layer in front of its HTTP nodes than the one that we know', async () => {
  const source = await readFile(laneRequire.resolve('@node-red/nodes/core/network/21-httpin.js'), 'utf8');
  const [, layer] = /rootApp\.use\((\w+)\)/.exec(source) ?? [];
  assert.equal(layer, 'rawBodyCapture');
});
