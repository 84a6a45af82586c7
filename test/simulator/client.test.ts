import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VARIANT_VALUES, type Variants } from '../../src/simulator/index.js';
import { connected, TERMINAL } from '../harness/connected.js';

/** The payment client and the simulator were written independently from the same description, so they must agree. */

const DEVICE = { serialNumber: '10000001', deviceType: 'SIMULATEDT1' };
const EUR = 'EUR';

/** Under these the amounts or the entries of the same payments are others. */
const OTHER_MONEY = ['statusInstances', 'surcharge', 'tipEntry', 'returnEntry', 'lastEntry', 'holdAmounts'];

const CASES: Partial<Variants>[] = Object.entries(VARIANT_VALUES).flatMap(([name, values]) =>
  OTHER_MONEY.includes(name) ? [] : values.map((value) => ({ [name]: value })),
);

for (const variants of CASES) {
  test(`the client understands every answer where ${JSON.stringify(variants)}`, async () => {
    const { client, perform, simulator, clock, newId } = connected({ variants });
    assert.equal((await client.devices.list()).length, 4);
    const reference = newId();
    const sale = await perform({ operation: 'sale', amount: '1000', currency: EUR, transactionReference: reference });
    assert.deepEqual([sale.finStatus, sale.totalAmount, sale.transactionReference], ['AUTHORISED', 1000, reference]);
    const originalGuid = sale.transactionID ?? '';
    // Sooner it may be without effect.
    await clock.advance(60_000);
    await client.tip.adjust({ transactionID: originalGuid, amount: '1.50', currency: EUR });
    const { cardToken = '' } = await client.token.fetch(originalGuid);
    assert.equal((await client.reversal.reverse({ originalGuid, amount: '4.00', currency: EUR })).approved, true);
    assert.equal(simulator.bank.netMoved(reference), 750);
    assert.equal((await client.reversal.reverse({ originalGuid })).approved, true);
    assert.equal(simulator.bank.netMoved(reference), 0);
    await clock.advance(1000);
    const status = await client.status.get(reference);
    assert.ok(status !== 'no-record' && ['CANCELLED', 'REFUNDED'].includes(status.finStatus));
    assert.equal((await client.status.all(reference)).length, 3);
    assert.equal(await client.status.get(newId()), 'no-record');

    const partial = await perform({ operation: 'sale', amount: '3757', currency: EUR, transactionReference: newId() });
    assert.deepEqual([partial.finStatus, partial.totalAmount, partial.dueAmount], ['PARTIAL_APPROVAL', 1100, 2657]);

    const hold = await perform({ operation: 'preAuthorization', amount: '5000', currency: EUR });
    const preAuth = hold.transactionID ?? '';
    const increased = await client.preauthorization.increase({ originalGuid: preAuth, increaseAmount: '10.00' });
    assert.deepEqual([increased.approved, increased.holdAmount], [true, '60.00']);
    const captured = await client.preauthorization.capture({ originalGuid: preAuth, capturedAmount: '55.00' });
    assert.equal(captured.approved, true);

    const moto = await client.moto.sale({ amount: '7.00', currency: EUR, cardToken });
    const motoGuid = moto.guid ?? '';
    const refund = await client.moto.refund({ amount: '2.00', currency: EUR, originalGuid: motoGuid });
    assert.deepEqual([moto.approved, refund.approved], [true, true]);
    const unlinked = await client.moto.sale({ amount: '3.00', currency: EUR, cardToken });
    await client.moto.reversal({ originalGuid: unlinked.guid ?? '', amount: '3.00', currency: EUR });
    assert.equal(simulator.bank.netMoved(), 1100 + 5500 + 700 - 200);

    await client.commands.run(TERMINAL, 'set-locale', { locale: 'fr_CA' });
    const batch = await client.batch.close({ ...DEVICE, batchNumber: '123' });
    assert.deepEqual([batch.batchStatus, batch.netAmount], ['CLOSED', '71.00']);
    await client.batch.summary({ ...DEVICE, batchNumber: '123' });
    assert.equal((await client.batch.detail({ ...DEVICE, batchNumber: '123' })).details?.length, 9);
  });
}
