import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FaultKind, OTHER_REFERENCE } from '../../src/simulator/index.js';
import { type Json, resultOf, simulate } from '../harness/simulated.js';

/** The terminal's result contradicts the order; the gateway's record and the ledger do not. */

const SAID: Partial<Record<FaultKind, Json>> = {
  'result-other-type': { type: 'REFUND', totalAmount: 1000 },
  'result-type-undefined': { type: 'UNDEFINED', totalAmount: 1000 },
  'result-zero': { totalAmount: 0 },
  'result-negative': { totalAmount: -1000 },
  'result-tenfold': { requestedAmount: 10_000, totalAmount: 10_000 },
  'result-other-currency': { currency: 'USD', totalAmount: 1000 },
  'result-without-amounts': { requestedAmount: undefined, totalAmount: undefined },
  'result-empty-amounts': { requestedAmount: '', totalAmount: '' },
  'result-unreadable-amounts': { totalAmount: '12,3x' },
  'result-without-id': { transactionID: undefined, efttransactionID: undefined, totalAmount: 1000 },
  'result-other-reference': { transactionReference: OTHER_REFERENCE, totalAmount: 1000 },
  'result-unreadable-status': { finStatus: 'AUTHORISED (1)' },
};

/** What the terminal says of a sale of 10.00 where nothing is wrong. */
async function ordinary(): Promise<Json> {
  const world = simulate();
  const { json } = await world.post('/transactions', world.sale());
  await world.clock.runUntilIdle();
  return resultOf(world, json);
}

for (const [kind, said] of Object.entries(SAID) as [FaultKind, Json][]) {
  test(`says ${JSON.stringify(said)} of a sale of 10.00, where ${kind}`, async () => {
    const world = simulate();
    world.simulator.faults.arm({ kind });
    const body = world.sale({ callbackUrl: 'https://till.example/cb' });
    const reference = String(body.transactionReference);
    const { json } = await world.post('/transactions', body);
    await world.clock.runUntilIdle();
    await world.clock.advance(1000);
    const polled = await resultOf(world, json);
    const plain = await ordinary();
    assert.ok(
      Object.entries(said).some(([name, value]) => plain[name] !== value),
      'the switch changes something',
    );
    for (const [name, value] of Object.entries(said)) {
      assert.deepEqual([polled[name], world.callbacks[0]?.body[name]], [value, value]);
    }
    const record = (await world.status(reference)).json;
    assert.deepEqual([record.type, record.finStatus, record.totalAmount], ['SALE', 'AUTHORISED', 1000]);
    assert.equal(world.simulator.bank.netMoved(reference), 1000);
  });
}

test('says a status that cannot be read of a payment that the status service never shows', async () => {
  const world = simulate();
  world.simulator.faults.arm({ kind: 'result-unreadable-unrecorded' });
  const body = world.sale();
  const reference = String(body.transactionReference);
  const { json } = await world.post('/transactions', body);
  await world.clock.runUntilIdle();
  await world.clock.advance(60_000);
  assert.equal((await resultOf(world, json)).finStatus, 'AUTHORISED (1)');
  assert.deepEqual((await world.status(reference, '/all')).json.list, []);
  assert.equal(world.simulator.bank.netMoved(reference), 1000);
});
