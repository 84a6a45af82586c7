import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Variants } from '../../src/simulator/index.js';
import { connected } from '../harness/connected.js';
import { run, simulate } from '../harness/simulated.js';

/** What the status service says of one and the same money. */

async function refunded(variants: Partial<Variants>, amount: string) {
  const world = connected({ variants });
  const { reference, transactionID } = await world.sold();
  await world.client.moto.refund({ originalGuid: transactionID, amount, currency: 'EUR' });
  await world.clock.advance(1000);
  const { list } = (await world.status(reference, '/all')).json;
  const chain = (list as { finStatus: string }[]).map(({ finStatus }) => finStatus);
  return { chain, moved: world.simulator.bank.netMoved(reference) };
}

test('calls a refunded sale REFUNDED or CANCELLED', async () => {
  assert.deepEqual(await refunded({}, '10.00'), { chain: ['REFUNDED', 'AUTHORISED'], moved: 0 });
  const cancelled = await refunded({ refundedSale: 'CANCELLED' }, '10.00');
  assert.deepEqual(cancelled, { chain: ['CANCELLED', 'AUTHORISED'], moved: 0 });
});

test('calls a sale REFUNDED after a part went back, or leaves it', async () => {
  assert.deepEqual(await refunded({}, '1.00'), { chain: ['AUTHORISED', 'AUTHORISED'], moved: 900 });
  const variants = { partlyReturnedSale: 'REFUNDED' } as const;
  assert.deepEqual(await refunded(variants, '1.00'), { chain: ['REFUNDED', 'AUTHORISED'], moved: 900 });

  const { client, sold, status, clock, simulator } = connected({ variants });
  const { reference, transactionID: originalGuid } = await sold();
  await client.reversal.reverse({ originalGuid, amount: '4.00', currency: 'EUR' });
  await clock.advance(1000);
  assert.equal((await status(reference)).json.finStatus, 'REFUNDED');
  assert.equal(simulator.bank.netMoved(reference), 600);
});

test('calls a refund itself REFUNDED', async () => {
  const { chain, moved } = await refunded({ refundInStatus: 'REFUNDED' }, '10.00');
  assert.deepEqual([chain, moved], [['REFUNDED', 'REFUNDED'], 0]);
  const world = simulate({ variants: { refundInStatus: 'REFUNDED' } });
  const body = world.sale({ operation: 'refund' });
  await run(world, body);
  await world.clock.advance(1000);
  assert.equal((await world.status(String(body.transactionReference))).json.finStatus, 'REFUNDED');
  assert.equal(world.simulator.bank.netMoved(), -1000);
});

test('answers from two instances in turn, the second 10 s behind', async () => {
  const world = simulate({ variants: { statusInstances: 'two' } });
  const body = world.sale();
  const reference = String(body.transactionReference);
  await run(world, body);
  await world.clock.advance(5000);
  const said = async () => (await world.status(reference)).json.finStatus;
  assert.deepEqual([await said(), await said(), await said()], ['AUTHORISED', 'UNDEFINED', 'AUTHORISED']);
  await world.clock.advance(5000);
  assert.deepEqual([await said(), await said()], ['AUTHORISED', 'AUTHORISED']);
});

test('hides a record that it has shown, and shows it again', async () => {
  const world = simulate();
  const body = world.sale();
  const reference = String(body.transactionReference);
  await run(world, body);
  await world.clock.advance(1000);
  world.simulator.faults.arm({ kind: 'status-record-missing', forMs: 60_000 });
  assert.equal((await world.status(reference)).json.finStatus, 'UNDEFINED');
  assert.deepEqual((await world.status(reference, '/all')).json.list, []);
  await world.clock.advance(60_000);
  assert.equal((await world.status(reference)).json.finStatus, 'AUTHORISED');
  assert.equal(world.simulator.bank.netMoved(reference), 1000);
});

test('shows a record for the last time, and never again', async () => {
  const world = simulate();
  const body = world.sale();
  const reference = String(body.transactionReference);
  await run(world, body);
  await world.clock.advance(1000);
  world.simulator.faults.arm({ kind: 'status-record-gone' });
  assert.equal((await world.status(reference)).json.finStatus, 'AUTHORISED');
  for (const days of [0, 3]) {
    await world.clock.advance(days * 24 * 60 * 60_000);
    assert.equal((await world.status(reference)).json.finStatus, 'UNDEFINED');
    assert.deepEqual((await world.status(reference, '/all')).json.list, []);
  }
  assert.equal(world.simulator.bank.netMoved(reference), 1000);
});

test('forgets a result a minute after it came', async () => {
  for (const [resultLife, status] of [
    ['long', 200],
    ['minute', 404],
  ] as const) {
    const world = simulate({ variants: { resultLife } });
    const { json } = await world.post('/transactions', world.sale());
    const poll = async () => (await world.get(`/transaction-result/${String(json.transactionResultId)}`)).status;
    await world.clock.runUntilIdle();
    await world.clock.advance(59_999);
    assert.equal(await poll(), 200);
    await world.clock.advance(1);
    assert.equal(await poll(), status);
  }
});

test('lists what went back with a sign, or as the state of the payment alone, and the last entry twice', async () => {
  assert.deepEqual((await refunded({ returnEntry: 'in-payment' }, '1.00')).chain, ['REFUNDED']);
  assert.deepEqual((await refunded({ lastEntry: 'twice' }, '1.00')).chain, ['AUTHORISED', 'AUTHORISED', 'AUTHORISED']);
  const later = { lastEntry: 'twice', repeatedText: 'later' } as const;
  assert.deepEqual((await refunded(later, '1.00')).chain, ['AUTHORISED', 'AUTHORISED', 'AUTHORISED']);
  assert.deepEqual((await refunded({ cancelledInPart: 'yes' }, '1.00')).chain, ['CANCELLED', 'AUTHORISED']);
  const world = connected({ variants: { returnedAmount: 'signed' } });
  const { reference, transactionID: originalGuid } = await world.sold();
  await world.client.moto.refund({ originalGuid, amount: '1.00', currency: 'EUR' });
  await world.clock.advance(1000);
  const { list } = (await world.status(reference, '/all')).json;
  assert.deepEqual(
    (list as { totalAmount: number }[]).map(({ totalAmount }) => totalAmount),
    [1000, -100],
  );
});

test('lets a second try name the one before it', async () => {
  const world = simulate({ variants: { secondTry: 'linked' } });
  world.simulator.faults.arm({ kind: 'declined-then-approved' });
  const body = world.sale();
  await run(world, body);
  await world.clock.advance(1000);
  const { list } = (await world.status(String(body.transactionReference), '/all')).json;
  const [first, second] = list as { transactionID: string; originalEFTTransactionID: string }[];
  assert.ok(first?.transactionID);
  assert.equal(second?.originalEFTTransactionID, first.transactionID);
});
