import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from './virtual-clock.js';

test('fires timers in the order of their times, ties in the order they were set', async () => {
  const clock = new VirtualClock(0);
  const fired: string[] = [];
  for (const [name, ms] of [
    ['c', 30],
    ['a', 10],
    ['b', 20],
    ['b2', 20],
    ['e', 50],
    ['d', 40],
  ] as const) {
    clock.after(ms, () => fired.push(`${name}@${clock.now()}`));
  }
  await clock.advance(40);
  assert.deepEqual(fired, ['a@10', 'b@20', 'b2@20', 'c@30', 'd@40']);
  assert.equal(clock.now(), 40);
  assert.equal(clock.pending, 1);
});

test('lets promises that a timer started set timers of their own before it moves on', async () => {
  const clock = new VirtualClock(0);
  const fired: number[] = [];
  clock.after(10, () => {
    void Promise.resolve()
      .then(() => Promise.resolve())
      .then(() => clock.after(5, () => fired.push(clock.now())));
  });
  clock.after(20, () => fired.push(clock.now()));
  await clock.runUntilIdle();
  assert.deepEqual(fired, [15, 20]);
});

test('a cancelled timer does not fire and is not pending', async () => {
  const clock = new VirtualClock(0);
  const timer = clock.after(10, () => assert.fail('fired'));
  timer.cancel();
  timer.cancel();
  assert.equal(clock.pending, 0);
  assert.equal(await clock.runUntilIdle(), true);
  assert.equal(clock.now(), 0);
});

test('stops at the limit and says that timers are left', async () => {
  const clock = new VirtualClock(0);
  const again = (): void => {
    clock.after(10, again);
  };
  again();
  assert.equal(await clock.runUntilIdle(1000), false);
  assert.equal(clock.now(), 1000);
  assert.equal(await clock.runUntil(() => clock.now() >= 1500), true);
  assert.equal(clock.now(), 1500);
});
