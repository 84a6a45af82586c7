import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NODE, payments } from '../../harness/payments.js';

test('a cancel that could hit the payment of another till is not sent, says so, and the truth about the money follows', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: { tapAfterMs: 20_000 } } });
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /transactions' } });
  await world.sale({}, { exclusiveTerminal: false });
  await world.clock.advance(25_000);
  world.engine.cancelOf(NODE);
  await world.clock.advance(10_000);
  assert.ok(!world.started.includes('stopCurrentTransaction'));
  assert.equal(world.progress.at(-1)?.stage, 'cancel-not-possible');
  const { payload } = await world.untilTold();
  assert.deepEqual(
    payload.timeline.filter(({ event }) => event === 'cancel-not-possible').map(({ code }) => code),
    ['CANCEL_NOT_POSSIBLE'],
  );
  assert.equal(payload.outcome, 'provisional');
  assert.equal(world.bank.netMoved(), 1000);
});

test('a cancel of a payment that is known to be on a shared terminal stops it', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: 'none' } });
  await world.sale({}, { exclusiveTerminal: false });
  await world.clock.advance(5000);
  world.engine.cancelOf(NODE);
  const { payload } = await world.untilTold();
  assert.equal(payload.outcome, 'cancelled');
  assert.ok(!payload.timeline.some(({ event }) => event === 'cancel-not-possible'));
});
