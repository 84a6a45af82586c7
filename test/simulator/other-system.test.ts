import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connected } from '../harness/connected.js';

/** A second point of sale of the same merchant, on payments and terminals of ours. */

const EUR = 'EUR';

test('takes payments and holds of its own, which the ledger tells apart', () => {
  const { simulator } = connected();
  const { other, bank } = simulator;
  assert.notEqual(other.sale({ amount: 1000 }), undefined);
  assert.notEqual(other.preAuthorise({ amount: 5000, currency: 'USD' }), undefined);
  assert.equal(other.sale({ amount: 3779 }), undefined);
  assert.deepEqual(
    bank.entries().map(({ by, kind, moved, held }) => [by, kind, moved, held]),
    [
      ['other-system', 'charge', 1000, 0],
      ['other-system', 'hold', 0, 5000],
    ],
  );
});

test('refunds a sale of ours in part and as a whole, and the chain has its entries', async () => {
  const { simulator, sold, client, clock } = connected();
  const { reference, transactionID } = await sold();
  await client.moto.refund({ originalGuid: transactionID, amount: '2.00', currency: EUR });
  simulator.other.refund(transactionID, 200);
  await clock.advance(1000);
  const chain = await client.status.all(reference);
  assert.deepEqual(
    chain.map(({ finStatus, totalAmount }) => [finStatus, totalAmount]),
    [
      ['AUTHORISED', 1000],
      ['AUTHORISED', 200],
      ['AUTHORISED', 200],
    ],
  );
  assert.deepEqual(
    simulator.bank.entries(reference).map(({ by, moved }) => [by, moved]),
    [
      ['client', 1000],
      ['client', -200],
      ['other-system', -200],
    ],
  );
  simulator.other.refund(transactionID);
  assert.equal(simulator.bank.netMoved(reference), 0);
  assert.equal(simulator.other.refund(transactionID, 100), undefined);
});

test('changes and captures a hold of ours, which then is no longer ours to release', async () => {
  const { simulator, held, post } = connected();
  const { reference, transactionID: originalGuid } = await held();
  simulator.other.increase(originalGuid, 2000);
  simulator.other.increase(originalGuid, -1000);
  assert.equal(simulator.bank.netHeld(reference), 11_000);
  simulator.other.capture(originalGuid, 10_500, 500);
  assert.deepEqual([simulator.bank.netMoved(reference), simulator.bank.netHeld(reference)], [11_000, 0]);
  const { status, json } = await post('/reversal', { originalGuid });
  assert.deepEqual([status, (json.error as { code: string }).code], [400, '3052']);
});

test('reverses and tips a sale of ours', async () => {
  const { simulator, sold } = connected();
  const { reference, transactionID } = await sold();
  assert.equal(simulator.other.tip(transactionID, 150), true);
  assert.equal(simulator.bank.netMoved(reference), 1150);
  simulator.other.reverse(transactionID, 400);
  simulator.other.reverse(transactionID);
  assert.equal(simulator.bank.netMoved(reference), 0);
  assert.equal(simulator.other.tip(transactionID, 100), false);
  assert.deepEqual(
    simulator.bank.entries(reference).map(({ by }) => by),
    ['client', 'other-system', 'other-system', 'other-system'],
  );
});

test('has its hold released by us', async () => {
  const { simulator, client } = connected();
  const originalGuid = simulator.other.preAuthorise({ amount: 5000 }) ?? '';
  assert.equal((await client.reversal.reverse({ originalGuid })).approved, true);
  assert.deepEqual(
    simulator.bank.entries(originalGuid).map(({ by, held }) => [by, held]),
    [
      ['other-system', 5000],
      ['client', -5000],
    ],
  );
});

test('uses a terminal of ours: we are refused as busy, and the charge is its own', async () => {
  const { simulator, post, sale, clock } = connected();
  const reference = simulator.other.saleOnTerminal('10000001', { amount: 700 }) ?? '';
  assert.equal((await post('/transactions', sale())).json.error, 1001);
  await clock.runUntilIdle();
  assert.deepEqual(
    simulator.bank.entries(reference).map(({ by, moved }) => [by, moved]),
    [['other-system', 700]],
  );
  await post('/transactions', sale());
  assert.equal(simulator.other.saleOnTerminal('10000001', { amount: 700 }), undefined);
});

test('stops what runs on a terminal of ours', async () => {
  const { simulator, post, sale, clock, get } = connected({ cardholder: 'none' });
  assert.equal(simulator.other.stopTerminal('10000001'), false);
  const { json } = await post('/transactions', sale());
  assert.equal(simulator.other.stopTerminal('10000001'), true);
  await clock.runUntilIdle();
  const result = await get(`/transaction-result/${String(json.transactionResultId)}`);
  assert.equal(result.json.finStatus, 'CANCELLED');
});

test('has its own payment stopped by us', async () => {
  const { simulator, post, sale, clock } = connected({ cardholder: 'none' });
  simulator.other.saleOnTerminal('10000001', { amount: 700 });
  await clock.advance(0);
  const { serial_number, terminal_type } = sale();
  const stop = { operation: 'stopCurrentTransaction', serial_number, terminal_type };
  assert.equal((await post('/transactions', stop)).status, 202);
  await clock.runUntilIdle();
  assert.equal(simulator.bank.entries().length, 0);
});

test('closes the batch under a sale of ours', async () => {
  const { simulator, sold, post } = connected();
  const { transactionID: originalGuid } = await sold();
  simulator.other.closeBatch();
  const { json } = await post('/reversal', { originalGuid });
  assert.equal((json.error as { code: string }).code, '3153');
  assert.equal(simulator.bank.netMoved(), 1000);
});
