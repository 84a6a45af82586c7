import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refused } from '../conformance/row.js';
import { connected } from '../harness/connected.js';

const EUR = 'EUR';

test('releases a hold as a whole, or not at all', async () => {
  const { client, held, simulator } = connected();
  const { transactionID: originalGuid } = await held();
  const release = (amount: string, currency = EUR) => client.reversal.reverse({ originalGuid, amount, currency });
  await refused(release('40.00'), '3109');
  await refused(release('100.01'), '4066');
  await refused(release('100.00', 'USD'), '3153');
  assert.equal(simulator.bank.netHeld(), 10_000);
  await release('100.00');
  assert.equal(simulator.bank.netHeld(), 0);
});

test('takes back a part of a refund, and the sale has that to refund once more', async () => {
  const { client, sold, simulator } = connected();
  const { transactionID } = await sold();
  const refund = (amount: string) => client.moto.refund({ originalGuid: transactionID, amount, currency: EUR });
  const { guid: originalGuid = '' } = await refund('10.00');
  const part = await client.reversal.reverse({ originalGuid, amount: '4.00', currency: EUR });
  assert.equal(part.raw.amount, '4.00');
  assert.equal(simulator.bank.netMoved(), 400);
  await refused(refund('4.01'), '3209');
  await refund('4.00');
  assert.equal(simulator.bank.netMoved(), 0);
});

test('takes back a part of a capture, and then the whole once', async () => {
  const { client, held, simulator } = connected();
  const { transactionID } = await held();
  const capture = await client.preauthorization.capture({ originalGuid: transactionID, capturedAmount: '90.00' });
  const { preAuthorizationCaptureGuid: originalGuid = '' } = capture;
  const part = (amount: string) => client.reversal.reverse({ originalGuid, amount, currency: EUR });
  assert.equal((await part('40.00')).raw.amount, '40.00');
  assert.equal(simulator.bank.netMoved(), 5000);
  await refused(part('90.01'), '4066');
  await part('90.00');
  await refused(part('90.00'), '3051');
  assert.equal(simulator.bank.netMoved(), 0);
});

test('refuses a part of whatever it is where the merchant has it not enabled', async () => {
  const { client, sold, simulator } = connected({ merchants: [{ capabilities: { partialReversalAllowed: false } }] });
  const { transactionID } = await sold();
  const { guid = '' } = await client.moto.refund({ originalGuid: transactionID, amount: '10.00', currency: EUR });
  await refused(client.reversal.reverse({ originalGuid: guid, amount: '4.00', currency: EUR }), '3109');
  assert.equal(simulator.bank.netMoved(), 0);
});
