import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import type { BackOfficeOrder } from '../../../../src/core/operation/back-office-order.js';
import { type Payments, payments } from '../../../harness/payments.js';

const MINUTE = 60_000;

async function keyedSale(world: Payments): Promise<BackOfficeOrder> {
  const { card } = await world.after(world.sale({ operation: 'saleAndTokenizeCard' }));
  return { operation: 'moto/sale', body: { amount: '12.00', currency: 'EUR', cardToken: String(card.token) } };
}

async function reversal(world: Payments): Promise<BackOfficeOrder> {
  const { transactionId } = await world.after(world.sale());
  return { operation: 'reversal', body: { originalGuid: transactionId } };
}

/** How often an operation was sent. */
function triesOf({ timeline }: ResultPayload): number {
  return timeline.filter(({ event }) => event === 'sent' || event === 'sent-again').length;
}

for (const seconds of [75, 108]) {
  test(`what the service does ${seconds} s after it was asked is not reported as not done`, async () => {
    const world = payments();
    const order = await keyedSale(world);
    world.simulator.faults.arm({ kind: 'acts-late', match: { endpoint: 'POST /moto/sale' }, ms: seconds * 1000 });
    const before = world.bank.netMoved();
    const { outcome, moneyMoved } = await world.after(world.backOffice(order));
    assert.equal(world.bank.netMoved() - before, 1200);
    assert.deepEqual([outcome, moneyMoved], ['approved', 'yes']);
  });
}

test('what a long queue of the rate limit holds back is not reported as not done', async () => {
  const world = payments({ engine: { requestsPerSecond: 1 } });
  const order = await keyedSale(world);
  const before = world.bank.netMoved();
  world.simulator.faults.arm({ kind: 'acts-late', match: { endpoint: 'POST /moto/sale' }, times: 100 });
  for (let each = 0; each < 80; each++) await world.backOffice(order);
  await world.clock.runUntil(() => world.told.length >= 81, 30 * MINUTE);
  const done = world.told.slice(1).filter(({ payload }) => payload.moneyMoved === 'yes');
  assert.equal(done.length * 1200, world.bank.netMoved() - before);
  assert.equal(done.length, 80);
});

test('what was asked for in another life of the process is not sent again, and the chain is asked', async () => {
  const world = payments();
  const order = await reversal(world);
  world.simulator.faults.arm({ kind: 'server-error-before', match: { endpoint: 'POST /reversal' } });
  const submitted = world.backOffice(order);
  const operationId = await submitted;
  await world.clock.advance(500);
  assert.equal((await world.journal.find({ operationId }))[0]?.state.phase, 'retrying');
  await world.engine.stop();
  world.engine = world.createEngine();
  world.connect(world.engine);
  await world.engine.start();
  const told = await world.after(submitted);
  assert.deepEqual([triesOf(told), told.moneyMoved, world.bank.netMoved()], [1, 'no', 1000]);
});

test('a reversal whose answer was lost a minute ago is not sent again', async () => {
  const world = payments();
  const order = await reversal(world);
  world.simulator.faults.arm({ kind: 'request-lost', match: { endpoint: 'POST /reversal' } });
  const told = await world.after(world.backOffice(order));
  assert.deepEqual([triesOf(told), told.moneyMoved, world.bank.netMoved()], [1, 'no', 1000]);
});

test('a second sending that waits a minute for the rate limit is withdrawn, and the chain is asked', async () => {
  const world = payments({ engine: { requestsPerSecond: 1 } });
  const sale = await keyedSale(world);
  const order = await reversal(world);
  world.simulator.faults.arm({ kind: 'server-error-before', match: { endpoint: 'POST /reversal' } });
  const before = world.bank.netMoved();
  const submitted = world.backOffice(order);
  await submitted;
  await world.clock.advance(100);
  for (let each = 0; each < 90; each++) await world.backOffice(sale);
  const { moneyMoved, timeline } = await world.after(submitted);
  assert.ok(timeline.some(({ event }) => event === 'resending-ended'));
  assert.equal(moneyMoved, 'no');
  await world.clock.runUntil(() => world.told.length >= 93, 30 * MINUTE);
  assert.equal(world.bank.netMoved() - before, 90 * 1200);
});
