import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import type { BackOfficeOrder } from '../../../../src/core/operation/back-office-order.js';
import type { Variants } from '../../../../src/simulator/index.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** What is found in a chain after a lost answer, whatever shape the chain has, and whoever else works on the payment. */

const play = (variants: Partial<Variants> = {}): Payments => payments({ simulator: { variants } });

const hold = (world: Payments): Promise<ResultPayload> => world.after(world.sale({ operation: 'preAuthorization' }));

const capture = (originalGuid: string, tipAmount?: string): BackOfficeOrder => ({
  operation: 'preauthorization/capture',
  body: { originalGuid, capturedAmount: '5.00', currency: 'EUR', tipAmount },
});
const increase = (originalGuid: string, subtract?: '1'): BackOfficeOrder => ({
  operation: 'preauthorization/increase',
  body: { originalGuid, increaseAmount: '2.00', currency: 'EUR', subtract },
});
const refund = (originalGuid: string): BackOfficeOrder => ({
  operation: 'moto/refund',
  body: { originalGuid, amount: '1.00', currency: 'EUR' },
});
const tip = (transactionID: string): BackOfficeOrder => ({
  operation: 'tip-adjustment',
  body: { transactionID, amount: '2.00', currency: 'EUR' },
});

const POSTS = [
  'POST /preauthorization/capture',
  'POST /preauthorization/increase',
  'POST /moto/refund',
  'POST /transactions/tip-adjustment',
];

function lose({ simulator }: Payments, kind: 'answer-lost' | 'request-lost'): void {
  for (const endpoint of POSTS) simulator.faults.arm({ kind, match: { endpoint }, times: 100 });
}

test('a capture whose entry names the increase of the hold is found after a lost answer', async () => {
  const world = play({ captureOriginal: 'increase' });
  const { transactionId } = await hold(world);
  await world.after(world.backOffice(increase(transactionId)));
  lose(world, 'answer-lost');
  const { outcome, amount } = await world.after(world.backOffice(capture(transactionId)));
  assert.deepEqual([outcome, amount?.total], ['approved', '5.00']);
});

test('a capture with a surcharge on top is told with the surcharge, by the answer and by the chain', async () => {
  for (const isLost of [false, true]) {
    const world = play({ surcharge: 'on-top' });
    const { transactionId } = await hold(world);
    if (isLost) lose(world, 'answer-lost');
    const { outcome, amount } = await world.after(world.backOffice(capture(transactionId, '1.00')));
    assert.deepEqual(
      [outcome, amount?.requested, amount?.total, amount?.surcharge],
      ['approved', '6.00', '6.18', '0.18'],
    );
    assert.equal(world.bank.netMoved(), 618);
  }
});

test('a tip that is an entry of its own is found after a lost answer', async () => {
  const world = play({ tipEntry: 'own' });
  const { transactionId } = await world.after(world.sale());
  lose(world, 'answer-lost');
  const { outcome } = await world.after(world.backOffice(tip(transactionId)));
  assert.equal(outcome, 'approved');
  assert.equal(world.bank.netMoved(), 1200);
});

test('a tip that another till has replaced is no proof that ours was not set', async () => {
  const world = play();
  const { transactionId } = await world.after(world.sale());
  lose(world, 'answer-lost');
  const submitted = world.backOffice(tip(transactionId));
  await world.clock.advance(30_000);
  world.simulator.other.tip(transactionId, 300);
  const { outcome, moneyMoved } = await world.after(submitted);
  assert.deepEqual([outcome, moneyMoved], ['unknown', 'unknown']);
});

for (const [name, amount] of [
  ['an equal', 100],
  ['another', 250],
] as const) {
  test(`a refund by another till, of ${name} amount, proves neither that ours was done nor that it was not`, async () => {
    const world = play();
    const { transactionId } = await world.after(world.sale());
    lose(world, 'request-lost');
    const submitted = world.backOffice(refund(transactionId));
    await world.clock.advance(30_000);
    world.simulator.other.refund(transactionId, amount);
    await submitted;
    const { exit, payload } = await world.untilTold(2);
    assert.deepEqual([exit, payload.outcome, payload.final], ['needs-attention', 'unknown', false]);
  });
}

test('a lost refund is found beside an equal one of another till', async () => {
  const world = play();
  const { transactionId } = await world.after(world.sale());
  lose(world, 'answer-lost');
  const submitted = world.backOffice(refund(transactionId));
  await world.clock.advance(30_000);
  world.simulator.other.refund(transactionId, 100);
  const { outcome, amount } = await world.after(submitted);
  assert.deepEqual([outcome, amount?.total], ['refunded', '1.00']);
  assert.equal(world.bank.netMoved(), 800);
});

test('a decrease is told as a decrease, with what is held by now, by the answer and by the chain', async () => {
  for (const isLost of [false, true]) {
    const world = play();
    const { transactionId } = await hold(world);
    if (isLost) lose(world, 'answer-lost');
    const { operation, outcome, amount } = await world.after(world.backOffice(increase(transactionId, '1')));
    assert.deepEqual(
      [operation, outcome, amount?.total, amount?.hold],
      ['preauthorization/decrease', 'approved', '2.00', '8.00'],
    );
    assert.equal(world.bank.netHeld(), 800);
  }
});

test('an equal increase by another till is no proof of a lost one', async () => {
  const world = play();
  const { transactionId } = await hold(world);
  lose(world, 'request-lost');
  const submitted = world.backOffice(increase(transactionId));
  await world.clock.advance(30_000);
  world.simulator.other.increase(transactionId, 200);
  const { outcome } = await world.after(submitted);
  assert.equal(outcome, 'unknown');
});

test('a lost increase is found in the chain although another till has changed the hold too', async () => {
  const world = play();
  const { transactionId } = await hold(world);
  lose(world, 'answer-lost');
  const submitted = world.backOffice(increase(transactionId));
  await world.clock.advance(30_000);
  world.simulator.other.increase(transactionId, 500);
  const { outcome, amount } = await world.after(submitted);
  assert.deepEqual([outcome, amount?.total, amount?.hold], ['approved', '2.00', '12.00']);
  assert.equal(world.bank.netHeld(), 1700);
});

for (const odd of [[], ['result-negative']] as const) {
  test(`a decrease on the terminal is told without its sign, ${odd.length === 0 ? 'as its result is' : 'though its result has one'}`, async () => {
    const world = payments();
    const { transactionId: originalTransactionId } = await world.after(world.sale({ operation: 'preAuthorization' }));
    for (const kind of odd) world.simulator.faults.arm({ kind });
    const order = { operation: 'preAuthorizationIncrease', originalTransactionId, amount: '-200' } as const;
    const { outcome, amount } = await world.after(world.sale(order));
    assert.deepEqual([outcome, amount?.total, amount?.minor.total], ['approved', '2.00', 200]);
  });
}
