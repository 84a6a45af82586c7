import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Policies } from '../../../../src/core/operation/order.js';
import { backupOf, restore } from '../../../harness/backup.js';
import { type Payments, payments } from '../../../harness/payments.js';

/**
 * A young copy of the journal is restored. A payment waits in it for its turn that was sent after the copy was made, and the service
 * calls its result back before its turn comes.
 */

const MINUTE = 60_000;
const APPROVED = { finStatus: 'AUTHORISED', transactionID: 'charged', totalAmount: 700, currency: 'EUR' };
const DECLINED = { ...APPROVED, finStatus: 'DECLINED' };

/** Restored while `operation` waits behind a sale that nobody pays; whoever restored it was called back. */
async function calledBack(
  operation: 'sale' | 'moToSale',
  result: object,
  policies: Partial<Policies> = { busyWaitMs: 2 * MINUTE },
): Promise<{ world: Payments; id: string; told: () => (string | boolean)[][] }> {
  const world = payments({ simulator: { cardholder: 'none' } });
  await world.sale();
  const id = await world.sale({ operation, amount: '700' }, policies);
  const backup = await backupOf(world);
  await restore(world, backup, 10_000);
  assert.equal(await world.callback(id, result), 'taken');
  const told = () =>
    world.told
      .filter(({ payload }) => payload.operationId === id)
      .map(({ payload: { outcome, moneyMoved, final } }) => [outcome, moneyMoved, final]);
  return { world, id, told };
}

for (const operation of ['sale', 'moToSale'] as const) {
  test(`a ${operation} that is called back as approved before its turn is told as approved, and never sent again`, async () => {
    const { world, told } = await calledBack(operation, APPROVED);
    const { started } = world;
    const before = started.length;
    await world.clock.advance(20 * MINUTE);
    assert.deepEqual(told(), [['approved', 'yes', true]]);
    assert.ok(!started.slice(before).includes(operation), 'it is not sent');
  });

  test(`a ${operation} that is called back as approved before its turn, and then cancelled, is not told as cancelled`, async () => {
    const { world, id, told } = await calledBack(operation, APPROVED);
    await world.engine.cancel(id);
    await world.clock.advance(20 * MINUTE);
    assert.deepEqual(told(), [['approved', 'yes', true]]);
  });

  test(`a ${operation} that is called back as declined before its turn is never sent again`, async () => {
    const { world, told } = await calledBack(operation, DECLINED);
    const before = world.started.length;
    await world.clock.advance(20 * MINUTE);
    // A later attempt of a keyed sale cannot be asked for.
    const expected = operation === 'sale' ? ['declined', 'no', true] : ['unknown', 'unknown', false];
    assert.deepEqual(told(), [expected]);
    assert.ok(!world.started.slice(before).includes(operation), 'it is not sent');
  });

  test(`a ${operation} that is called back before its turn with what nobody can read is not sent, and not told as "no"`, async () => {
    const { world, told } = await calledBack(operation, { finStatus: 'AUTHORISED', totalAmount: 'seven' });
    const before = world.started.length;
    await world.clock.advance(20 * MINUTE);
    assert.ok(told().length > 0 && told().every(([, moved]) => moved !== 'no'), JSON.stringify(told()));
    assert.ok(!world.started.slice(before).includes(operation), 'it is not sent');
  });
}

test('a sale that is called back as approved before its turn, and whose turn never comes, is not told as refused', async () => {
  const { world, told } = await calledBack('sale', APPROVED, { busyWaitMs: 15_000 });
  await world.clock.advance(20 * MINUTE);
  assert.deepEqual(told(), [['approved', 'yes', true]]);
});
