import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refused } from '../conformance/row.js';
import { connected } from '../harness/connected.js';

/** Reversals and tips where the description can be read in two ways. */

const EUR = 'EUR';

test('reverses what was reversed, captured or refunded with either code', async () => {
  for (const [completedCodes, reversed, refundedCode] of [
    ['by-state', '3051', '3052'],
    ['swapped', '3052', '3051'],
  ] as const) {
    const { client, sold, simulator } = connected({ variants: { completedCodes } });
    const [first, second] = [await sold('1100'), await sold('1200')];
    await client.reversal.reverse({ originalGuid: first.transactionID });
    await refused(client.reversal.reverse({ originalGuid: first.transactionID }), reversed);
    await client.moto.refund({ originalGuid: second.transactionID, amount: '1.00', currency: EUR });
    await refused(client.reversal.reverse({ originalGuid: second.transactionID }), refundedCode);
    assert.equal(simulator.bank.netMoved(), 1100);
  }
});

test('sets a tip right after the sale, or answers as if it had', async () => {
  for (const [earlyTip, early] of [
    ['applied', 1200],
    ['ignored', 1000],
  ] as const) {
    const { client, clock, sold, simulator } = connected({ variants: { earlyTip } });
    const { transactionID } = await sold('1000');
    await client.tip.adjust({ transactionID, amount: '2.00', currency: EUR });
    assert.equal(simulator.bank.netMoved(), early);
    await clock.advance(60_000);
    await client.tip.adjust({ transactionID, amount: '2.00', currency: EUR });
    assert.equal(simulator.bank.netMoved(), 1200);
  }
});

test('sets the tip of a sale of which something went back, refuses it, or answers without setting it', async () => {
  for (const [tipAfterReturn, left] of [
    ['refused', 0],
    ['done', 200],
    ['ignored', 0],
  ] as const) {
    const { client, clock, sold, simulator } = connected({ variants: { tipAfterReturn } });
    const { transactionID } = await sold('1000');
    await clock.advance(60_000);
    await client.reversal.reverse({ originalGuid: transactionID });
    const tip = client.tip.adjust({ transactionID, amount: '2.00', currency: EUR });
    if (tipAfterReturn === 'refused') await refused(tip, '3153');
    else assert.ok(await tip);
    assert.equal(simulator.bank.netMoved(), left);
  }
});

test('refunds at most what is left, or as much as was taken once more', async () => {
  for (const [refundBeyondRest, left] of [
    ['refused', 300],
    ['done', -300],
  ] as const) {
    const { client, sold, simulator } = connected({ variants: { refundBeyondRest } });
    const { transactionID: originalGuid } = await sold('1000');
    await client.reversal.reverse({ originalGuid, amount: '1.00', currency: EUR });
    await client.moto.refund({ originalGuid, amount: '6.00', currency: EUR });
    const second = client.moto.refund({ originalGuid, amount: '6.00', currency: EUR });
    if (refundBeyondRest === 'refused') await refused(second, '3209');
    else assert.equal((await second).approved, true);
    assert.equal(simulator.bank.netMoved(), left);
    await refused(client.moto.refund({ originalGuid, amount: '10.01', currency: EUR }), '3209');
  }
});

test('reverses what was refunded as a whole, where it does not refuse that', async () => {
  for (const [reversalAfterRefund, left] of [
    ['refused', 900],
    ['done', -100],
  ] as const) {
    const { client, sold, simulator } = connected({ variants: { reversalAfterRefund } });
    const { transactionID: originalGuid } = await sold('1000');
    await client.moto.refund({ originalGuid, amount: '1.00', currency: EUR });
    const reversal = client.reversal.reverse({ originalGuid });
    if (reversalAfterRefund === 'refused') await refused(reversal, '3052');
    else assert.equal((await reversal).amount, '10.00');
    assert.equal(simulator.bank.netMoved(), left);
    await refused(client.reversal.reverse({ originalGuid }), reversalAfterRefund === 'refused' ? '3052' : '3051');
    await refused(client.moto.refund({ originalGuid, amount: '9.50', currency: EUR }), '3209');
  }
});
