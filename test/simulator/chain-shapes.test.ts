import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Variants } from '../../src/simulator/index.js';
import { refused } from '../conformance/row.js';
import { type Connected, connected } from '../harness/connected.js';

/** Chains of entries in the shapes that deployments publish. */

const EUR = 'EUR';

async function chainOf({ clock, status }: Connected, reference: string) {
  await clock.advance(1000);
  return (await status(reference, '/all')).json.list as Record<string, unknown>[];
}

async function captured(variants: Partial<Variants>, capturedAmount: string, tipAmount?: string) {
  const world = connected({ variants });
  const { client, held } = world;
  const { reference, transactionID: originalGuid } = await held();
  await client.preauthorization.increase({ originalGuid, increaseAmount: '20.00' });
  const capture = client.preauthorization.capture({ originalGuid, capturedAmount, tipAmount });
  return { world, reference, hold: originalGuid, capture };
}

test('names the latest increase, or the hold, as the original of a capture', async () => {
  for (const captureOriginal of ['hold', 'increase'] as const) {
    const { world, reference, hold, capture } = await captured({ captureOriginal }, '110.00');
    const { raw } = await capture;
    const [, increase, entry] = await chainOf(world, reference);
    assert.equal(entry?.originalEFTTransactionID, captureOriginal === 'hold' ? hold : increase?.transactionID);
    assert.deepEqual([raw.preAuthorizationGuid, raw.originalAmount], [hold, '100.00']);
    assert.equal(world.simulator.bank.netMoved(reference), 11_000);
    await world.client.reversal.reverse({ originalGuid: String(entry?.transactionID) });
    assert.equal(world.simulator.bank.netMoved(reference), 0);
    assert.equal((await chainOf(world, reference))[0]?.finStatus, 'CANCELLED');
  }
});

test('takes a surcharge on top of sales and captures, which reversals give back', async () => {
  const { world, reference, capture } = await captured({ surcharge: 'on-top' }, '100.00', '10.00');
  await capture;
  const entry = (await chainOf(world, reference)).at(-1);
  assert.deepEqual([entry?.totalAmount, entry?.capturedAmount, entry?.tipAmount], [11_330, 10_000, 1000]);
  assert.equal(world.simulator.bank.netMoved(reference), 11_330);
  await world.client.reversal.reverse({ originalGuid: String(entry?.transactionID) });
  const { reference: sale, result } = await world.sold('1001');
  assert.deepEqual([result.totalAmount, result.raw.surcharge], [1032, { amount: 31, applied: true, reason: '' }]);
  assert.equal(world.simulator.bank.netMoved(sale), 1032);
  assert.equal(world.simulator.bank.netMoved(reference), 0);
});

test('limits the tip of a capture by the hold, or leaves it on top', async () => {
  const within = await captured({ captureTip: 'within-hold' }, '115.00', '10.00');
  await refused(within.capture, '3215');
  assert.equal(within.world.simulator.bank.netMoved(), 0);
  const onTop = await captured({}, '115.00', '10.00');
  await onTop.capture;
  assert.equal(onTop.world.simulator.bank.netMoved(), 12_500);
});

test('writes a tip as an entry of its own, and the whole goes back by a reversal of the sale', async () => {
  const world = connected({ variants: { tipEntry: 'own' } });
  const { reference, transactionID } = await world.sold();
  await world.client.tip.adjust({ transactionID, amount: '2.00', currency: EUR });
  await world.client.tip.adjust({ transactionID, amount: '1.50', currency: EUR });
  const chain = await chainOf(world, reference);
  assert.deepEqual(
    chain.map(({ type, totalAmount, originalEFTTransactionID }) => [type, totalAmount, originalEFTTransactionID]),
    [
      ['SALE', 1000, ''],
      ['TIP_ADJUSTMENT', 200, transactionID],
      ['TIP_ADJUSTMENT', 150, transactionID],
    ],
  );
  assert.equal(world.simulator.bank.netMoved(reference), 1150);
  await world.client.reversal.reverse({ originalGuid: transactionID });
  assert.equal(world.simulator.bank.netMoved(reference), 0);
});

test('lists a tip that names nothing, and a change of a hold with the type of the hold', async () => {
  const world = connected({ variants: { tipEntry: 'own', tipOriginal: 'none', changeType: 'as-hold' } });
  const { reference, transactionID } = await world.sold();
  await world.client.tip.adjust({ transactionID, amount: '2.00', currency: EUR });
  const [, tip] = await chainOf(world, reference);
  assert.deepEqual([tip?.type, tip?.originalEFTTransactionID], ['TIP_ADJUSTMENT', '']);
  const hold = await world.held();
  await world.client.preauthorization.increase({ originalGuid: hold.transactionID, increaseAmount: '20.00' });
  const [, change] = await chainOf(world, hold.reference);
  assert.deepEqual([change?.type, change?.originalEFTTransactionID], ['PRE_AUTHORIZATION', hold.transactionID]);
});

test('adds an increase up each time, or takes the same one within a minute for a repetition', async () => {
  for (const [repeatedIncrease, held, holdAmount] of [
    ['adds-up', 14_000, '140.00'],
    ['once', 12_000, '120.00'],
  ] as const) {
    const world = connected({ variants: { repeatedIncrease } });
    const { transactionID: originalGuid } = await world.held();
    const increase = () => world.client.preauthorization.increase({ originalGuid, increaseAmount: '20.00' });
    await increase();
    assert.equal((await increase()).holdAmount, holdAmount);
    assert.equal(world.simulator.bank.netHeld(), held);
    await world.clock.advance(60_000);
    await increase();
    assert.equal(world.simulator.bank.netHeld(), held + 2000);
  }
});

test('says amounts of holds as texts or as numbers', async () => {
  const { capture } = await captured({ holdAmounts: 'number' }, '110.00');
  const { raw } = await capture;
  assert.deepEqual([raw.capturedAmount, raw.holdAmount, raw.originalAmount], [110, 120, 100]);
});
