import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputError } from '../../../src/core/base/errors.js';
import { NODE, type Payments, payments } from '../../harness/payments.js';

/** A later reversal takes the place of an earlier one, so that two of 4.00 give back 4.00, and one of 3.00 after it charges 1.00 again. */

const LIMIT = { atMostLeft: { source: 'msg.payload.amount' } };

const paid = async (world: Payments): Promise<string> => (await world.after(world.sale())).transactionId;

const reversal = (world: Payments, originalGuid: string, amount?: string): Promise<string> => {
  const body = { originalGuid, ...(amount === undefined ? {} : { amount, currency: 'EUR' }) };
  return world.engine.submitBackOffice({ operation: 'reversal', body, ...LIMIT }, { node: NODE, message: {} });
};

async function refused(submitted: Promise<string>, got: string): Promise<void> {
  await assert.rejects(submitted, (error) => {
    assert.ok(error instanceof InputError);
    const expected = `more than 4.00, because it takes the place of the reversal of 4.00 before it: give the sum of both, got "${got}"`;
    assert.equal(error.message, `msg.payload.amount: expected ${expected}`);
    return true;
  });
}

for (const again of ['4.00', '3.00'])
  test(`a reversal of ${again} after one of 4.00 is refused, and one of the sum gives back the rest`, async () => {
    const world = payments();
    const payment = await paid(world);
    assert.equal((await world.after(reversal(world, payment, '4.00'))).outcome, 'refunded');
    await refused(reversal(world, payment, again), again);
    assert.equal(world.bank.netMoved(), 600);
    assert.equal((await world.after(reversal(world, payment, '8.00'))).outcome, 'refunded');
    assert.equal(world.bank.netMoved(), 200);
  });

test('of two equal reversals of a part that come at the same moment one is refused', async () => {
  const world = payments();
  const payment = await paid(world);
  const first = reversal(world, payment, '4.00');
  await refused(reversal(world, payment, '4.00'), '4.00');
  assert.equal((await world.after(first)).outcome, 'refunded');
  assert.equal(world.bank.netMoved(), 600);
});

test('so it is while a reversal of the whole is under way', async () => {
  const world = payments();
  const payment = await paid(world);
  const orders = [await reversal(world, payment, '4.00'), await reversal(world, payment)];
  await refused(reversal(world, payment, '4.00'), '4.00');
  for (const order of orders) assert.equal((await world.after(Promise.resolve(order))).outcome, 'refunded');
  assert.equal(world.bank.netMoved(), 0);
});

test('a reversal of a part of which nobody knows what became may be asked for again', async () => {
  let isDown = true;
  const world: Payments = payments({
    engine: {
      send: (request) =>
        isDown && /reversal$|status/.test(request.url)
          ? Promise.resolve({ status: 502, body: '' })
          : world.simulator.send(request),
    },
  });
  const payment = await paid(world);
  assert.equal((await world.after(reversal(world, payment, '4.00'))).outcome, 'unknown');
  isDown = false;
  assert.equal((await world.after(reversal(world, payment, '4.00'))).outcome, 'refunded');
  assert.equal(world.bank.netMoved(), 600);
});

for (const where of ['gateway', 'terminal'] as const)
  test(`a reversal of less than another system has reversed is not sent: it would charge again (at the ${where})`, async () => {
    const world = payments();
    const payment = await paid(world);
    world.simulator.other.reverse(payment, 700);
    await world.clock.advance(20_000);
    const less =
      where === 'gateway'
        ? reversal(world, payment, '4.00')
        : world.sale({ operation: 'saleReversal', amount: '400', originalTransactionId: payment });
    const { outcome, moneyMoved, error } = await world.after(less);
    assert.deepEqual([outcome, moneyMoved, error?.code], ['refused', 'no', 'REFUNDED_BEFORE']);
    assert.equal(world.bank.netMoved(), 300);
    assert.equal((await world.after(reversal(world, payment, '8.00'))).outcome, 'refunded');
    assert.equal(world.bank.netMoved(), 200);
  });

for (const returnEntry of ['own', 'in-payment'] as const)
  test(`a refund that was reversed leaves its payment to be reversed in part (listed: ${returnEntry})`, async () => {
    const world = payments({ simulator: { variants: { returnEntry } } });
    const payment = await paid(world);
    const theirs = world.simulator.other.refund(payment, 400) ?? '';
    await world.clock.advance(20_000);
    world.simulator.other.reverse(theirs);
    await world.clock.advance(20_000);
    assert.equal((await world.after(reversal(world, payment, '3.00'))).outcome, 'refunded');
    assert.equal(world.bank.netMoved(), 700);
  });
