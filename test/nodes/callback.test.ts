import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { callbackSecret, callbackToken } from '../../src/core/base/callback.js';
import { newId } from '../../src/core/platform/new-id.js';
import { Collector } from '../harness/collector.js';
import { type RunningNodeRed, startNodeRed } from '../harness/node-red.js';
import { saleFlow } from '../harness/sale-flow.js';
import { type Service, startService } from './flow.js';

const secret = callbackSecret('simulator');

/** A port that is free at the moment: the environment has to know its public address before Node-RED runs. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

describe('callbacks into a real Node-RED', () => {
  let service: Service;
  let collector: Collector;
  let nodeRed: RunningNodeRed;
  let operationId: string;

  before(async () => {
    service = await startService({ cardholder: 'none' });
    collector = new Collector();
    await collector.start();
    const uiPort = await freePort();
    const callbackIn = {
      id: 'cb',
      z: 'tab',
      type: 'payment-callback-in',
      environment: 'environment',
      x: 1,
      y: 1,
      wires: [[]],
    };
    const environment = { callbackUrl: `http://127.0.0.1:${uiPort}/payments` };
    nodeRed = await startNodeRed({
      flows: [...saleFlow(service, collector.url, environment), callbackIn],
      credentials: { environment: { apiKey: 'simulator' } },
      settings: { uiPort },
    });
    await pay('10.00');
    operationId = sentReference();
  });
  after(async () => {
    await nodeRed.stop();
    collector.stop();
    await service.stop();
  });

  /** Resolves once Node-RED has read the answer to its request: it polls then. */
  async function pay(amount: string): Promise<void> {
    const polled = new Promise<void>((resolve) => {
      service.simulator.faults.decideBy(({ moment }) => {
        if (moment === 'poll') resolve();
        return undefined;
      });
    });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${nodeRed.url}/pay`, { method: 'POST', headers, body: JSON.stringify({ amount }) });
    await polled;
  }

  function sentReference(): string {
    const sent = service.simulator.requests.latest().findLast(({ path }) => path === '/transactions');
    const { transactionReference } = { ...(sent?.body as { transactionReference?: string } | undefined) };
    return String(transactionReference);
  }

  function approval(reference: string): string {
    return JSON.stringify({
      transactionReference: reference,
      transactionID: 'x',
      finStatus: 'AUTHORISED',
      totalAmount: 1000,
    });
  }

  async function call(
    path: string,
    token: string | undefined,
    body: string | Buffer,
    packing?: string,
  ): Promise<{ status: number; text: string }> {
    const headers = {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { 'auth-token': token }),
      ...(packing === undefined ? {} : { 'content-encoding': packing }),
    };
    const answer = await fetch(`${nodeRed.url}/payments/${path}`, {
      method: 'POST',
      headers,
      body: new Uint8Array(Buffer.from(body)),
    });
    return { status: answer.status, text: await answer.text() };
  }

  test('a forged call gets the same 404 whatever is wrong with it, and changes nothing', async () => {
    const token = callbackToken(secret, operationId);
    const stranger = newId();
    const forged: [string, string | undefined, string][] = [
      [operationId, undefined, approval(operationId)],
      [operationId, 'wrong', approval(operationId)],
      [operationId, callbackToken(secret, stranger), approval(operationId)],
      [stranger, callbackToken(secret, stranger), approval(stranger)],
      [stranger, token, approval(operationId)],
      [operationId, 'wrong', '{"finStatus": '],
      [stranger, token, ''],
      ['no-uuid', token, approval(operationId)],
      [`${operationId}/more`, token, approval(operationId)],
      ['__proto__', token, approval(operationId)],
    ];
    for (const [path, given, body] of forged) {
      assert.deepEqual(
        await call(path, given, body),
        { status: 404, text: 'Not Found' },
        JSON.stringify([path, given, body]),
      );
    }
    assert.equal(collector.messages.length, 0);
  });

  for (const announced of [true, false]) {
    test(`a body of 10 MB gets 413, ${announced ? 'announced' : 'in parts that nobody announced'}`, async () => {
      const size = 10 * 1024 * 1024;
      const headers = {
        'content-type': 'application/json',
        'auth-token': callbackToken(secret, operationId),
        // One that announces its end is closed with the answer, which what is still on its way may overtake.
        connection: 'keep-alive',
        ...(announced ? { 'content-length': String(size) } : {}),
      };
      const status = await new Promise((resolve, reject) => {
        const url = `${nodeRed.url}/payments/${operationId}`;
        const call = request(url, { method: 'POST', headers, agent: false }, (answer) => {
          call.removeAllListeners('error').on('error', () => undefined);
          resolve(answer.statusCode);
          call.destroy();
        });
        call.on('error', reject);
        if (announced) call.flushHeaders();
        else call.write(Buffer.alloc(size, 'x'));
      });
      assert.equal(status, 413);
      assert.equal(collector.messages.length, 0);
    });
  }

  test('a call with the right token that nobody can read is to be sent again, and ends nothing', async () => {
    const token = callbackToken(secret, operationId);
    const bomb = gzipSync(approval(operationId).padEnd(64 * 1024 * 1024));
    const unread: [string | Buffer, string?][] = [
      ['{"finStatus": '],
      ['[]'],
      ['null'],
      [''],
      [bomb, 'gzip'],
      [gzipSync(approval(operationId)).subarray(0, -1), 'gzip'],
      [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3]), 'zstd'],
    ];
    for (const [body, packing] of unread) {
      assert.deepEqual(await call(operationId, token, body, packing), { status: 503, text: 'Unavailable' });
      assert.equal((await call(operationId, 'wrong', body, packing)).status, 404);
    }
    assert.equal(collector.messages.length, 0);
  });

  test('the true callback settles the sale at once, and twice is once', async () => {
    const token = callbackToken(secret, operationId);
    assert.deepEqual(await call(operationId, token, approval(operationId)), { status: 200, text: 'OK' });
    const { output, msg } = await collector.message(1);
    assert.deepEqual([output, msg.payload.outcome, msg.payload.source], ['done', 'approved', 'callback']);
    assert.equal((await call(operationId, token, approval(operationId))).status, 200);
    assert.equal(collector.messages.length, 1);
  });

  test('other paths of Node-RED keep their parsers', async () => {
    const answer = await fetch(`${nodeRed.url}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    assert.equal(answer.status, 400);
  });
});

test('a login in front of HTTP nodes stands in front of callbacks too', async (t) => {
  const service = await startService();
  const uiPort = await freePort();
  const callbackIn = { id: 'cb', z: 'tab', type: 'payment-callback-in', environment: 'environment', wires: [[]] };
  const environment = { callbackUrl: `http://127.0.0.1:${uiPort}/payments` };
  const nodeRed = await startNodeRed({
    flows: [...saleFlow(service, 'http://127.0.0.1:1', environment), callbackIn],
    credentials: { environment: { apiKey: 'simulator' } },
    settings: { uiPort, httpNodeAuth: { user: 'caller', pass: 'a bcrypt hash' } },
  });
  t.after(async () => {
    await nodeRed.stop();
    await service.stop();
  });
  const attempt = newId();
  const headers = { 'content-type': 'application/json', 'auth-token': callbackToken(secret, attempt) };
  const answer = await fetch(`${nodeRed.url}/payments/${attempt}`, { method: 'POST', headers, body: '{}' });
  assert.equal(answer.status, 401);
});
