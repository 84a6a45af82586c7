import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import { approvedTwice, THROTTLED } from '../../../harness/approved-twice.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** Two attempts of a sale show the same transaction: that is one charge, and what would take back either takes back the sale. */

const CHARGE = { transactionID: 'one', finStatus: 'AUTHORISED', type: 'SALE', totalAmount: 1000, currency: 'EUR' };
const NO_RECORD: HttpAnswer = {
  status: 404,
  body: JSON.stringify({ error: { statusCode: 404, name: 'NotFoundError', message: 'no record' } }),
};

/**
 * All attempts but the last are throttled.
 * @param shown what the status service shows of an attempt; `place` counts from 0
 * @param polled what a poll shows of the last
 */
async function severalAttempts(shown: (place: number) => object | undefined, polled?: object, attempts = 2) {
  const references: string[] = [];
  const reversed: string[] = [];
  const world: Payments = payments({
    callbacks: polled === undefined,
    engine: {
      send: async ({ url, body = '{}' }) => {
        const { operation, transactionReference, originalGuid } = JSON.parse(body);
        if (url.endsWith('/reversal')) {
          reversed.push(originalGuid);
          const done = { issuerResponseCode: '00', reversalGuid: 'reversal' };
          return { status: 200, body: JSON.stringify(done) };
        }
        if (operation === 'sale' && references.push(transactionReference) < attempts) return THROTTLED;
        if (operation === 'sale') return { status: 202, body: JSON.stringify({ transactionResultId: 'result' }) };
        if (url.includes('/transaction-result/') && polled) return { status: 200, body: JSON.stringify(polled) };
        const entry = shown(references.findIndex((reference) => url.includes(reference)));
        return entry === undefined ? NO_RECORD : { status: 200, body: JSON.stringify([entry]) };
      },
    },
  });
  await world.sale({}, { busyWaitMs: 60_000 });
  await world.clock.advance(5_000);
  const call = (place: number, result: object = CHARGE) => world.callback(references[place] ?? '', result);
  return { world, reversed, call };
}

const nothing = () => undefined;

for (const [name, order] of [
  ['first', [0, 1]],
  ['second', [1, 0]],
] as const) {
  test(`a charge that is posted for both attempts, the ${name} one first, stays`, async () => {
    const { world, reversed, call } = await severalAttempts(nothing);
    for (const place of order) {
      assert.equal(await call(place), 'taken');
      await world.clock.advance(5_000);
    }
    await world.clock.advance(900_000);
    assert.deepEqual(reversed, []);
    assert.equal(world.told.length, 1);
    assert.notEqual(world.told[0]?.payload.moneyMoved, 'no');
  });
}

for (const [name, polled] of [
  ['polled for the second and shown for both', CHARGE],
  ['shown for both alone', undefined],
] as const) {
  test(`a charge that is ${name} stays`, async () => {
    const { world, reversed } = await severalAttempts((place) => (place >= 0 ? CHARGE : undefined), polled);
    await world.clock.advance(1_500_000);
    assert.deepEqual(reversed, []);
    const said = world.told.map(({ payload }) => payload.moneyMoved);
    assert.ok(said.length > 0 && !said.includes('no'), said.join());
  });
}

test('the charge that the flow was told of, posted once more for the first attempt, stays', async () => {
  const id = 'told';
  const { world, reversed, first } = await approvedTwice({ id });
  const [{ payload } = assert.fail('not told')] = world.told;
  const again = { transactionID: payload.transactionId, finStatus: 'AUTHORISED', totalAmount: 1000 };
  assert.equal(await world.callback(first, again), 'taken');
  await world.clock.advance(600_000);
  assert.deepEqual([reversed, world.late()], [[], []]);
});

test('a charge that is posted for two attempts in other letters stays', async () => {
  const { world, reversed, call } = await severalAttempts(nothing);
  await call(1, { ...CHARGE, transactionID: 'abcdef00-0000-4000-8000-000000000001' });
  await world.clock.advance(5_000);
  await call(0, { ...CHARGE, transactionID: 'ABCDEF00-0000-4000-8000-000000000001' });
  await world.clock.advance(600_000);
  assert.deepEqual(reversed, []);
});

test('a charge that two attempts show, and a latest one that was declined: the flow hears of it at once, and a person looks', async () => {
  const { world, reversed, call } = await severalAttempts(nothing, undefined, 3);
  await call(0);
  await call(1);
  await call(2, { ...CHARGE, transactionID: 'other', finStatus: 'DECLINED' });
  await world.clock.advance(1_000);
  const [{ payload } = assert.fail('not told')] = world.told;
  assert.deepEqual([payload.outcome, payload.moneyMoved, payload.error?.code], ['approved', 'yes', undefined]);
  await world.clock.advance(900_000);
  assert.deepEqual(reversed, []);
  assert.equal(world.told.length, 1);
  assert.deepEqual(world.late(), [['needs-attention', 'provisional', 'REVERSAL_UNPROVEN']]);
});
