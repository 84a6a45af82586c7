import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IdempotencyKeyElsewhereError } from '../../../src/core/base/errors.js';
import { carried, uncarried } from '../../../src/core/delivery/remote/carried-error.js';
import { orderKey } from '../../../src/core/operation/order-key.js';
import { NODE, type Payments, payments, saleOrder } from '../../harness/payments.js';
import { devicesAnsweredLate, merchantsOf, restart } from '../../harness/two-keys.js';

/** An environment that was pointed at another service, or has the key of another merchant, still has its journal. */

const OTHER = 'key-of-another-merchant';

/** The keys of one merchant, or of two. */
function world(isOneMerchant = false): Payments {
  const merchants = merchantsOf(isOneMerchant, OTHER);
  return payments({ callbacks: false, simulator: { merchants } });
}

function order(world: Payments, request: Parameters<typeof saleOrder>[0] = {}): Promise<string> {
  const origin = { node: NODE, message: {}, key: orderKey('order-17', 'key') };
  return world.engine.submit({ ...saleOrder(request), origin });
}

/** Asks for the order again, and gives it the time in which nobody may know yet whose the key is. */
async function refusal(world: Payments, request = {}): Promise<unknown> {
  const refused = order(world, request).then(
    () => undefined,
    (error: unknown) => error,
  );
  await world.clock.advance(16_000);
  return refused;
}

async function paid(world: Payments, request = {}): Promise<string> {
  await world.engine.start();
  await order(world, request);
  const { payload } = await world.untilTold();
  return payload.operationId;
}

test('an order that another merchant was paid for is not told as approved: nothing is charged here', async () => {
  const shop = world();
  const first = await paid(shop);
  await restart(shop, { apiKey: OTHER });
  const error = await refusal(shop, { serial_number: '10000002' });
  assert.ok(error instanceof IdempotencyKeyElsewhereError);
  assert.equal(error.code, 'IDEMPOTENCY_KEY_ELSEWHERE');
  assert.match(error.message, new RegExp(first));
  assert.equal(shop.told.length, 1);
  assert.equal(shop.started.length, 1);
  assert.deepEqual(uncarried(carried(error)), error, 'also in another process');
});

test('the same at another address, where the key is unchanged', async () => {
  const shop = world();
  await paid(shop);
  await restart(shop, {
    baseUrl: 'https://live.example',
    statusUrl: 'https://status.live.example',
    send: async () => ({ status: 200, body: '[]' }),
  });
  assert.ok((await refusal(shop)) instanceof IdempotencyKeyElsewhereError);
  assert.equal(shop.told.length, 1);
});

test('the same while nobody says whose the new key is, and once that is known the order is told as it ended', async () => {
  const shop = world(true);
  await paid(shop);
  shop.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'GET /devices' } });
  shop.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'GET /devices' } });
  await restart(shop, { apiKey: OTHER });
  assert.ok((await refusal(shop)) instanceof IdempotencyKeyElsewhereError);
  await shop.clock.advance(60_000);
  await order(shop);
  const { payload } = await shop.untilTold(2);
  assert.deepEqual([payload.outcome, payload.repeated], ['approved', true]);
});

test('under a new key of the same merchant an order is told as it ended, also while nobody has said yet whose it is', async () => {
  const shop = world(true);
  const first = await paid(shop);
  await restart(shop, { apiKey: OTHER, send: devicesAnsweredLate(shop) });
  const again = order(shop);
  const { payload } = await shop.untilTold(2);
  await again;
  assert.deepEqual([payload.operationId, payload.outcome, payload.repeated], [first, 'approved', true]);
  assert.equal(shop.bank.charges().length, 1);
});

test('an order that certainly charged nothing elsewhere is begun here', async () => {
  const shop = world();
  await paid(shop, { amount: '3784' });
  assert.equal(shop.told[0]?.payload.moneyMoved, 'no');
  await restart(shop, { apiKey: OTHER });
  await order(shop, { amount: '3784', serial_number: '10000002' });
  const { payload } = await shop.untilTold(2);
  assert.deepEqual([payload.attempt, payload.repeated], [2, undefined]);
});
