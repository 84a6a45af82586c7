import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerLostError } from '../../src/core/base/errors.js';
import type { ArmedFault } from '../../src/simulator/index.js';
import { type Json, resultOf, type Simulated, simulate } from '../harness/simulated.js';

/** What a proxy or a slow service does to a request, and what the ledger has in the end. */

const charges = ({ simulator }: Simulated, { transactionReference }: Json): number =>
  simulator.bank.charges(String(transactionReference)).length;

async function sale(fault: ArmedFault) {
  const world = simulate();
  world.simulator.faults.arm(fault);
  const body = world.sale();
  const { method, url, headers } = {
    method: 'POST' as const,
    url: `${world.simulator.baseUrl}/transactions`,
    headers: {},
  };
  const sent = world.simulator
    .send({
      method,
      url,
      headers: { ...headers, apikeycloud: 'simulator' },
      body: JSON.stringify(body),
      timeoutMs: 60_000,
    })
    .catch((error: unknown) => error);
  await world.clock.runUntilIdle(600_000);
  return { world, body, answer: (await sent) as { status: number; body: string } };
}

test('runs a repeated request once, and shows the answer to the second: busy', async () => {
  const { world, body, answer } = await sale({ kind: 'repeated-request' });
  assert.deepEqual([answer.status, JSON.parse(answer.body).error], [400, 1001]);
  assert.deepEqual(
    world.simulator.requests.latest().map(({ status }) => status),
    [202, 400],
  );
  assert.equal(charges(world, body), 1);
});

test('runs a repeated request once, and shows 429 where the repetition exceeds the limit', async () => {
  const { world, body, answer } = await sale({ kind: 'repeated-request-throttled' });
  assert.equal(answer.status, 429);
  assert.equal(charges(world, body), 1);
});

test('shows of a repeated request nothing but "busy": never that the terminal is offline where it has begun', async () => {
  const world = simulate();
  const accepted = (await world.post('/transactions', world.sale())).json;
  await world.clock.runUntilIdle(600_000);
  const { transactionID } = await resultOf(world, accepted);
  world.simulator.faults.arm({ kind: 'repeated-request' });
  world.simulator.faults.arm({ kind: 'power-cut-processing' });
  const { amount, currency, serial_number, terminal_type } = world.sale();
  const { status } = await world.post('/transactions', {
    ...{ operation: 'saleReversal', originalTransactionId: transactionID },
    ...{ amount, currency, serial_number, terminal_type },
  });
  assert.equal(status, 202);
  assert.deepEqual(
    world.simulator.requests
      .latest()
      .slice(-2)
      .map(({ status }) => status),
    [202, 400],
  );
});

for (const [kind, charged] of [
  ['order-refused-before', 0],
  ['order-refused-after', 1],
] as const) {
  for (const status of [401, 404, 408, 409]) {
    test(`answers an order with ${status}, and charges ${charged} times, where ${kind}`, async () => {
      const { world, body, answer } = await sale({ kind, status });
      assert.deepEqual([answer.status, JSON.parse(answer.body).error.statusCode], [status, status]);
      assert.equal(charges(world, body), charged);
    });
  }
}

test('answers an order with a page of a proxy, before and after the terminal has started', async () => {
  for (const [kind, charged] of [
    ['web-page-before', 0],
    ['web-page-after', 1],
  ] as const) {
    const { world, body, answer } = await sale({ kind });
    assert.deepEqual([answer.status, answer.body.slice(0, 6)], [502, '<html>']);
    assert.equal(charges(world, body), charged, kind);
  }
});

test('never refuses for certain after the terminal has started', async () => {
  const { answer } = await sale({ kind: 'order-refused-after', status: 403 });
  assert.equal(answer.status, 404);
});

test('acts at most 110 s after the request, and its worst case counts from the request', async () => {
  const { world, body, answer } = await sale({ kind: 'acts-late', ms: 3_600_000 });
  assert.ok(answer instanceof AnswerLostError);
  const [charge] = world.simulator.bank.charges(String(body.transactionReference));
  assert.ok(charge !== undefined && charge.at - world.simulator.startedAt > 110_000);
});

test('does what the back office was asked although nobody waits for its answer any more', async () => {
  const world = simulate();
  const { post, clock, simulator } = world;
  await post('/transactions', world.sale());
  await clock.runUntilIdle();
  const [charge] = simulator.bank.charges();
  simulator.faults.arm({ kind: 'acts-late', ms: 75_000, match: { endpoint: 'POST /reversal' } });
  const sent = post('/reversal', { originalGuid: charge?.transactionId }).catch((error: unknown) => error);
  await clock.advance(74_999);
  assert.ok((await sent) instanceof AnswerLostError);
  assert.equal(simulator.bank.netMoved(), 1000);
  await clock.advance(1);
  assert.equal(simulator.bank.netMoved(), 0);
});
