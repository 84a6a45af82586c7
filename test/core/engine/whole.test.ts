import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Payments, payments } from '../../harness/payments.js';

/** What a reversal of the whole on a terminal has to name: the terminal takes no reversal without an amount. */

async function tipped(world: Payments, transactionID: string, amount: string): Promise<void> {
  await world.after(
    world.backOffice({ operation: 'tip-adjustment', body: { transactionID, amount, currency: 'EUR' } }),
  );
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
