import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approvedTwice } from '../../../harness/approved-twice.js';
import { payments } from '../../../harness/payments.js';

test('the same callback twice at the same moment takes a second charge back once, with one alarm', async () => {
  const { world, reversed, call } = await approvedTwice();
  assert.deepEqual(await Promise.all([call(), call()]), ['taken', 'taken']);
  await world.clock.advance(600_000);
  assert.deepEqual([reversed, world.late().length], [['first'], 1]);
});

test('a contradiction that comes twice at the same moment is one alarm', async () => {
  const world = payments({ simulator: { cardholder: 'none' } });
  const id = await world.sale();
  const call = (finStatus: string) => world.callback(id, { transactionID: 'x', finStatus, totalAmount: 1000 });
  await world.clock.advance(1000);
  await call('DECLINED');
  await world.untilTold();
  await world.clock.advance(60_000);
  await Promise.all([call('AUTHORISED'), call('AUTHORISED')]);
  await world.clock.advance(60_000);
  assert.equal(world.late().filter(([, , code]) => code === 'CONTRADICTED').length, 1);
});

test('an engine that has stopped takes nothing back any more', async () => {
  const { world, reversed, call } = await approvedTwice({ reversal: 500 });
  await Promise.all([call(), call()]);
  const stopped = world.engine.stop();
  await world.clock.advance(11_000);
  await stopped;
  const before = reversed.length;
  await world.clock.advance(600_000);
  assert.equal(reversed.length, before);
  assert.equal(world.clock.pending, 0, 'no timer is left');
});
