import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RefusedError } from '../../../src/core/base/errors.js';
import type { HttpAnswer } from '../../../src/core/base/seams.js';
import { VARIANT_VALUES, type Variants } from '../../../src/simulator/index.js';
import { atOddService } from '../../harness/odd-service.js';
import { payments } from '../../harness/payments.js';

const post = { endpoint: 'POST /transactions' };
/** With the terminal's number somewhere in the body. Without it the response may be a proxy's, and proves nothing. */
const SHAPES: readonly Variants['terminalErrors'][] = VARIANT_VALUES.terminalErrors.filter(
  (shape) => shape !== 'status',
);

const SHARED = { exclusiveTerminal: false };

/** Another till has the terminal, and its cardholder takes `ms` to pay. */
async function occupied(terminalErrors: Variants['terminalErrors'], ms: number) {
  const world = payments({ simulator: { variants: { terminalErrors }, cardholder: { tapAfterMs: ms } } });
  const another = {
    operation: 'sale',
    serial_number: '10000001',
    terminal_type: 'SIMULATEDT1',
    amount: '500',
    currency: 'EUR',
    transactionReference: '0f0e0d0c-0b0a-4908-8706-050403020100',
  };
  const answer = await world.simulator.send({
    method: 'POST',
    url: `${world.simulator.baseUrl}/transactions`,
    headers: { ApiKeyCloud: 'simulator', 'content-type': 'application/json' },
    body: JSON.stringify(another),
    timeoutMs: 20_000,
  });
  assert.equal(answer.status, 202);
  return world;
}

for (const shape of SHAPES) {
  test(`busy (${shape}): refused at once where the form does not wait`, async () => {
    const world = await occupied(shape, 30_000);
    await world.sale({}, SHARED);
    const { exit, payload } = await world.untilTold();
    assert.equal(exit, 'not-done');
    assert.equal(payload.outcome, 'refused');
    assert.equal(payload.moneyMoved, 'no');
    assert.equal(payload.error?.code, '1001');
    assert.deepEqual(world.started, ['sale']);
    assert.equal(world.bank.netMoved(payload.reference), 0);
  });

  test(`busy (${shape}): tried again with a new reference until the terminal is free`, async () => {
    const world = await occupied(shape, 8_000);
    const operationId = await world.sale({}, { busyWaitMs: 60_000 });
    const { exit, payload } = await world.untilTold();
    assert.equal(exit, 'done');
    assert.ok(world.started.length > 1);
    assert.notEqual(payload.reference, operationId);
    assert.equal(world.bank.netMoved(operationId), 0);
    assert.equal(world.bank.netMoved(payload.reference), 1000);
    assert.ok(world.progress.some(({ stage }) => stage === 'terminal-busy'));
  });

  test(`offline (${shape}): refused, no money moved, safe to try again`, async () => {
    const world = payments({ simulator: { variants: { terminalErrors: shape } } });
    world.terminal.goOffline();
    await world.sale();
    const { exit, payload } = await world.untilTold();
    assert.deepEqual(
      [exit, payload.outcome, payload.error?.code, payload.retry],
      ['not-done', 'refused', '1002', 'safe'],
    );
  });
}

for (const shape of SHAPES) {
  test(`foreign terminal (${shape}): refused with 1004`, async () => {
    const world = payments({ simulator: { variants: { terminalErrors: shape } } });
    await world.sale({ serial_number: '99999999' });
    const { exit, payload } = await world.untilTold();
    assert.deepEqual([exit, payload.outcome, payload.error?.code], ['not-done', 'refused', '1004']);
  });
}

test('a 404 without a number may come from a proxy: the outcome is recovered, and nothing was charged', async () => {
  const world = payments({ simulator: { variants: { terminalErrors: 'status' } } });
  world.terminal.goOffline();
  await world.sale();
  const { exit, payload } = await world.untilTold();
  assert.deepEqual([exit, payload.outcome, payload.moneyMoved], ['not-done', 'not-charged', 'no']);
  assert.equal(world.started.filter((operation) => operation === 'sale').length, 1);
});

