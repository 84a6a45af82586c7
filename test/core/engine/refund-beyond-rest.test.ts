import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NODE, type Payments, payments } from '../../harness/payments.js';

/** The service compares a refund with its payment. Nobody says that it takes off what went back of that before. */

const beyondRest = (variants = {}): Payments =>
  payments({ simulator: { variants: { refundBeyondRest: 'done', ...variants } } });

const paid = async (world: Payments): Promise<string> => (await world.after(world.sale())).transactionId;

const refund = (world: Payments, originalGuid: string, amount: string): Promise<string> =>
  world.engine.submitBackOffice(
    { operation: 'moto/refund', body: { originalGuid, amount, currency: 'EUR' } },
    { node: NODE, message: {} },
  );

for (const [what, goBack] of [
  ['refunded', (world: Payments, payment: string) => world.simulator.other.refund(payment, 400)],
  ['reversed', (world: Payments, payment: string) => world.simulator.other.reverse(payment, 400)],
] as const) {
  test(`a refund is not sent where the chain shows that another system has ${what} so much that too little is left`, async () => {
    const world = beyondRest();
    const payment = await paid(world);
    goBack(world, payment);
    await world.clock.advance(20_000);
    const { outcome, moneyMoved, error } = await world.after(refund(world, payment, '6.01'));
    assert.deepEqual([outcome, moneyMoved, error?.code], ['refused', 'no', 'REFUNDED_BEFORE']);
    assert.equal(world.bank.netMoved(), 600);
    assert.equal((await world.after(refund(world, payment, '6.00'))).outcome, 'refunded');
    assert.equal(world.bank.netMoved(), 0);
  });
}

test('a refund is not sent of a payment that was reversed as a whole', async () => {
  const world = beyondRest();
  const payment = await paid(world);
  world.simulator.other.reverse(payment);
  await world.clock.advance(20_000);
  assert.equal((await world.after(refund(world, payment, '1.00'))).error?.code, 'REFUNDED_BEFORE');
  assert.equal(world.bank.netMoved(), 0);
});

for (const returnEntry of ['own', 'in-payment'] as const) {
  test(`a refund that was reversed leaves its payment to be refunded again (listed: ${returnEntry})`, async () => {
    const world = beyondRest({ returnEntry });
    const payment = await paid(world);
    const theirs = world.simulator.other.refund(payment, 1000) ?? '';
    world.simulator.other.reverse(theirs);
    await world.clock.advance(20_000);
    assert.equal((await world.after(refund(world, payment, '10.00'))).outcome, 'refunded');
    assert.equal(world.bank.netMoved(), 0);
  });
}

test('a capture of which a part was reversed leaves the rest to be refunded', async () => {
  const world = beyondRest();
  const { transactionId: originalGuid } = await world.after(world.sale({ operation: 'preAuthorization' }));
  const body = { originalGuid, capturedAmount: '10.00', currency: 'EUR' };
  const { transactionId } = await world.after(world.backOffice({ operation: 'preauthorization/capture', body }));
  world.simulator.other.reverse(transactionId, 400);
  await world.clock.advance(20_000);
  assert.equal((await world.after(refund(world, transactionId, '6.01'))).error?.code, 'REFUNDED_BEFORE');
  assert.equal((await world.after(refund(world, transactionId, '6.00'))).outcome, 'refunded');
  assert.equal(world.bank.netMoved(), 0);
});
