import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payments } from '../../../harness/payments.js';

/** A terminal that approves something else than was asked for, and then says "no": one of the two is wrong. */

const ACCEPTED = { status: 202, body: JSON.stringify({ transactionResultId: 'result' }) };
const APPROVED = { finStatus: 'AUTHORISED', type: 'SALE', currency: 'EUR', transactionID: 'one', totalAmount: 1000 };
const OTHERWISE = [{ currency: 'USD' }, { totalAmount: 0 }, { totalAmount: 'x' }, { type: 'REFUND' }];

/** What the flow is told within 20 minutes after these callbacks, 5 s apart, where the status service shows `entry`. */
async function toldAfter(posted: readonly object[], entry: object | undefined, policies = {}) {
  const sent: string[] = [];
  const world = payments({
    engine: {
      send: async ({ method, url, body = '' }) => {
        if (method === 'POST') sent.push(`${url.split('/').pop()} ${JSON.parse(body).operation ?? ''}`);
        if (method === 'POST') return ACCEPTED;
        if (!url.includes('/status/')) return { status: 204, body: '' };
        return { status: 200, body: JSON.stringify(entry === undefined ? [] : [entry]) };
      },
    },
  });
  const id = await world.sale({}, policies);
  for (const result of posted) {
    await world.clock.advance(5000);
    assert.equal(await world.callback(id, result), 'taken');
  }
  const before = world.told.length;
  await world.clock.advance(20 * 60_000);
  return { ...world, before, last: world.told.at(-1)?.payload };
}

for (const odd of OTHERWISE) {
  for (const finStatus of ['DECLINED', 'CANCELLED']) {
    test(`${finStatus} after an approval saying ${JSON.stringify(odd)} is no "no" while the chain has the approval`, async () => {
      const claimed = { ...APPROVED, ...odd };
      const { told } = await toldAfter([claimed, { ...claimed, finStatus }], claimed);
      assert.ok(told.length > 0);
      for (const { exit, payload } of told)
        assert.deepEqual([exit, payload.moneyMoved], ['needs-attention', 'unknown']);
    });

    test(`${finStatus} after an approval saying ${JSON.stringify(odd)} is believed once the chain says "no" too`, async () => {
      const denied = { ...APPROVED, ...odd, finStatus };
      for (const entry of [{ ...APPROVED, finStatus: 'DECLINED' }, undefined]) {
        const { before, last, late } = await toldAfter([{ ...APPROVED, ...odd }, denied], entry);
        assert.equal(before, 0, 'nothing final rests on the contradiction alone');
        assert.deepEqual([last?.moneyMoved, last?.final, late()], ['no', true, []], last?.outcome);
      }
    });
  }
}

test('a part without an amount that the terminal posts as its end, and then denies, is asked for as well', async () => {
  const part = { ...APPROVED, finStatus: 'PARTIAL_APPROVAL', totalAmount: undefined };
  const { before, last } = await toldAfter([part, { ...part, finStatus: 'DECLINED' }], APPROVED);
  assert.deepEqual([before, last?.outcome], [0, 'provisional']);
});

test('a "no" after what is no approval of this payment settles at once', async () => {
  const denied = { ...APPROVED, finStatus: 'DECLINED' };
  for (const first of [{ finStatus: 'PENDING' }, { finStatus: 'UNDEFINED' }, { ...APPROVED, finStatus: 'FAILED' }]) {
    const { told, before } = await toldAfter([first, denied], undefined);
    assert.deepEqual([before, told.at(0)?.payload.outcome], [1, 'declined'], first.finStatus);
  }
});
