import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotSentError } from '../../../../src/core/base/errors.js';
import type { HttpAnswer, HttpRequest } from '../../../../src/core/base/seams.js';
import type { BackOfficeOrder } from '../../../../src/core/operation/back-office-order.js';
import { DEFAULT_KEY } from '../../../../src/simulator/index.js';
import { atOddService, original } from '../../../harness/odd-service.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** Something in between sends a request twice: the first is done, and the answer that arrives is the one to the copy. */

const error = (status: number, name: string, code?: string): HttpAnswer => ({
  status,
  body: JSON.stringify({ error: { statusCode: status, name, message: name, code } }),
});
const TOO_MANY = error(429, 'TooManyRequestsError');
const FORBIDDEN = error(403, 'ForbiddenError');

interface Case {
  of: 'sale' | 'preAuthorization';
  path: string;
  /** What the bank has once it is done, minor units. */
  net: number;
  order: (id: string) => BackOfficeOrder;
}
const CASES: Record<string, Case> = {
  capture: {
    of: 'preAuthorization',
    path: '/capture',
    net: 800,
    order: (originalGuid) => ({
      operation: 'preauthorization/capture',
      body: { originalGuid, capturedAmount: '8.00', currency: 'EUR' },
    }),
  },
  reversal: {
    of: 'sale',
    path: '/reversal',
    net: 0,
    order: (originalGuid) => ({ operation: 'reversal', body: { originalGuid } }),
  },
  tip: {
    of: 'sale',
    path: '/tip-adjustment',
    net: 1200,
    order: (transactionID) => ({
      operation: 'tip-adjustment',
      body: { transactionID, amount: '2.00', currency: 'EUR' },
    }),
  },
};

/** The first request is done and answered 429; every later one as `then` says. */
async function begun(
  { of, path, net, order }: Case,
  then: () => Promise<HttpAnswer> | undefined,
  startWithinMs?: number,
) {
  let isDone = false;
  const world = atOddService({
    answer: (request: HttpRequest, serve) => {
      if (!request.url.endsWith(path)) return undefined;
      if (isDone) return then();
      isDone = true;
      return serve().then(() => TOO_MANY);
    },
  });
  const id = await original(world, of);
  await world.clock.advance(60_000);
  const operationId = await world.backOffice({ ...order(id), ...(startWithinMs && { startWithinMs }) });
  assert.ok(await world.clock.runUntil(() => isDone && world.bank.netMoved() === net, 60_000));
  await world.clock.advance(300);
  return { world, operationId };
}

/** A reversal has no mark: where one shows after a 429, somebody else may have made it. */
async function assertDone(world: Payments, operationId: string, net: number): Promise<void> {
  const { operation, outcome, moneyMoved } = await world.after(Promise.resolve(operationId));
  assert.equal(world.bank.netMoved(), net, 'it was done');
  assert.deepEqual([outcome, moneyMoved], operation === 'reversal' ? ['unknown', 'unknown'] : ['approved', 'yes']);
}

for (const [name, one] of Object.entries(CASES)) {
  test(`a ${name} that was done and answered 429, and is cancelled, is not told as "no"`, async () => {
    const { world, operationId } = await begun(one, () => Promise.resolve(TOO_MANY));
    world.engine.cancel(operationId);
    await assertDone(world, operationId, one.net);
  });
  test(`a ${name} that was done, and meets nothing but 429 from then on, is not told as "no"`, async () => {
    const { world, operationId } = await begun(one, () => Promise.resolve(TOO_MANY));
    await assertDone(world, operationId, one.net);
  });
  test(`a ${name} that was done and answered 429, before the connection is refused, is not told as "no"`, async () => {
    const { world, operationId } = await begun(one, () => Promise.reject(new NotSentError('connection refused')));
    await assertDone(world, operationId, one.net);
  });
  test(`a ${name} that was done and answered 429, before the key is refused, is not told as "no"`, async () => {
    const { world, operationId } = await begun(one, () => Promise.resolve(FORBIDDEN));
    await assertDone(world, operationId, one.net);
  });
  test(`a ${name} that was done and answered 429, and is too late to be sent again, is not told as "no"`, async () => {
    const { world, operationId } = await begun(one, () => Promise.resolve(TOO_MANY), 20_000);
    await assertDone(world, operationId, one.net);
  });
}

