import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payments } from '../../../harness/payments.js';
import { NOT_FOUND } from '../../../harness/two-attempts.js';

/** A proxy delivers one request twice, the second time when the terminal is free again: one reference, two transactions. */

const charge = (transactionID: string) => ({
  transactionID,
  type: 'SALE',
  finStatus: 'AUTHORISED',
  totalAmount: 1000,
  currency: 'EUR',
  authorisationCode: '123456',
  issuerResponseCode: '00',
});

/** The flow was told of the first transaction, `A`. `call` posts a result under the same reference. */
async function approved() {
  const accepted = { statusMessage: 'ok', transactionResultId: '10000001-1' };
  const world = payments({
    engine: {
      send: async (request) =>
        JSON.parse(request.body ?? '{}').operation === 'sale'
          ? { status: 202, body: JSON.stringify(accepted) }
          : NOT_FOUND,
    },
  });
  const id = await world.sale({ duplicate_check: false });
  await world.clock.advance(2000);
  const call = (result: object) => world.callback(id, result);
  assert.equal(await call(charge('A')), 'taken');
  await world.untilTold();
  return { world, call };
}

test('a second transaction under the reference of a told approval is one alarm', async () => {
  const { world, call } = await approved();
  await world.clock.advance(10_000);
  for (const transaction of ['A', 'B', 'B', '', 'A']) assert.equal(await call(charge(transaction)), 'taken');
  await world.clock.advance(600_000);
  assert.deepEqual(world.late(), [['needs-attention', 'provisional', 'REVERSAL_UNPROVEN']]);
  const [{ payload } = {}, ...more] = world.told;
  assert.deepEqual([payload?.outcome, payload?.transactionId, more], ['approved', 'A', []]);
});

test('a decline of a told approval is heard after a second transaction under its reference', async () => {
  const { world, call } = await approved();
  await call(charge('B'));
  await call({ finStatus: 'DECLINED' });
  assert.deepEqual(
    world.late().map(([, , code]) => code),
    ['REVERSAL_UNPROVEN', 'CONTRADICTED'],
  );
});
