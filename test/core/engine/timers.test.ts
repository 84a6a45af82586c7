import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../../src/core/base/seams.js';
import { payments } from '../../harness/payments.js';
import { VirtualClock } from '../../harness/virtual-clock.js';

/** Like a real clock: timers fire a little early, and time passes between any two readings. */
function hasty(clock: VirtualClock): Clock {
  let passed = 0;
  return {
    now: () => clock.now() + passed++,
    wall: () => clock.wall() + passed,
    after: (ms, run) => clock.after(Math.max(0, ms - 1), run),
  };
}

test('a sale that waits for a busy terminal is not forgotten when a timer fires early', async () => {
  const clock = new VirtualClock();
  const world = payments({ clock, engine: { clock: hasty(clock) } });
  for (let fault = 0; fault < 5; fault++) world.simulator.faults.arm({ kind: 'terminal-busy' });
  const { outcome } = await world.after(world.sale({}, { busyWaitMs: 600_000 }));
  assert.equal(outcome, 'approved');
  assert.equal(world.started.filter((operation) => operation === 'sale').length, 6);
});

test('an operation whose turn does not come is refused in time', async () => {
  const clock = new VirtualClock();
  const world = payments({ clock, engine: { clock: hasty(clock) }, simulator: { cardholder: 'none' } });
  await world.sale();
  const { outcome, error } = await world.after(world.sale({}, { busyWaitMs: 10_000 }));
  assert.deepEqual([outcome, error?.code], ['refused', '1001']);
});
