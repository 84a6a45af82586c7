import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputError } from '../../../src/core/base/errors.js';
import { NODE, type Payments, payments, saleOrder } from '../../harness/payments.js';

/** The service reverses what a payment charged. Nobody says that it takes off what was refunded, or refuses. */

const LIMIT = { atMostLeft: { source: 'msg.payload.transactionId' } };

const HEEDLESS = { reversalAfterRefund: 'done' } as const;

const paid = async (world: Payments): Promise<string> => (await world.after(world.sale())).transactionId;

const refund = (world: Payments, originalTransactionId: string, amount: string): Promise<string> =>
  world.engine.submit({
    ...saleOrder({ operation: 'refund', amount, originalTransactionId }, { busyWaitMs: 60_000 }),
    ...LIMIT,
  });

const reversal = (world: Payments, originalGuid: string, amount?: string): Promise<string> => {
  const body = { originalGuid, ...(amount === undefined ? {} : { amount, currency: 'EUR' }) };
  return world.engine.submitBackOffice({ operation: 'reversal', body, ...LIMIT }, { node: NODE, message: {} });
};

const kinds = (world: Payments): string[] => world.bank.entries().map(({ kind }) => kind);

for (const [what, amount, expected] of [
  ['the whole', undefined, 'at most 6.00 to reverse, as 4.00 was refunded or may have been, got "10.00"'],
  ['more than is left', '6.01', 'at most 6.00 to reverse, as 4.00 was refunded or may have been, got "6.01"'],
] as const) {
  test(`a reversal of ${what} is refused after a refund of a part, and nothing is sent`, async () => {
    const world = payments();
    const payment = await paid(world);
    await world.after(refund(world, payment, '400'));
    await assert.rejects(reversal(world, payment, amount), (error) => {
      assert.ok(error instanceof InputError);
      assert.equal(error.message, `msg.payload.transactionId: expected ${expected}`);
      return true;
    });
    await world.clock.advance(60_000);
    assert.deepEqual(kinds(world), ['charge', 'refund']);
  });
}

test('a reversal is refused while a refund that came at the same moment is under way', async () => {
  const world = payments();
  const payment = await paid(world);
  const [first, second] = await Promise.allSettled([refund(world, payment, '1000'), reversal(world, payment)]);
  assert.ok(first.status === 'fulfilled' && second.status === 'rejected');
  assert.match(
    String(second.reason),
    /at most 0\.00 to reverse.* while operation .* is under way: wait for its result/,
  );
  assert.equal((await world.after(Promise.resolve(first.value))).outcome, 'refunded');
  assert.deepEqual(kinds(world), ['charge', 'refund']);
});

test('a reversal may be asked for again, and replaces an earlier one of a part', async () => {
  const world = payments();
  const payment = await paid(world);
  assert.equal((await world.after(reversal(world, payment, '3.00'))).outcome, 'refunded');
  assert.equal((await world.after(reversal(world, payment, '5.00'))).outcome, 'refunded');
  assert.equal((await world.after(reversal(world, payment))).moneyMoved, 'yes');
});

test('a refund can be reversed', async () => {
  const world = payments();
  const { transactionId } = await world.after(refund(world, await paid(world), '400'));
  await world.clock.advance(20_000);
  assert.equal((await world.after(reversal(world, transactionId))).outcome, 'refunded');
});

test('a reversal is not sent where the chain shows that another system has refunded a part', async () => {
  const world = payments({ simulator: { variants: HEEDLESS } });
  const payment = await paid(world);
  world.simulator.other.refund(payment, 400);
  await world.clock.advance(20_000);
  const { outcome, moneyMoved, error } = await world.after(reversal(world, payment));
  assert.deepEqual([outcome, moneyMoved, error?.code], ['refused', 'no', 'REFUNDED_BEFORE']);
  assert.equal((await world.after(reversal(world, payment, '6.00'))).outcome, 'refunded');
  assert.equal(world.bank.netMoved(), 0);
});

test('what the flow has refunded right before shows beside what another system refunded before more is reversed', async () => {
  const world = payments({ simulator: { variants: HEEDLESS, timings: { statusLagMs: 10_000 } } });
  const payment = await paid(world);
  world.simulator.other.refund(payment, 400);
  await world.clock.advance(20_000);
  const part = { originalGuid: payment, amount: '3.00', currency: 'EUR' };
  assert.equal((await world.after(world.backOffice({ operation: 'moto/refund', body: part }))).outcome, 'refunded');
  const { outcome, moneyMoved, error } = await world.after(reversal(world, payment, '5.00'));
  assert.deepEqual([outcome, moneyMoved, error?.code], ['refused', 'no', 'REFUNDED_BEFORE']);
  assert.equal(world.bank.netMoved(), 300);
});

test('a reversal does not wait until a reversal before it shows: it takes the place of that', async () => {
  const world = payments({ simulator: { timings: { statusLagMs: 10_000 } } });
  const payment = await paid(world);
  assert.equal((await world.after(reversal(world, payment, '3.00'))).outcome, 'refunded');
  const from = world.clock.now();
  assert.equal((await world.after(reversal(world, payment))).outcome, 'refunded');
  assert.ok(world.clock.now() - from < 5000, `told after ${world.clock.now() - from} ms`);
});
