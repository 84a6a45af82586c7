import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Payments, payments } from '../../../harness/payments.js';

/** Nobody says that the service refuses the tip of a payment of which something went back. */

const MINUTE = 60_000;

const tip = async (world: Payments, transactionID: string, amount: string): Promise<unknown[]> => {
  const body = { transactionID, amount, currency: 'EUR' };
  const { outcome, moneyMoved, error } = await world.after(world.backOffice({ operation: 'tip-adjustment', body }));
  return [outcome, moneyMoved, error?.code];
};

/** A sale of 10.00 with a tip of 3.00, of which so much went back. */
async function returned(
  goBack: (world: Payments, payment: string) => unknown,
  tipAfterReturn: 'done' | 'ignored' = 'done',
) {
  const world = payments({ simulator: { variants: { tipAfterReturn }, timings: { statusLagMs: 10_000 } } });
  const { transactionId } = await world.after(world.sale());
  await world.clock.advance(MINUTE);
  assert.deepEqual(await tip(world, transactionId, '3.00'), ['approved', 'yes', undefined]);
  await world.clock.advance(MINUTE);
  await goBack(world, transactionId);
  return { world, transactionId };
}

const THEIRS = async (world: Payments, payment: string): Promise<void> => {
  world.simulator.other.reverse(payment);
  await world.clock.advance(MINUTE);
};

const OURS = async (world: Payments, originalGuid: string): Promise<void> => {
  await world.after(world.backOffice({ operation: 'reversal', body: { originalGuid } }));
};

for (const [who, goBack] of [
  ['another system', THEIRS],
  ['the flow right before', OURS],
] as const) {
  test(`a lower tip is not sent for a sale that ${who} has reversed: the difference would come back as well`, async () => {
    const { world, transactionId } = await returned(goBack);
    assert.deepEqual(await tip(world, transactionId, '1.00'), ['refused', 'no', 'REFUNDED_BEFORE']);
    assert.equal(world.bank.netMoved(), 0);
  });
}

test('a higher tip of a reversed sale is told once the chain shows it', async () => {
  const { world, transactionId } = await returned(THEIRS);
  assert.deepEqual(await tip(world, transactionId, '4.00'), ['approved', 'yes', undefined]);
  assert.equal(world.bank.netMoved(), 100);
});

for (const [what, goBack] of [
  ['reversed', THEIRS],
  ['refunded in part', (world: Payments, payment: string) => world.simulator.other.refund(payment, 400)],
] as const) {
  test(`a tip that is approved after its sale was ${what}, and not set, is no approval`, async () => {
    const { world, transactionId } = await returned(goBack, 'ignored');
    await world.clock.advance(MINUTE);
    const moved = world.bank.netMoved();
    assert.deepEqual(await tip(world, transactionId, '4.00'), ['unknown', 'unknown', 'TIP_UNCERTAIN']);
    assert.equal(world.bank.netMoved(), moved);
  });
}
