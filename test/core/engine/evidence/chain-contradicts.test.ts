import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, HttpRequest } from '../../../../src/core/base/seams.js';
import type { Policies } from '../../../../src/core/operation/order.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** A sale of 10.00 whose response was lost, and a chain that shows something else than was asked for. */

type Entry = Record<string, unknown>;

async function toldOf(change: (chain: Entry[]) => Entry[], policies: Partial<Policies> = {}): Promise<Payments> {
  const world: Payments = payments({
    callbacks: false,
    engine: {
      send: async (request: HttpRequest): Promise<HttpAnswer> => {
        const answer = await world.simulator.send(request);
        if (!request.url.includes('/status/') || answer.status !== 200) return answer;
        const body = JSON.parse(answer.body);
        const isShown = Array.isArray(body) && body.every(({ finStatus }) => finStatus !== 'UNDEFINED');
        return isShown ? { ...answer, body: JSON.stringify(change(body)) } : answer;
      },
    },
  });
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /transactions' } });
  await world.sale({}, policies);
  await world.clock.advance(3 * 86_400_000);
  return world;
}

const last = ({ told }: Payments) => {
  const { exit, payload: { outcome, final, amount, error } = {} } = told.at(-1) ?? {};
  return [exit, outcome, final, amount?.total, error?.code];
};
const each = (fields: Entry) => (chain: Entry[]) => chain.map((one) => ({ ...one, ...fields }));
const OTHER = { transactionID: '11111111-1111-4111-8111-111111111111' };
const twice = (chain: Entry[]) => chain.flatMap((one) => [one, { ...one, ...OTHER }]);

test('ten times the amount in the chain is told as approved with AMOUNT_DIFFERS: a person must look', async () => {
  const world = await toldOf(each({ totalAmount: 10_000 }));
  assert.deepEqual(last(world), ['needs-attention', 'approved', true, '100.00', 'AMOUNT_DIFFERS']);
});

for (const [name, fields] of [
  ['a total of nothing', { totalAmount: 0 }],
  ['a refund', { type: 'REFUND' }],
  ['another currency', { currency: 'USD' }],
] as const) {
  test(`${name} in the chain is no approval of a sale: a person must look`, async () => {
    const world = await toldOf(each(fields));
    const [exit, outcome, final, , code] = last(world);
    assert.deepEqual([exit, outcome, final, code], ['needs-attention', 'unknown', true, 'WATCH_ENDED']);
    assert.ok(world.told.every(({ payload }) => payload.moneyMoved === 'unknown'));
  });
}

test('a sale that the chain shows twice is told with both amounts and AMOUNT_DIFFERS', async () => {
  const world = await toldOf(twice);
  assert.deepEqual(last(world), ['needs-attention', 'approved', true, '20.00', 'AMOUNT_DIFFERS']);
});

test('a sale that the chain shows twice is not told as taken back by the policy: a reversal takes back one', async () => {
  const world = await toldOf(twice, { lateApproval: 'reverse' });
  assert.equal(world.bank.netMoved(), 1000);
  assert.deepEqual(last(world), ['needs-attention', 'approved', true, '20.00', 'AMOUNT_DIFFERS']);
});

for (const [name, fields] of [
  ['a tip', { totalAmount: 1200, tipAmount: 200 }],
  ['a surcharge', { totalAmount: 1030, surcharge: { amount: 30 } }],
] as const) {
  test(`${name} explains that the chain shows more than was asked for`, async () => {
    const world = await toldOf(each(fields));
    const [exit, outcome, , , code] = last(world);
    assert.deepEqual([exit, outcome, code], ['done', 'approved', undefined]);
  });
}

test('a cancelled sale of which the chain shows a part to have gone back is not told as never charged', async () => {
  const part = { ...OTHER, type: 'REVERSAL', totalAmount: 400 };
  const world = await toldOf((chain) =>
    chain.flatMap((one) => [
      { ...one, finStatus: 'CANCELLED' },
      { ...one, ...part, originalEFTTransactionID: one.transactionID },
    ]),
  );
  assert.deepEqual(last(world), ['needs-attention', 'unknown', true, '10.00', 'WATCH_ENDED']);
  assert.ok(world.told.every(({ payload }) => payload.moneyMoved === 'unknown' && payload.retry !== 'safe'));
});

const reworded = (chain: Entry[]) => chain.flatMap((one) => [one, { ...one, statusMessage: 'once more' }]);

test('a sale that the chain lists twice in other words is told once, and taken back by the policy', async () => {
  assert.deepEqual(last(await toldOf(reworded)), ['done', 'approved', true, '10.00', undefined]);
  const world = await toldOf(reworded, { lateApproval: 'reverse' });
  assert.equal(world.bank.netMoved(), 0);
  assert.deepEqual(last(world), ['not-done', 'cancelled', true, '0.00', 'LATE_APPROVAL_REVERSED']);
});
