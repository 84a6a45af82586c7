import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payments } from '../../../harness/payments.js';

const ACCEPTED = { status: 202, body: JSON.stringify({ transactionResultId: 'result' }) };
const PART = { finStatus: 'PARTIAL_APPROVAL', totalAmount: 400, dueAmount: 600 };
const WHOLE = { finStatus: 'AUTHORISED', totalAmount: 1000 };

/** A terminal posts each of `results` about one charge; the flow is told of the first. */
async function afterAll(...results: readonly object[]) {
  const world = payments({
    engine: { send: async ({ method }) => (method === 'POST' ? ACCEPTED : { status: 204, body: '' }) },
  });
  const id = await world.sale();
  await world.clock.advance(1000);
  for (const result of results) {
    assert.equal(await world.callback(id, { transactionID: 'one', ...result }), 'taken');
    await world.clock.advance(60_000);
  }
  const [first, ...more] = world.told;
  assert.deepEqual([first?.payload.final, more], [true, []]);
  return world;
}

/** What callback-in hears of them. */
const posted = async (...results: readonly object[]) => (await afterAll(...results)).late();

const CONTRADICTED = ['needs-attention', 'unknown', 'CONTRADICTED'];

test('a charge that is reported with another amount than the flow was told is for a person to look at, once', async () => {
  const otherPart = { ...PART, totalAmount: 600, dueAmount: 400 };
  const more = { ...WHOLE, totalAmount: 100_000, requestedAmount: 100_000 };
  const inDollars = { ...WHOLE, currency: 'USD' };
  for (const [told, later] of [
    [PART, WHOLE],
    [PART, otherPart],
    [WHOLE, PART],
    [WHOLE, more],
    [{ ...WHOLE, totalAmount: 1500 }, more],
    [WHOLE, { ...WHOLE, totalAmount: 1200 }],
    [WHOLE, inDollars],
    [PART, { ...PART, currency: 'USD' }],
  ] as const) {
    assert.deepEqual(await posted(told, later, later), [CONTRADICTED], JSON.stringify(later));
  }
});

test('a tip that the terminal names since is no other amount', async () => {
  for (const told of [PART, WHOLE]) {
    const withTip = { ...told, totalAmount: told.totalAmount + 200, tipAmount: 200 };
    assert.deepEqual(await posted(told, withTip), [], told.finStatus);
  }
  assert.deepEqual(await posted(WHOLE, { ...WHOLE, tipAmount: 200 }), [], 'nor is one that was a part of it all along');
  const surcharge = { amount: 30, applied: true };
  assert.deepEqual(await posted(WHOLE, { ...WHOLE, totalAmount: 1030, surcharge }), [], 'nor is a surcharge');
});

test('a result that is posted again, or names no amount the second time, is no contradiction', async () => {
  for (const told of [PART, WHOLE]) {
    const late = await posted(told, told, { finStatus: 'AUTHORISED' });
    assert.deepEqual(
      late.filter(([, , code]) => code !== undefined),
      [],
    );
  }
});

test('after a restart too, somebody who looks learns which amount the terminal has named since', async () => {
  const world = await afterAll(PART, WHOLE);
  const [{ delivery } = assert.fail('no alarm')] = world.noticed.filter(({ late }) => late);
  const [record] = await world.journal.find({ operationId: delivery.id });
  assert.ok(record?.kind === 'terminal');
  assert.equal(record.result?.totalAmount, 400, 'what was told stays');
  for (const error of [delivery.payload.error, record.state.latest?.verdict.error])
    assert.match(error?.message ?? '', /^the terminal now reports 10\.00 EUR, /);
});

test('a later result of more than the flow was told lets nobody refund more than that', async () => {
  const refundable = async (...results: readonly object[]) =>
    (await (await afterAll(...results)).engine.balance('one'))?.refundable;
  assert.equal(await refundable(WHOLE, { ...WHOLE, totalAmount: 1500 }), 1000n);
  assert.equal(await refundable(WHOLE, { ...WHOLE, totalAmount: 1500, tipAmount: 200 }), 1000n);
  assert.equal(await refundable(WHOLE, { ...WHOLE, totalAmount: 1200, tipAmount: 200 }), 1200n, 'a tip that is named');
  assert.equal(await refundable({ ...WHOLE, totalAmount: 1500 }, WHOLE), 1000n, 'and less is less');
});
