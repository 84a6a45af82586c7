import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callbackSecret, callbackToken } from '../../../../src/core/base/callback.js';
import { AnswerLostError } from '../../../../src/core/base/errors.js';
import { DEFAULT_KEY } from '../../../../src/simulator/index.js';
import { payments } from '../../../harness/payments.js';
import { openShop } from '../../../harness/shop.js';
import { NOT_FOUND } from '../../../harness/two-attempts.js';

/** A terminal posts with the right token what nobody can read on its arrival: it says that the payment has ended, not how. */

const secret = callbackSecret(DEFAULT_KEY);
const approvalOf = (transactionReference: string): string =>
  JSON.stringify({ transactionReference, transactionID: 'x', finStatus: 'AUTHORISED', totalAmount: 1000 });

/** The answer to the sale got lost, the status service knows nothing, and a stop proves nothing. */
async function lost() {
  const world = payments({
    engine: {
      send: async (request) => {
        const { operation } = JSON.parse(request.body ?? '{}');
        if (operation === 'sale') throw new AnswerLostError('cut off');
        if (request.url.includes('/status')) return NOT_FOUND;
        return { status: 400, body: JSON.stringify({ error: 1003, message: 'not possible' }) };
      },
    },
  });
  const id = await world.sale();
  await world.clock.advance(5000);
  const call = (body: string, token = callbackToken(secret, id)) => world.engine.callback(id, token, body);
  return { world, id, call };
}

for (const [what, spoilt] of [
  ['cut off by one byte', (body: string) => body.slice(0, -1)],
  ['compressed in a way that nobody knows', () => '\u001f\ufffd\b\u0000'],
  ['empty', () => ''],
  ['no object', () => '[]'],
  ['an object without a result', () => '{}'],
] as const) {
  test(`a payment whose only result arrived ${what} is never told as "not charged"`, async () => {
    const { world, id, call } = await lost();
    for (let times = 0; times < 20; times++) {
      assert.equal(await call(spoilt(approvalOf(id))), 'unavailable', 'the terminal calls again');
      await world.clock.advance(5000);
    }
    assert.ok(world.logged.some((line) => line.startsWith(`warn: callback: the result of ${id}`)));
    await world.clock.advance(900_000);
    assert.deepEqual(
      world.told.map(({ exit, payload }) => [exit, payload.outcome, payload.moneyMoved, payload.final]),
      [['needs-attention', 'unknown', 'unknown', false]],
    );
  });
}

test('a result that arrives spoilt first, and whole then, settles the payment', async () => {
  const { world, id, call } = await lost();
  assert.equal(await call(approvalOf(id).slice(1)), 'unavailable');
  await world.clock.advance(5000);
  assert.equal(await call(approvalOf(id)), 'taken');
  assert.deepEqual(
    world.told.map(({ payload }) => [payload.outcome, payload.source]),
    [['approved', 'callback']],
  );
});

test('a result behind a byte order mark is read', async () => {
  const { world, id, call } = await lost();
  assert.equal(await call(`\ufeff${approvalOf(id)}`), 'taken');
  assert.equal(world.told[0]?.payload.outcome, 'approved');
});

test('whoever has not the token raises no question, whatever the body', async () => {
  const { world, id, call } = await lost();
  for (const token of ['', 'x', callbackToken('another secret', id)]) {
    assert.equal(await call(`${callbackToken(secret, id)}{`, token), 'not-found');
  }
  await world.clock.advance(900_000);
  assert.deepEqual(
    world.told.map(({ payload }) => [payload.outcome, payload.final]),
    [['not-charged', true]],
  );
});

test('a decline that is posted once more, and cut off, contradicts nothing; after "not charged" the same is one alarm', async () => {
  const { world, id, call } = await lost();
  await call(JSON.stringify({ transactionID: 'x', finStatus: 'DECLINED' }));
  await call(approvalOf(id).slice(1));
  await world.clock.advance(60_000);
  assert.deepEqual(world.late(), []);

  const other = await lost();
  await other.world.untilTold();
  for (let times = 0; times < 3; times++) assert.equal(await other.call('{'), 'unavailable');
  await other.world.clock.advance(60_000);
  assert.deepEqual(other.world.late(), [['needs-attention', 'unknown', 'CONTRADICTED']]);
});

test('a spoilt result at a door reaches the payment of the leader, and the terminal calls again', async (t) => {
  const shop = openShop();
  t.after(() => shop.close());
  const leader = await shop.leads('leader');
  const door = await shop.stands('door');
  const id = await shop.after(shop.sells(leader));
  await shop.untilAsked();
  const token = callbackToken(secret, id);
  assert.equal(await door.payments.callback(id, token, '{"finStatus":"DECL'), 'unavailable');
  await shop.clock.advance(50);
  assert.equal(shop.fleet.inbox.length, 0, 'the leader has read it');
  const [record] = await leader.replica.journal.find({ operationId: id });
  assert.ok(record?.kind === 'terminal' && record.state.terminal?.isUnclear);
  assert.equal(await door.payments.callback(id, token, JSON.stringify({ finStatus: 'DECLINED' })), 'taken');
  await shop.clock.advance(50);
  assert.deepEqual(shop.outcomes(leader), ['declined']);
});
