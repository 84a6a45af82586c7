import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../../src/core/base/seams.js';
import { type Payments, payments } from '../../harness/payments.js';

/** What a reversal of the whole on a terminal has to name: the terminal takes no reversal without an amount. */

const HOUR = 3_600_000;

async function tipped(world: Payments, transactionID: string, amount: string): Promise<void> {
  await world.after(
    world.backOffice({ operation: 'tip-adjustment', body: { transactionID, amount, currency: 'EUR' } }),
  );
}

/** The next process has a clock that is that far behind, ms. */
async function restartedBehind(world: Payments, by: number): Promise<void> {
  await world.engine.stop();
  const clock: Clock = {
    now: () => world.clock.now() - by,
    wall: () => world.clock.wall() - by,
    after: (ms, run) => world.clock.after(ms, run),
  };
  world.engine = world.createEngine({ clock });
  world.connect(world.engine);
  await world.engine.start();
}

for (const tipEntry of ['in-sale', 'own'] as const) {
  test(`the whole contains the tip that another till has set meanwhile (${tipEntry})`, async () => {
    const world = payments({ simulator: { variants: { tipEntry } } });
    const { transactionId } = await world.after(world.sale());
    await tipped(world, transactionId, '2.00');
    await world.clock.advance(20_000);
    world.simulator.other.tip(transactionId, 300);
    await world.clock.advance(20_000);
    const whole = await world.engine.whole(transactionId);
    assert.deepEqual(whole, { amount: 1300n, currency: 'EUR' });
    const { moneyMoved } = await world.after(
      world.sale({ operation: 'saleReversal', originalTransactionId: transactionId, amount: String(whole?.amount) }),
    );
    assert.equal(moneyMoved, 'yes');
    assert.equal(world.bank.netMoved(), 0);
  });
}

test('the whole is what this journal has just made it, although the chain may not show that yet', async () => {
  const world = payments({ simulator: { timings: { statusLagMs: 10_000 } } });
  const { transactionId } = await world.after(world.sale());
  await world.clock.advance(60_000);
  await tipped(world, transactionId, '2.00');
  assert.deepEqual(await world.engine.whole(transactionId), { amount: 1200n, currency: 'EUR' });
});

test('the whole is as the journal knows it where the chain cannot be had', async () => {
  const world = payments();
  const { transactionId } = await world.after(world.sale());
  await world.clock.advance(60_000);
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'GET /status' }, times: 10 });
  let whole: unknown;
  void world.engine.whole(transactionId).then((known) => {
    whole = known;
  });
  await world.clock.advance(3000);
  assert.deepEqual(whole, { amount: 1000n, currency: 'EUR' });
});

test('the whole contains the newer of two tips where the clock stood behind since a restart, and the chain cannot be had', async () => {
  const world = payments();
  const { transactionId } = await world.after(world.sale());
  await world.clock.advance(60_000);
  await tipped(world, transactionId, '3.00');
  await restartedBehind(world, 24 * HOUR);
  await tipped(world, transactionId, '2.00');
  const tips = await world.engine.find({ original: transactionId });
  const [older, newer] = tips.sort((one, other) => (one.sequence ?? 0) - (other.sequence ?? 0));
  assert.ok((newer?.createdAt ?? 0) < (older?.createdAt ?? 0), 'by the clock it is the other way round');
  world.simulator.faults.arm({ kind: 'server-error-before', match: { endpoint: 'GET /status' }, forMs: HOUR });
  const whole = await world.engine.whole(transactionId);
  assert.deepEqual(whole, { amount: 1200n, currency: 'EUR' });
  world.simulator.faults.clear();
  await world.after(
    world.sale({ operation: 'saleReversal', originalTransactionId: transactionId, amount: String(whole?.amount) }),
  );
  assert.equal(world.bank.netMoved(), 0);
});
