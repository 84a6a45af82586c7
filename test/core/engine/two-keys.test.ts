import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callbackSecret, callbackSecrets } from '../../../src/core/base/callback.js';
import type { HttpRequest } from '../../../src/core/base/seams.js';
import { DEFAULT_KEY } from '../../../src/simulator/index.js';
import { type Payments, payments } from '../../harness/payments.js';
import { proved, restart, SECOND_KEY, withTwoKeys } from '../../harness/two-keys.js';

/** A change of keys: the second key of an environment takes over when the service refuses the first. */

const outcomes = (world: Payments): string[] => world.told.map(({ payload }) => payload.outcome);

test('a key that is refused at the request is replaced by the other, with a new reference, and the sale is paid once', async () => {
  const world = withTwoKeys();
  await proved(world);
  world.simulator.merchants.revokeKey(DEFAULT_KEY);
  const operationId = await world.sale();
  const { payload } = await world.untilTold();
  assert.deepEqual([payload.outcome, payload.operationId], ['approved', operationId]);
  assert.notEqual(payload.reference, operationId, 'the service may remember the reference that it refused');
  assert.equal(world.bank.charges().length, 1);
  assert.deepEqual(world.logged, ['warn: the service refuses the first API key: the second is used from now on']);
});

test('a payment that is open when its key is refused is told as it ended, and never as unknown', async () => {
  const world = withTwoKeys({ callbacks: false, simulator: { cardholder: { tapAfterMs: 20_000 } } });
  await proved(world);
  await world.sale();
  await world.clock.advance(5000);
  world.simulator.merchants.revokeKey(DEFAULT_KEY);
  const { payload } = await world.untilTold();
  assert.deepEqual([payload.outcome, payload.final, payload.source], ['approved', true, 'poll']);
  assert.deepEqual(outcomes(world), ['approved']);
});

test('a payment whose answer was lost is proved under the other key', async () => {
  const world = withTwoKeys({ callbacks: false });
  await proved(world);
  world.simulator.faults.arm({ kind: 'answer-lost' });
  await world.sale();
  await world.clock.advance(5000);
  world.simulator.merchants.revokeKey(DEFAULT_KEY);
  await world.clock.advance(3 * 24 * 3_600_000);
  assert.deepEqual(outcomes(world), ['provisional', 'approved']);
});

test('where both keys are refused the flow hears it through Catch at once, and nothing was charged', async () => {
  const world = withTwoKeys();
  await proved(world);
  world.simulator.merchants.revokeKey(DEFAULT_KEY);
  world.simulator.merchants.revokeKey(SECOND_KEY);
  await world.sale();
  const { exit, payload } = await world.untilTold(1, 10_000);
  assert.deepEqual([exit, payload.moneyMoved, payload.final], ['mistake', 'no', true]);
  assert.equal(world.told.length, 1);
  world.simulator.merchants.issueKey(DEFAULT_KEY);
  await world.sale();
  assert.equal((await world.untilTold(2)).payload.outcome, 'approved', 'a key that is accepted again is used again');
});

test('a back office order goes again with the other key, and a question too', async () => {
  const world = withTwoKeys();
  await proved(world);
  const sale = await world.after(world.sale());
  world.simulator.merchants.revokeKey(DEFAULT_KEY);
  const reversal = await world.after(
    world.backOffice({ operation: 'reversal', body: { originalGuid: sale.transactionId ?? '' } }),
  );
  assert.equal(reversal.outcome, 'refunded');
  assert.equal(world.bank.netMoved(sale.reference ?? ''), 0);
  world.simulator.merchants.issueKey(DEFAULT_KEY);
  world.simulator.merchants.revokeKey(SECOND_KEY);
  const token = { operation: 'token', body: { transactionID: sale.transactionId ?? '' } } as const;
  assert.notEqual((await world.after(world.backOffice(token))).error?.name, 'ForbiddenError');
});

test('a sale at the gateway goes again with the other key, with a new reference, and is paid once', async () => {
  const references: unknown[] = [];
  const world = withTwoKeys({
    engine: {
      send: (request: HttpRequest) => {
        if (request.url.endsWith('/moto/sale')) references.push(JSON.parse(request.body ?? '').transactionReference);
        return world.simulator.send(request);
      },
    },
  });
  await proved(world);
  const { card } = await world.after(world.sale({ operation: 'tokenizeCard', amount: undefined, currency: undefined }));
  world.simulator.merchants.revokeKey(DEFAULT_KEY);
  const body = { amount: '12.00', currency: 'EUR', cardToken: String(card.token) };
  const paid = await world.after(world.backOffice({ operation: 'moto/sale', body }));
  assert.equal(paid.outcome, 'approved');
  assert.equal(world.bank.charges().length, 1);
  assert.equal(new Set(references).size, 2);
  world.simulator.merchants.revokeKey(SECOND_KEY);
  await world.backOffice({ operation: 'moto/sale', body });
  assert.equal((await world.untilTold(3)).exit, 'mistake');
});

