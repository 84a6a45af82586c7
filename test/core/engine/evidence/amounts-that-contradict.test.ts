import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { TransactionOrder } from '../../../../src/core/api/schema/transaction-request.js';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import { payments } from '../../../harness/payments.js';

/** Results whose amounts do not fit the request, or each other. 10.00 is asked for. */

const ACCEPTED = { status: 202, body: JSON.stringify({ transactionResultId: 'result' }) };
const APPROVED = { finStatus: 'AUTHORISED', currency: 'EUR', transactionID: 'one', totalAmount: 1000 };
const PART = { ...APPROVED, finStatus: 'PARTIAL_APPROVAL', totalAmount: 600 };

/** What the flow is told once the terminal posts `result`. */
async function toldOf(result: object, request: Partial<TransactionOrder> = {}) {
  const world = payments({
    engine: { send: async ({ method }) => (method === 'POST' ? ACCEPTED : { status: 204, body: '' }) },
  });
  const id = await world.sale(request);
  await world.clock.advance(1000);
  assert.equal(await world.callback(id, result), 'taken');
  return world.untilTold();
}

const saidOf = ({ outcome, moneyMoved, retry, error, amount }: ResultPayload) => [
  outcome,
  moneyMoved,
  retry,
  error?.code,
  amount?.total,
  amount?.due,
];

for (const [what, result, total] of [
  ['10.00 are due beside the whole 10.00', { ...APPROVED, dueAmount: 1000 }, '10.00'],
  ['9.00 are due after 6.00', { ...PART, dueAmount: 900 }, '6.00'],
  ['3.00 are due after 6.00', { ...PART, dueAmount: 300 }, '6.00'],
  ['nothing is due after 6.00', { ...PART, dueAmount: 0 }, '6.00'],
  ['a partial approval is of the whole', { ...PART, totalAmount: 1000, dueAmount: 0 }, '10.00'],
  ['20.00 were requested', { ...APPROVED, requestedAmount: 2000 }, '10.00'],
] as const) {
  test(`${what}: a person has to look, and nobody is asked for a remainder`, async () => {
    const { exit, payload } = await toldOf(result);
    assert.equal(exit, 'needs-attention');
    assert.deepEqual(saidOf(payload), ['partial', 'partly', 'never', 'AMOUNT_DIFFERS', total, undefined]);
  });
}

test('a remainder that contradicts the request is asked of nobody either where the result comes after the end of the watch', async () => {
  const world = payments({
    engine: {
      send: async ({ method, url }) =>
        method === 'POST' ? ACCEPTED : { status: url.includes('/status/') ? 500 : 204, body: '' },
    },
  });
  const id = await world.sale();
  await world.clock.advance(3 * 24 * 3_600_000);
  assert.equal(world.told.at(-1)?.payload.error?.code, 'WATCH_ENDED');
  assert.equal(await world.callback(id, { ...PART, dueAmount: 900 }), 'taken');
  await world.clock.advance(1000);
  assert.deepEqual(world.late().at(-1), ['needs-attention', 'partial', 'AMOUNT_DIFFERS']);
  assert.equal(world.noticed.at(-1)?.delivery.payload.retry, 'never');
});

test('a refund of the whole beside which 10.00 are due is not to be given back once more', async () => {
  const { payload } = await toldOf({ ...APPROVED, type: 'REFUND', dueAmount: 1000 }, { operation: 'refund' });
  assert.deepEqual(saidOf(payload), ['partial', 'partly', 'never', 'AMOUNT_DIFFERS', '10.00', undefined]);
});

for (const [what, result, due] of [
  ['says so', { ...PART, dueAmount: 400 }, '4.00'],
  ['does not say so', PART, '4.00'],
  ['calls it approved, and does not say so', { ...PART, finStatus: 'AUTHORISED' }, '4.00'],
  ['includes the tip', { ...PART, tipAmount: 200, dueAmount: 600 }, '6.00'],
  ['includes a surcharge', { ...PART, totalAmount: 612, surcharge: { amount: 12 }, dueAmount: 400 }, '4.00'],
] as const) {
  test(`what is left to pay after a part is told, also where the result ${what}`, async () => {
    const { payload } = await toldOf(result);
    assert.deepEqual(saidOf(payload).slice(0, 4), ['partial', 'partly', 'remainder-only', undefined]);
    assert.equal(payload.amount?.due, due);
  });
}

