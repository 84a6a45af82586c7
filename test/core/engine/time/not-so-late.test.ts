import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../../../src/core/base/seams.js';
import { payments } from '../../../harness/payments.js';
import { VirtualClock } from '../../../harness/virtual-clock.js';

/** What was asked for too long ago is not begun, whatever it has waited for. */

const HOUR = 3_600_000;

const sales = (started: readonly string[]): number => started.filter((operation) => operation === 'sale').length;

test('a sale that the rate limit held back for too long is not begun', async () => {
  const world = payments({ engine: { requestsPerSecond: 1 }, simulator: { cardholder: 'none' } });
  for (let count = 0; count < 80; count++) await world.sale({ serial_number: `2${count}` });
  const { outcome, retry, error } = await world.after(world.sale());
  assert.deepEqual([outcome, retry, error?.code], ['not-charged', 'safe', 'NOT_STARTED']);
  assert.ok(sales(world.started) < 80);
});

test('a sale whose turn comes after the clock has jumped is not begun', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: { tapAfterMs: 5000 } } });
  await world.sale();
  const second = world.sale({}, { busyWaitMs: 60_000 });
  await world.clock.advance(1000);
  world.clock.jumped = HOUR;
  const { outcome, error } = await world.after(second);
  assert.deepEqual([outcome, error?.code], ['not-charged', 'NOT_STARTED']);
  assert.equal(sales(world.started), 1);
});

test('a pause that a clock has jumped over is not followed by another attempt', async () => {
  const world = payments();
  world.simulator.faults.arm({ kind: 'terminal-busy' });
  const submitted = world.sale({}, { busyWaitMs: 60_000 });
  await world.clock.advance(500);
  world.clock.jumped = HOUR;
  const { outcome, error } = await world.after(submitted);
  assert.deepEqual([outcome, error?.code], ['refused', '1001']);
  assert.equal(sales(world.started), 1);
});

test('a pause that a clean shutdown left is not followed by another attempt the next morning', async () => {
  const world = payments();
  world.simulator.faults.arm({ kind: 'rate-limited' });
  await world.sale({}, { busyWaitMs: 60_000 });
  await world.clock.advance(500);
  await world.engine.stop();
  await world.clock.advance(14 * HOUR);
  world.engine = world.createEngine();
  await world.engine.start();
  world.connect(world.engine);
  const { payload } = await world.untilTold();
  assert.deepEqual([payload.outcome, payload.error?.code], ['not-charged', 'NOT_STARTED']);
  assert.equal(sales(world.started), 1);
});

test('a reversal that waited for its turn for a quarter of an hour is not begun', async () => {
  const world = payments();
  const { transactionId } = await world.after(world.sale());
  const body = { originalGuid: transactionId };
  world.simulator.faults.arm({ kind: 'request-lost', match: { endpoint: 'POST /reversal' } });
  await world.backOffice({ operation: 'reversal', body });
  const second = world.backOffice({ operation: 'reversal', body });
  await world.clock.advance(1000);
  world.clock.jumped = HOUR;
  const { outcome, error } = await world.after(second);
  assert.deepEqual([outcome, error?.code], ['not-charged', 'NOT_STARTED']);
  assert.equal(world.bank.netMoved(), 1000);
});

for (const [startWithinMs, outcome] of [
  [30 * 60_000, 'approved'],
  [null, 'approved'],
  [60_000, 'not-charged'],
] as const) {
  const within = startWithinMs === null ? 'however late' : `within ${startWithinMs / 1000} s`;
  test(`a capture that may begin ${within} and waits for 20 minutes is ${outcome}`, async () => {
    const world = payments();
    const { transactionId } = await world.after(world.sale({ operation: 'preAuthorization' }));
    const body = { originalGuid: transactionId, capturedAmount: '10.00', currency: 'EUR' };
    await world.clock.advance(20_000);
    const submitted = world.backOffice({ operation: 'preauthorization/capture', body, startWithinMs });
    await submitted;
    world.clock.jumped = 20 * 60_000;
    assert.equal((await world.after(submitted)).outcome, outcome);
  });
}

test('a sale is not begun an hour late by a process that was frozen between two attempts', async () => {
  const clock = new VirtualClock();
  let frozen = 0;
  const after: Clock['after'] = (ms, run) => clock.after(ms + frozen, run);
  const thawing: Clock = { now: () => clock.now(), wall: () => clock.wall(), after };
  const world = payments({ clock, engine: { clock: thawing } });
  world.simulator.faults.arm({ kind: 'rate-limited', match: { endpoint: 'POST /transactions' } });
  await world.sale({}, { busyWaitMs: 300_000 });
  frozen = 3_600_000;
  await clock.advance(10);
  frozen = 0;
  const { payload } = await world.untilTold(1, 8_000_000);
  assert.deepEqual([payload.outcome, payload.moneyMoved, payload.error?.code], ['not-charged', 'no', 'NOT_STARTED']);
  assert.equal(world.started.filter((operation) => operation === 'sale').length, 1);
});
