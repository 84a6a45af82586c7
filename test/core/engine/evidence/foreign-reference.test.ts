import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callbackSecret, callbackToken } from '../../../../src/core/base/callback.js';
import type { Send } from '../../../../src/core/base/seams.js';
import { DEFAULT_KEY } from '../../../../src/simulator/index.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** A service may give an operation a reference of its own, and know nothing of ours. */

const THEIRS = '6f1c9d0e-2f5b-4c57-9d36-0f6f5a4c1b22';
const ACCEPTED = { status: 202, body: JSON.stringify({ transactionResultId: 'result' }) };
const NO_RECORD = { status: 404, body: JSON.stringify({ error: { statusCode: 404, name: 'NotFoundError' } }) };
const APPROVED = { finStatus: 'AUTHORISED', transactionID: 'one', totalAmount: 1000 };

/** The status service has nothing under our reference; a poll gives `polled`. */
function strange(polled?: object, callbacks = false): Payments {
  const send: Send = async ({ method, url }) => {
    if (method === 'POST') return ACCEPTED;
    if (url.startsWith(world.simulator.statusUrl)) return NO_RECORD;
    return polled === undefined ? { status: 204, body: '' } : { status: 200, body: JSON.stringify(polled) };
  };
  const world: Payments = payments({ callbacks, engine: { send } });
  return world;
}

function calledBack({ engine }: Payments, id: string, result: object) {
  return engine.callback(id, callbackToken(callbackSecret(DEFAULT_KEY), id), JSON.stringify(result));
}

test('a polled approval under a reference that nobody knows is a question, and never "not charged"', async () => {
  const world = strange({ ...APPROVED, transactionReference: THEIRS });
  await world.sale();
  await world.clock.advance(3 * 24 * 3_600_000);
  const told = world.told.map(({ payload }) => payload.moneyMoved);
  assert.ok(told.length > 0 && told.every((moved) => moved === 'unknown'), told.join());
});

test('the same approval by callback is taken, as its token proves what it is about', async () => {
  const world = strange(undefined, true);
  const id = await world.sale();
  await world.clock.advance(2000);
  assert.equal(await calledBack(world, id, { ...APPROVED, transactionReference: THEIRS }), 'taken');
  await world.clock.advance(3 * 24 * 3_600_000);
  const told = world.told.map(({ payload }) => payload.moneyMoved);
  assert.ok(told.length > 0 && told.every((moved) => moved === 'unknown'), told.join());
});

test('what names another operation of ours is about that one alone', async () => {
  const world = payments();
  const first = await world.sale();
  await world.untilTold();
  const second = await world.sale();
  await world.clock.advance(1000);
  assert.equal(await calledBack(world, second, { ...APPROVED, transactionReference: first }), 'not-found');
});

test('our reference is ours in capitals too', async () => {
  const world = strange(undefined, true);
  const id = await world.sale();
  await world.clock.advance(2000);
  assert.equal(await calledBack(world, id, { ...APPROVED, transactionReference: id.toUpperCase() }), 'taken');
  const { payload } = await world.untilTold();
  assert.deepEqual([payload.outcome, payload.moneyMoved], ['approved', 'yes']);
});