test('a tip that was added on the screen is due as well, and the amount of the whole is not', async () => {
  const tipConfiguration = { tipPercentages: [10, 20] };
  const { payload } = await toldOf({ ...PART, dueAmount: 600 }, { tipConfiguration });
  assert.deepEqual(saidOf(payload), ['partial', 'partly', 'remainder-only', undefined, '6.00', '6.00']);
  for (const result of [
    { ...PART, dueAmount: 1000 },
    { ...APPROVED, dueAmount: 200 },
  ]) {
    const { payload: odd } = await toldOf(result, { tipConfiguration });
    assert.deepEqual([odd.retry, odd.error?.code, odd.amount?.due], ['never', 'AMOUNT_DIFFERS', undefined]);
  }
});

for (const [what, odd, total] of [
  ['the total is 10.00 with a tip of 2.00 in it', { tipAmount: 200 }, '10.00'],
  ['the total is 11.00 with a tip of 2.00 in it', { totalAmount: 1100, tipAmount: 200 }, '11.00'],
  ['a tip is below nothing', { totalAmount: undefined, tipAmount: -200 }, '8.00'],
] as const) {
  test(`${what}, so that less than 10.00 was taken for the bill: a person has to look`, async () => {
    const { exit, payload } = await toldOf({ ...APPROVED, ...odd });
    assert.deepEqual(
      [exit, ...saidOf(payload)],
      ['needs-attention', 'approved', 'yes', 'never', 'AMOUNT_DIFFERS', total, undefined],
    );
  });
}

test('a total that the result leaves out includes the tip and the surcharge that it names', async () => {
  const { totalAmount: _, ...terse } = APPROVED;
  for (const [more, total] of [
    [{}, '10.00'],
    [{ tipAmount: 200 }, '12.00'],
    [{ tipAmount: 200, surcharge: { amount: 50, applied: true, reason: '' } }, '12.50'],
  ] as const) {
    const { exit, payload } = await toldOf({ ...terse, ...more });
    assert.deepEqual([exit, payload.outcome, payload.amount?.total], ['done', 'approved', total]);
  }
});

test('a surcharge that was not applied explains no amount, and is not told', async () => {
  const surcharge = { amount: 50, applied: true, reason: '' };
  const { exit, payload } = await toldOf({ ...APPROVED, totalAmount: 1050, surcharge });
  assert.deepEqual([exit, payload.amount?.total, payload.amount?.surcharge], ['done', '10.50', '0.50']);
  for (const [totalAmount, code] of [
    [1050, 'AMOUNT_DIFFERS'],
    [1000, undefined],
  ]) {
    const { payload: odd } = await toldOf({ ...APPROVED, totalAmount, surcharge: { ...surcharge, applied: false } });
    assert.deepEqual([odd.outcome, odd.error?.code, odd.amount?.surcharge], ['approved', code, undefined]);
  }
});

for (const requestedAmount of [500, 2000]) {
  test(`an approval without a total that names ${requestedAmount} as requested is a question`, async () => {
    const { totalAmount: _, ...terse } = APPROVED;
    const { payload } = await toldOf({ ...terse, requestedAmount });
    assert.deepEqual([payload.outcome, payload.moneyMoved, payload.final], ['unknown', 'unknown', false]);
  });
}

test('an amount due below zero is told to nobody', async () => {
  const { exit, payload } = await toldOf({ ...APPROVED, dueAmount: -400 });
  assert.deepEqual([exit, payload.outcome, payload.amount?.due], ['done', 'approved', undefined]);
});

test('the recipe for the remainder charges what is due, and nothing where nothing is said to be', async () => {
  const nodes: { func?: string }[] = JSON.parse(readFileSync('examples/recipe-remainder.json', 'utf8'));
  const { func = '' } = nodes.find((node) => node.func?.includes('remainder-only')) ?? {};
  const recipe = new Function('msg', func) as (msg: object) => [{ payload: { amount: string } } | null, object | null];
  const [rest] = recipe({ bill: 'bill', payload: (await toldOf(PART)).payload });
  assert.equal(rest?.payload.amount, '4.00');
  const { payload } = await toldOf({ ...APPROVED, dueAmount: 1000 });
  for (const odd of [payload, { ...payload, retry: 'remainder-only' }]) assert.equal(recipe({ payload: odd })[0], null);
});