test('a reversal that was done and answered 429 before a deploy is not told as "no"', async () => {
  const { world, operationId } = await begun(CASES.reversal as Case, () => undefined);
  const stopped = world.engine.stop();
  await world.clock.advance(100);
  await stopped;
  await world.clock.advance(20_000);
  world.engine = world.createEngine();
  world.connect(world.engine);
  await world.engine.start();
  await assertDone(world, operationId, 0);
});

test('a close of the open batch whose copy is answered 429 closes that batch alone', async () => {
  const closed: string[] = [];
  const world: Payments = payments({
    simulator: { merchants: [{ demo: false, keys: [DEFAULT_KEY] }] },
    engine: {
      send: async (request) => {
        const got = await world.simulator.send(request);
        if (!request.url.endsWith('/batch/close')) return got;
        const body = JSON.parse(got.body);
        closed.push(body.batchNumber ?? body.error.code);
        if (closed.length > 1) return got;
        world.simulator.other.sale({ amount: 500 });
        return TOO_MANY;
      },
    },
  });
  await world.after(world.sale());
  const terminal = { serialNumber: '10000001', deviceType: 'SIMULATEDT1' };
  const { outcome, batch } = await world.after(world.backOffice({ operation: 'batch/close', body: terminal }));
  assert.deepEqual([outcome, batch, closed], ['completed', '1', ['1']]);
});

test('a decrease that was done, and whose copy is refused because it would reach zero, is not told as refused', async () => {
  let left = 1;
  const world = atOddService({
    answer: (request, serve) =>
      request.url.endsWith('/increase') && left-- > 0 ? serve().then(() => serve()) : undefined,
  });
  const originalGuid = await original(world, 'preAuthorization');
  const body = { originalGuid, increaseAmount: '6.00', subtract: '1' as const, currency: 'EUR' };
  const { outcome, final } = await world.after(world.backOffice({ operation: 'preauthorization/increase', body }));
  assert.equal(world.bank.netHeld(), 400);
  assert.deepEqual([outcome, final], ['approved', true]);
});

test('a reversal of a keyed sale that was done, and whose copy finds nothing to reverse (3153), is not told as refused', async () => {
  const world = atOddService({
    answer: (request, serve) =>
      request.url.endsWith('/moto/reversal') ? serve().then(() => error(400, 'BadRequestError', '3153')) : undefined,
  });
  const { transactionId } = await world.after(world.sale({ operation: 'moToSale' }));
  await world.clock.advance(20_000);
  const body = { originalGuid: transactionId, amount: '10.00', currency: 'EUR' };
  const { moneyMoved } = await world.after(world.backOffice({ operation: 'moto/reversal', body }));
  assert.equal(world.bank.netMoved(), 0);
  assert.notEqual(moneyMoved, 'no');
});

// The other side: what was never done must still be told as certain.
for (const [name, one] of Object.entries(CASES)) {
  test(`a ${name} that was never done, and meets nothing but 429, is told as refused, and safe to send again`, async () => {
    const world = atOddService({ answer: (r) => (r.url.endsWith(one.path) ? Promise.resolve(TOO_MANY) : undefined) });
    const id = await original(world, one.of);
    await world.clock.advance(60_000);
    const { outcome, moneyMoved, final, retry } = await world.after(world.backOffice(one.order(id)));
    assert.deepEqual([outcome, moneyMoved, final, retry], ['refused', 'no', true, 'safe']);
  });
}
