import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerLostError, IdempotencyKeyElsewhereError } from '../../../src/core/base/errors.js';
import { carried, uncarried } from '../../../src/core/delivery/remote/carried-error.js';
import type { EngineOptions } from '../../../src/core/engine/options.js';
import { orderKey } from '../../../src/core/operation/order-key.js';
import { DEFAULT_KEY } from '../../../src/simulator/index.js';
import { NODE, type Payments, payments, saleOrder } from '../../harness/payments.js';

/** An environment that was pointed at another service, or has the key of another merchant, still has its journal. */

const OTHER = 'key-of-another-merchant';
const TERMINALS = ['10000001', '10000002'].map((serial_number) => ({ serial_number, terminal_type: 'SIMULATEDT1' }));

/** The keys of one merchant, or of two. */
function world(isOneMerchant = false): Payments {
  const merchants = isOneMerchant
    ? [{ keys: [DEFAULT_KEY, OTHER], terminals: TERMINALS }]
    : [
        { id: 'M-1', keys: [DEFAULT_KEY], terminals: TERMINALS.slice(0, 1) },
        { id: 'M-2', keys: [OTHER], terminals: TERMINALS.slice(1) },
      ];
  return payments({ callbacks: false, simulator: { merchants } });
}

function order(world: Payments, request: Parameters<typeof saleOrder>[0] = {}): Promise<string> {
  const origin = { node: NODE, message: {}, key: orderKey('order-17', 'key') };
  return world.engine.submit({ ...saleOrder(request), origin });
}

async function restartWith(world: Payments, changes: Partial<EngineOptions>): Promise<void> {
  await world.engine.stop();
  world.engine = world.createEngine(changes);
  await world.engine.start();
  world.connect(world.engine);
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
  await restartWith(shop, { apiKey: OTHER });
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
  await restartWith(shop, {
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
  await restartWith(shop, { apiKey: OTHER });
  assert.ok((await refusal(shop)) instanceof IdempotencyKeyElsewhereError);
  await shop.clock.advance(60_000);
  await order(shop);
  const { payload } = await shop.untilTold(2);
  assert.deepEqual([payload.outcome, payload.repeated], ['approved', true]);
});

test('under a new key of the same merchant an order is told as it ended, also while nobody has said yet whose it is', async () => {
  const shop = world(true);
  const first = await paid(shop);
  let lists = 0;
  await restartWith(shop, {
    apiKey: OTHER,
    send: (request) => {
      if (request.url.endsWith('/devices') && lists++ === 0) return Promise.reject(new AnswerLostError('no answer'));
      return shop.simulator.send(request);
    },
  });
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
  await restartWith(shop, { apiKey: OTHER });
  await order(shop, { amount: '3784', serial_number: '10000002' });
  const { payload } = await shop.untilTold(2);
  assert.deepEqual([payload.attempt, payload.repeated], [2, undefined]);
});
