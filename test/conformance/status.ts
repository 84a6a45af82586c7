import assert from 'node:assert/strict';
import { type Connected, connected } from '../harness/connected.js';
import { chapter, refused } from './row.js';

/** `GET {status_url}/transactions/{transactionReference}/status/{selector}`. */

const EUR = 'EUR';

/** A sale with two refunds, as the status service lists it. */
async function chainOfThree(): Promise<Connected & { reference: string }> {
  const world = connected();
  const { reference, transactionID: originalGuid } = await world.sold();
  await world.client.moto.refund({ originalGuid, amount: '1.00', currency: EUR });
  await world.client.moto.refund({ originalGuid, amount: '2.00', currency: EUR });
  await world.clock.advance(1000);
  return { ...world, reference };
}

export const STATUS = chapter('Status service', {
  'first: the first operation': async () => {
    const { client, reference } = await chainOfThree();
    const found = await client.status.get(reference, 'first');
    assert.equal(found !== 'no-record' && found.type, 'SALE');
  },
  'last: the last operation': async () => {
    const { client, reference } = await chainOfThree();
    const found = await client.status.get(reference, 'last');
    assert.equal(found !== 'no-record' && found.totalAmount, 200);
  },
  'an index counted from 1': async () => {
    const { client, reference } = await chainOfThree();
    const found = await client.status.get(reference, 2);
    assert.equal(found !== 'no-record' && found.totalAmount, 100);
  },
  'all: every operation, oldest first': async () => {
    const { client, reference } = await chainOfThree();
    const totals = (await client.status.all(reference)).map(({ totalAmount }) => totalAmount);
    assert.deepEqual(totals, [1000, 100, 200]);
  },
  'without a selector: the first': async () => {
    const { status, reference } = await chainOfThree();
    assert.equal((await status(reference)).json.type, 'SALE');
  },
  'an unknown reference: 404, no record': async () => {
    const { client, newId, status } = connected();
    assert.equal((await status(newId())).status, 404);
    assert.equal(await client.status.get(newId()), 'no-record');
    assert.deepEqual(await client.status.all(newId()), []);
  },
  'an index beyond the chain: 404, no record': async () => {
    const { client, reference } = await chainOfThree();
    assert.equal(await client.status.get(reference, 4), 'no-record');
  },
  'a wrong key: 403': async () => {
    const { client, newId } = connected({}, 'wrong');
    await refused(client.status.get(newId()), undefined, 403);
  },
  'transactionReference: UUID v4': async () => {
    await assert.rejects(connected().client.status.get('order-7'), { field: 'transactionReference' });
  },
  'linked operations only with the reference of the original': async () => {
    const world = connected();
    const { transactionID: originalGuid } = await world.sold();
    const { guid = '' } = await world.client.moto.refund({ originalGuid, amount: '1.00', currency: EUR });
    await world.clock.advance(1000);
    assert.equal((await world.status(guid)).status, 404);
  },
  'no receipts': async () => {
    const { client, reference } = await chainOfThree();
    const [first] = await client.status.all(reference);
    assert.deepEqual([first?.merchantReceipt, first?.customerReceipt], ['', '']);
  },
});
