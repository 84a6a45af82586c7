import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TransactionOrder } from '../../../../src/core/api/schema/transaction-request.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** Operations on a terminal that the status service does not know by our reference: who says how they ended. */

const SECOND = 1000;

/** Neither the answer to the order nor a callback arrives. */
function loseAll({ simulator }: Payments, kind: 'answer-lost' | 'request-lost' = 'answer-lost'): void {
  simulator.faults.arm({ kind, match: { endpoint: 'POST /transactions' } });
  simulator.faults.arm({ kind: 'callback-lost', match: {}, times: 1000 });
}

const linked: Record<string, { original: Partial<TransactionOrder>; order: Partial<TransactionOrder>; moved: number }> =
  {
    'a linked refund': { original: {}, order: { operation: 'refund', amount: '400' }, moved: 600 },
    'a reversal': { original: {}, order: { operation: 'saleReversal' }, moved: 0 },
    'a capture': {
      original: { operation: 'preAuthorization' },
      order: { operation: 'preAuthorizationCapture' },
      moved: 1000,
    },
  };

for (const [name, { original, order, moved }] of Object.entries(linked)) {
  test(`${name} on the terminal whose answer is lost is found in the chain of the original`, async () => {
    const world = payments();
    const { transactionId } = await world.after(world.sale(original));
    loseAll(world);
    const askedAt = world.clock.now();
    const { moneyMoved, outcome } = await world.after(world.sale({ ...order, originalTransactionId: transactionId }));
    assert.equal(world.bank.netMoved(), moved);
    assert.notEqual(outcome, 'unknown');
    assert.equal(moneyMoved, order.operation === 'refund' ? 'unknown' : 'yes');
    assert.ok(world.clock.now() - askedAt < 200 * SECOND);
  });

  test(`${name} that never reached the terminal is not charged, says the chain of the original`, async () => {
    const world = payments();
    const { transactionId } = await world.after(world.sale(original));
    const before = world.bank.netMoved();
    loseAll(world, 'request-lost');
    const { outcome, moneyMoved } = await world.after(world.sale({ ...order, originalTransactionId: transactionId }));
    assert.deepEqual([outcome, moneyMoved], ['not-charged', 'no']);
    assert.equal(world.bank.netMoved(), before);
  });
}

test('an equal refund by another till is no proof of ours on the terminal', async () => {
  const world = payments();
  const { transactionId } = await world.after(world.sale());
  loseAll(world, 'request-lost');
  const submitted = world.sale({ operation: 'refund', amount: '400', originalTransactionId: transactionId });
  await world.clock.advance(10 * SECOND);
  world.simulator.other.refund(transactionId, 400);
  const { outcome, moneyMoved } = await world.after(submitted);
  assert.deepEqual([outcome, moneyMoved], ['unknown', 'unknown']);
});

test('a keyed sale where MOTO is off is failed: the reference in its result can be asked', async () => {
  const world = payments({
    simulator: { variants: { keyedRefusal: 'on-record' }, merchants: [{ capabilities: { supportsMoto: false } }] },
  });
  const { outcome } = await world.after(world.sale({ operation: 'moToSale' }));
  assert.equal(outcome, 'failed');
  await world.clock.runUntilIdle(600 * SECOND);
  const { payload } = world.told.at(-1) ?? {};
  assert.deepEqual([payload?.outcome, payload?.moneyMoved, payload?.final], ['failed', 'no', true]);
});

test('where no witness is left the flow hears so as soon as the answer is given up, and the terminal is free soon', async () => {
  const world = payments({ callbacks: false });
  const begun = world.clock.now();
  world.simulator.faults.arm({ kind: 'request-lost', match: { endpoint: 'POST /transactions' } });
  const { outcome, moneyMoved, error, final } = await world.after(world.sale({ operation: 'moToSale' }));
  assert.deepEqual([outcome, moneyMoved, error?.code, final], ['unknown', 'unknown', 'NO_WITNESS', false]);
  assert.equal(world.told.at(-1)?.exit, 'needs-attention');
  const toldAt = world.clock.now() - begun;
  assert.ok(toldAt < 30 * SECOND, `told after ${toldAt} ms`);
  const next = await world.after(world.sale({}, { busyWaitMs: 120 * SECOND }));
  assert.equal(next.outcome, 'approved');
  const freeAt = world.clock.now() - begun;
  assert.ok(freeAt < 150 * SECOND, `free after ${freeAt} ms`);
});

test('without a witness the question is closed after two days, though the process was away when they ended', async () => {
  const world = payments({ callbacks: false });
  world.simulator.faults.arm({ kind: 'request-lost', match: { endpoint: 'POST /transactions' } });
  await world.after(world.sale({ operation: 'moToSale' }));
  await world.engine.stop();
  await world.clock.advance(72 * 3600 * SECOND);
  world.engine = world.createEngine();
  world.connect(world.engine);
  await world.engine.start();
  const { payload } = await world.untilTold(2);
  assert.deepEqual([payload.outcome, payload.error?.code, payload.final], ['unknown', 'WATCH_ENDED', true]);
});

test('a refund that the status service calls REFUNDED was done', async () => {
  const world = payments({ simulator: { variants: { refundInStatus: 'REFUNDED' } } });
  loseAll(world);
  const { outcome, moneyMoved } = await world.after(world.sale({ operation: 'refund' }));
  assert.deepEqual([outcome, moneyMoved], ['provisional', 'unknown']);
  await world.clock.runUntilIdle(72 * 3600 * SECOND);
  const { payload } = world.told.at(-1) ?? {};
  assert.deepEqual([payload?.outcome, payload?.moneyMoved, payload?.final], ['refunded', 'yes', true]);
  assert.equal(world.bank.netMoved(), -1000);
});

test('a refund that the terminal itself took back, after a first try was declined, is told as cancelled', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: 'none' } });
  const { faults } = world.simulator;
  faults.arm({ kind: 'declined-then-approved' });
  faults.arm({ kind: 'poll-fails', times: 1000 });
  const submitted = world.sale({ operation: 'refund' });
  await world.clock.advance(1000);
  world.terminal.presentCard();
  await world.clock.advance(2000);
  faults.arm({ kind: 'gateway-answer-lost-then-reversed' });
  world.terminal.presentCard();
  const { outcome, moneyMoved, final, retry } = await world.after(submitted);
  assert.deepEqual([outcome, moneyMoved, final, retry], ['cancelled', 'no', true, 'safe']);
  assert.deepEqual([world.bank.entries().length, world.bank.netMoved()], [2, 0]);
});

test('of a payment that another till has refunded in part, the flow hears what is left', async () => {
  const world = payments({ simulator: { variants: { partlyReturnedSale: 'REFUNDED' } } });
  loseAll(world);
  const submitted = world.sale();
  await world.clock.advance(30 * SECOND);
  world.simulator.other.refund(world.bank.charges()[0]?.transactionId ?? '', 100);
  const { outcome, moneyMoved, error, amount } = await world.after(submitted);
  assert.deepEqual(
    [outcome, moneyMoved, error?.code, amount?.requested, amount?.total],
    ['partial', 'partly', 'PARTLY_REFUNDED', '10.00', '9.00'],
  );
});