test('each key has a rate of its own', async () => {
  const sentWith: string[] = [];
  const world = withTwoKeys({
    engine: {
      send: (request: HttpRequest) => {
        if (request.method === 'POST') sentWith.push(request.headers.ApiKeyCloud ?? '');
        return world.simulator.send(request);
      },
    },
  });
  await proved(world);
  await world.sale();
  await world.clock.advance(100);
  world.simulator.merchants.revokeKey(DEFAULT_KEY);
  await world.sale({ serial_number: '10000002' });
  await world.clock.advance(10);
  assert.deepEqual(sentWith, [DEFAULT_KEY, DEFAULT_KEY, SECOND_KEY], 'the second key has not been used before');
});

test('a sale that is cancelled while its key is refused is not sent again', async () => {
  const world = withTwoKeys({
    engine: {
      send: async (request: HttpRequest) => {
        const answer = await world.simulator.send(request);
        if (answer.status === 403) world.engine.cancel(await submitted);
        return answer;
      },
    },
  });
  await proved(world);
  world.simulator.merchants.revokeKey(DEFAULT_KEY);
  const submitted = world.sale();
  const { payload } = await world.untilTold();
  assert.equal(payload.moneyMoved, 'no');
  assert.equal(world.bank.charges().length, 0);
});

test('a key is replaced over two deploys without an open payment becoming unknown', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: { tapAfterMs: 20_000 } } });
  await world.sale();
  await world.clock.advance(2000);
  world.simulator.merchants.issueKey(SECOND_KEY);
  await restart(world, { secondApiKey: SECOND_KEY });
  world.simulator.merchants.revokeKey(DEFAULT_KEY);
  await world.clock.advance(5000);
  await restart(world, { apiKey: SECOND_KEY });
  assert.equal((await world.untilTold()).payload.outcome, 'approved');
  assert.deepEqual(outcomes(world), ['approved']);
});

test('callbacks are accepted under the own secret and under that of either key', async () => {
  for (const secret of ['own secret', callbackSecret(DEFAULT_KEY), callbackSecret(SECOND_KEY)]) {
    const world = withTwoKeys({ simulator: { cardholder: { tapAfterMs: 5000 } } });
    await proved(world);
    const address = 'https://till.example/payments';
    await restart(world, { callback: { address, secret } });
    await world.sale();
    await world.clock.advance(2000);
    await restart(world, {
      callback: { address, ...callbackSecrets('own secret', [DEFAULT_KEY, SECOND_KEY]) },
    });
    assert.equal((await world.untilTold()).payload.outcome, 'approved');
    assert.ok(world.simulator.callbacks.latest().every(({ acknowledged }) => acknowledged));
  }
});

test('neither key is in a log, a verdict or the journal', async () => {
  const world = withTwoKeys({
    engine: {
      apiKey: 'first-key-4711',
      send: async () => ({
        status: 403,
        body: JSON.stringify({
          error: { statusCode: 403, name: 'ForbiddenError', message: `no key ${SECOND_KEY} and no first-key-4711` },
        }),
      }),
    },
  });
  await proved(world);
  await world.sale();
  const told = await world.untilTold();
  const records = await world.journal.find({ environment: 'env' });
  const text = JSON.stringify([told, told.error?.message, world.logged, records]);
  assert.match(text, /no key/);
  assert.ok(!text.includes(SECOND_KEY) && !text.includes('first-key-4711'));
});

test('a sale whose process ended after the first key was refused still tries the second', async () => {
  let refusals = 0;
  const world: Payments = withTwoKeys({
    engine: {
      send: async (request: HttpRequest) => {
        const { operation } = JSON.parse(request.body ?? '{}');
        if (operation === 'sale' && request.headers.ApiKeyCloud === SECOND_KEY && refusals++ === 0)
          return {
            status: 429,
            body: JSON.stringify({ error: { statusCode: 429, name: 'TooMany', message: 'slow' } }),
          };
        return world.simulator.send(request);
      },
    },
  });
  await proved(world);
  world.simulator.merchants.revokeKey(DEFAULT_KEY);
  await world.sale();
  await world.clock.advance(300);
  await restart(world);
  const { payload } = await world.untilTold();
  assert.equal(payload.outcome, 'approved');
});

test('after a busy terminal a refused key is replaced at once, in the very moment that the pause has ended', async () => {
  const sent: string[] = [];
  const send = async (request: HttpRequest) => {
    const { operation } = JSON.parse(request.body ?? '{}');
    if (operation !== 'cardPan') return world.simulator.send(request);
    sent.push(request.headers.ApiKeyCloud ?? '');
    if (sent.length === 1) return { status: 400, body: JSON.stringify({ error: 1001, message: 'Device busy' }) };
    if (sent.length === 2) world.simulator.merchants.revokeKey(DEFAULT_KEY);
    return world.simulator.send(request);
  };
  const world = withTwoKeys({ engine: { send } });
  await proved(world);
  const startedAt = world.clock.now();
  await world.sale({ operation: 'cardPan', amount: undefined, currency: undefined }, { busyWaitMs: 300_000 });
  await world.clock.runUntil(() => sent.length === 3, 60_000);
  assert.deepEqual(sent, [DEFAULT_KEY, DEFAULT_KEY, SECOND_KEY]);
  assert.ok(world.clock.now() - startedAt < 30_000);
});
