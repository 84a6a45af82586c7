import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backupOf, restore } from '../../../harness/backup.js';
import { payments } from '../../../harness/payments.js';

/** A backup that is only minutes old cannot be told from the journal: what waited for its turn is asked for before it is sent. */

const MINUTE = 60_000;

/** A first sale keeps the terminal, and a second one waits for its turn when the copy is made; then both are charged. */
async function copiedWhileWaiting(busyWaitMs: number) {
  const world = payments({ callbacks: false });
  await world.sale();
  const id = await world.sale({ amount: '700' }, { busyWaitMs });
  const backup = await backupOf(world);
  return { world, id, backup };
}

test('a payment that waited for its turn, and was never sent, is told as not charged once it has been asked for', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: 'none' } });
  await world.sale();
  const id = await world.sale({ amount: '700' }, { busyWaitMs: MINUTE });
  const backup = await backupOf(world);
  await restore(world, backup, 2 * MINUTE);
  await world.clock.advance(20 * MINUTE);
  const told = world.told.filter(({ payload }) => payload.operationId === id).map(({ payload }) => payload);
  assert.deepEqual([told.at(-1)?.moneyMoved, told.at(-1)?.retry], ['no', 'safe']);
});

for (const [age, after] of [
  ['old enough to be given up', 3 * MINUTE],
  ['young enough to be sent', MINUTE],
] as const) {
  test(`a payment that waited when a copy was made, and was charged after that, is not charged again where the copy is ${age}`, async () => {
    const { world, id, backup } = await copiedWhileWaiting(2 * MINUTE);
    await world.untilTold(2);
    assert.equal(world.bank.netMoved(), 1700);
    await restore(world, backup, after);
    await world.clock.advance(20 * MINUTE);
    assert.equal(world.bank.netMoved(), 1700, 'nothing is sent again');
    const again = world.told.slice(2).filter(({ payload }) => payload.operationId === id);
    assert.ok(again.length > 0 && again.every(({ payload }) => payload.moneyMoved !== 'no'), 'and nobody is told "no"');
  });
}

test('a payment that waited for its turn when the process died is sent once the status service has no record of it', async () => {
  const { world, id, backup } = await copiedWhileWaiting(10 * MINUTE);
  await restore(world, backup, 10_000);
  await world.clock.advance(5 * MINUTE);
  const told = world.told.filter(({ payload }) => payload.operationId === id).map(({ payload }) => payload.outcome);
  assert.deepEqual(told, ['approved']);
  assert.equal(world.bank.netMoved(id), 700);
});
