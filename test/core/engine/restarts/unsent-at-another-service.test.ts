import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerLostError } from '../../../../src/core/base/errors.js';
import { type Payments, payments } from '../../../harness/payments.js';
import { devicesAnsweredLate, merchantsOf, restart } from '../../../harness/two-keys.js';

/** What still waits for its turn when the environment is pointed at another service must not charge there. */

/** A request on its way gets this time to be answered, ms. */
const STOPPING = 10_000;

const OTHER = 'another-key';
const WAITS = { busyWaitMs: 600_000 };

function world(isOneMerchant: boolean): Payments {
  const merchants = merchantsOf(isOneMerchant, OTHER);
  return payments({ callbacks: false, simulator: { merchants, cardholder: { tapAfterMs: 20_000 } } });
}

/** A sale is under way, and another one waits behind it. */
async function saleThatWaits(world: Payments): Promise<string> {
  await world.engine.start();
  await world.sale();
  const waits = await world.sale({ amount: '700' }, WAITS);
  await world.clock.advance(1000);
  return waits;
}

const heardOf = (world: Payments, id: string) =>
  world.told
    .filter(({ payload }) => payload.operationId === id)
    .map(({ exit, payload }) => [exit, payload.outcome, payload.final, payload.retry, payload.error?.code]);

const NOT_STARTED = [['not-done', 'not-charged', true, 'safe', 'SERVICE_CHANGED']];

test('a sale that waits while the environment gets the key of another merchant is not charged by that one', async () => {
  const shop = world(false);
  const waits = await saleThatWaits(shop);
  await restart(shop, { apiKey: OTHER }, STOPPING);
  await shop.clock.advance(600_000);
  assert.deepEqual(heardOf(shop, waits), NOT_STARTED);
  assert.equal(shop.started.filter((operation) => operation === 'sale').length, 1);
});

test('the same while the new service has not yet said whose the key is', async () => {
  const shop = world(false);
  const waits = await saleThatWaits(shop);
  await restart(shop, { apiKey: OTHER, send: devicesAnsweredLate(shop) }, STOPPING);
  await shop.clock.advance(600_000);
  assert.deepEqual(heardOf(shop, waits), NOT_STARTED);
});

test('a refund by the back office that was not sent is not begun there either', async () => {
  const shop = world(false);
  await shop.engine.start();
  const sale = await shop.after(shop.sale());
  shop.simulator.faults.arm({ kind: 'connection-refused', match: { endpoint: 'POST /moto/refund' } });
  const body = { originalGuid: sale.transactionId ?? '', amount: '1.00', currency: 'EUR' };
  const refund = await shop.backOffice({ operation: 'moto/refund', body });
  await restart(shop, { apiKey: OTHER }, STOPPING);
  await shop.clock.advance(600_000);
  assert.deepEqual(heardOf(shop, refund), NOT_STARTED);
});

test('a sale that waits while the key is replaced by one of the same merchant is charged', async () => {
  const shop = world(true);
  const waits = await saleThatWaits(shop);
  await restart(shop, { apiKey: OTHER }, STOPPING);
  await shop.clock.advance(600_000);
  assert.deepEqual(heardOf(shop, waits), [['done', 'approved', true, 'never', undefined]]);
});

test('a sale that waits while a wrong address is mended is charged: nothing was seen there', async () => {
  const shop = world(true);
  shop.engine = shop.createEngine({
    baseUrl: 'https://wrong.example',
    send: () => Promise.reject(new AnswerLostError('no answer')),
  });
  await shop.engine.start();
  shop.connect(shop.engine);
  await shop.sale();
  const waits = await shop.sale({ amount: '700' }, WAITS);
  await restart(shop, {}, STOPPING);
  await shop.clock.advance(600_000);
  assert.deepEqual(heardOf(shop, waits), [['done', 'approved', true, 'never', undefined]]);
});
