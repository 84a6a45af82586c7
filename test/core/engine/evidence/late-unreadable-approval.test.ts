import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approvedTwice } from '../../../harness/approved-twice.js';
import { payments } from '../../../harness/payments.js';
import { NOT_FOUND } from '../../../harness/two-attempts.js';

/** After the end a terminal posts an approval that nobody can read: it may have charged, so a person must look. */

const ACCEPTED = { status: 202, body: JSON.stringify({ statusMessage: 'ok', transactionResultId: '10000001-1' }) };

/** The flow was told that the terminal declined it. */
async function declined() {
  const world = payments({
    engine: {
      send: async (request) => {
        if (JSON.parse(request.body ?? '{}').operation === 'sale') return ACCEPTED;
        return request.url.includes('/status') ? NOT_FOUND : { status: 204, body: '' };
      },
    },
  });
  const id = await world.sale();
  await world.clock.advance(2000);
  const call = (result: object) => world.callback(id, { transactionID: 'x', ...result });
  await call({ finStatus: 'DECLINED' });
  const { payload } = await world.untilTold();
  assert.deepEqual([payload.outcome, payload.moneyMoved, payload.final], ['declined', 'no', true]);
  return { world, call };
}

for (const [name, odd] of [
  ['an amount that cannot be read', { finStatus: 'AUTHORISED', totalAmount: 'ten' }],
  ['no amount of its part', { finStatus: 'PARTIAL_APPROVAL' }],
  ['another currency', { finStatus: 'AUTHORISED', totalAmount: 1000, currency: 'USD' }],
] as const) {
  test(`a late approval with ${name} after a final "no" is one alarm`, async () => {
    const { world, call } = await declined();
    assert.equal(await call({ transactionID: 'y', ...odd }), 'taken');
    assert.equal(await call({ transactionID: 'y', ...odd }), 'taken');
    await world.clock.advance(60_000);
    assert.deepEqual(world.late(), [['needs-attention', 'unknown', 'CONTRADICTED']]);
    assert.equal(world.told.length, 1);
  });

  test(`a second approval with ${name} is one alarm, and nothing goes back`, async () => {
    const { world, first, reversed } = await approvedTwice();
    assert.equal(await world.callback(first, { transactionID: 'first', ...odd }), 'taken');
    assert.equal(await world.callback(first, { transactionID: 'first', ...odd }), 'taken');
    await world.clock.advance(600_000);
    assert.deepEqual(world.late(), [['needs-attention', 'provisional', 'REVERSAL_UNPROVEN']]);
    assert.deepEqual([world.told.length, reversed], [1, []]);
  });
}

test('a second approval that can be read goes back after one that could not be read', async () => {
  const { world, first, reversed, call } = await approvedTwice();
  await world.callback(first, { transactionID: 'first', finStatus: 'AUTHORISED', totalAmount: 'ten' });
  await call();
  await world.clock.advance(600_000);
  assert.deepEqual(reversed, ['first']);
  assert.deepEqual(
    world.late().map(([, , code]) => code),
    ['REVERSAL_UNPROVEN', 'SECOND_ATTEMPT_REVERSED'],
  );
});

test('an approval that cannot be read is no alarm where its attempt is the one that went back', async () => {
  const { world, first, call } = await approvedTwice();
  await call();
  await world.clock.advance(60_000);
  await world.callback(first, { transactionID: 'first', finStatus: 'AUTHORISED', totalAmount: 'ten' });
  await world.clock.advance(60_000);
  assert.deepEqual(world.late(), [['done', 'approved', 'SECOND_ATTEMPT_REVERSED']]);
});

test('an approval that cannot be read while another charge goes back is an alarm', async () => {
  const { world, first, reversed, call } = await approvedTwice({ reversal: 500 });
  await call();
  await world.clock.advance(1000);
  const told = world.told[0]?.payload.reference ?? '';
  await world.callback(told, { transactionID: 'another', finStatus: 'AUTHORISED', totalAmount: 'ten' });
  await world.callback(first, { transactionID: 'first', finStatus: 'AUTHORISED', totalAmount: 'ten' });
  assert.ok(reversed.length > 0);
  await world.callback(told, { transactionID: 'another', finStatus: 'AUTHORISED', totalAmount: 1000 });
  assert.deepEqual(world.late(), [['needs-attention', 'provisional', 'REVERSAL_UNPROVEN']]);
});

test('a decline that is posted once more and says something nobody has described contradicts nothing', async () => {
  const { world, call } = await declined();
  await call({ finStatus: 'DECLINED' });
  await call({ finStatus: 'SOMETHING_NEW' });
  await world.clock.advance(60_000);
  assert.deepEqual(
    world.late().filter(([exit]) => exit === 'needs-attention'),
    [],
  );
});