test('a terminal that others use too is not sent a payment twice while it is busy, however long the form waits', async () => {
  const world = await occupied('flat', 85_000);
  await world.sale({}, { ...SHARED, busyWaitMs: 20_000 });
  const { exit, payload } = await world.untilTold();
  assert.deepEqual([exit, payload.outcome, payload.error?.code], ['not-done', 'refused', '1001']);
  await world.clock.advance(60_000);
  assert.deepEqual(world.started, ['sale']);
});

test('a wrong key is a mistake of the configuration, for Catch', async () => {
  const world = payments({ engine: { apiKey: 'another-key' } });
  await world.sale();
  const { exit, payload, error } = await world.untilTold();
  assert.equal(exit, 'mistake');
  assert.ok(error instanceof RefusedError);
  assert.equal(error.status, 403);
  assert.equal(payload.moneyMoved, 'no');
});

test('a body that the service finds invalid (422) is a mistake, for Catch, and names the field', async () => {
  const answer: HttpAnswer = {
    status: 422,
    body: JSON.stringify({
      error: {
        statusCode: 422,
        code: 'VALIDATION_FAILED',
        message: 'invalid',
        details: [{ path: '/currency', code: 'enum', message: 'must be one of', info: {} }],
      },
    }),
  };
  const world = payments({ engine: { send: async () => answer } });
  await world.sale();
  const { exit, error } = await world.untilTold();
  assert.equal(exit, 'mistake');
  assert.match(String(error?.message), /currency must be one of/);
});

test('a mistake that shows after the flow was told of a 429 corrects that by the same output, and not by Catch', async () => {
  let posts = 0;
  const refused: HttpAnswer = { status: 422, body: JSON.stringify({ error: { statusCode: 422, message: 'invalid' } }) };
  const world = atOddService({
    answer: async (request, serve) => {
      if (request.method !== 'POST' || !request.url.endsWith('/transactions')) return serve();
      posts++;
      return posts === 1 ? { status: 429, body: JSON.stringify({ error: { statusCode: 429 } }) } : refused;
    },
  });
  await world.sale();
  await world.clock.advance(8 * 60_000);
  assert.deepEqual(
    world.told.map(({ exit, payload }) => [exit, payload.outcome, payload.final, payload.correction]),
    [
      ['not-done', 'refused', false, undefined],
      ['not-done', 'refused', true, true],
    ],
  );
});

test('a 429 waits its second and goes again with a new reference', async () => {
  const world = payments();
  world.simulator.faults.arm({ kind: 'rate-limited', match: post, times: 3 });
  const operationId = await world.sale();
  const { exit, payload } = await world.untilTold();
  assert.equal(exit, 'done');
  assert.equal(world.started.length, 4);
  assert.notEqual(payload.reference, operationId);
  assert.equal(world.bank.charges().length, 1);
});

test('429 for more than a minute is reported as refused', async () => {
  const world = payments();
  world.simulator.faults.arm({ kind: 'rate-limited', match: post, forMs: 600_000 });
  await world.sale();
  const { exit, payload } = await world.untilTold();
  assert.deepEqual([exit, payload.outcome, payload.error?.code], ['not-done', 'refused', '429']);
});

test('sales on one terminal take turns, and none is refused while the form waits', async () => {
  const world = payments();
  for (let count = 0; count < 4; count++) await world.sale({}, { busyWaitMs: 120_000 });
  await world.untilTold(4);
  assert.ok(world.told.every(({ payload }) => payload.outcome === 'approved' || payload.outcome === 'declined'));
  assert.equal(world.started.length, 4, 'no attempt met a busy terminal');
  await world.clock.runUntilIdle();
  assert.equal(world.clock.pending, 0);
});

test('a second sale on one terminal is refused at once where the form does not wait', async () => {
  const world = payments();
  await world.sale();
  await world.sale();
  await world.untilTold(2);
  const outcomes = world.told.map(({ payload }) => payload.outcome);
  assert.deepEqual(outcomes.sort(), ['approved', 'refused']);
  assert.equal(world.started.length, 1);
});
