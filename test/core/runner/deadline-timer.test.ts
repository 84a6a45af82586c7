import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeadlineTimer } from '../../../src/core/runner/deadline-timer.js';
import { VirtualClock } from '../../harness/virtual-clock.js';

function deadlineTimer() {
  const clock = new VirtualClock();
  const begin = clock.now();
  const fired: number[] = [];
  const timer = new DeadlineTimer(clock, () => fired.push(clock.now() - begin));
  const set = (...deadlines: number[]): void => timer.set(deadlines.map((ms) => begin + ms));
  return { clock, timer, fired, set };
}

test('fires once, at the earliest deadline', async () => {
  const { clock, fired, set } = deadlineTimer();
  set(3000, 1000, 2000);
  await clock.advance(5000);
  assert.deepEqual(fired, [1000]);
});

test('setting it replaces what was set; without deadlines nothing is left', async () => {
  const { clock, fired, set } = deadlineTimer();
  set(1000);
  set(2000);
  await clock.advance(5000);
  assert.deepEqual(fired, [2000]);
  set(6000);
  set();
  await clock.advance(5000);
  assert.deepEqual(fired, [2000]);
});

test('a deadline that has passed fires as soon as possible', async () => {
  const { clock, timer, fired, set } = deadlineTimer();
  await clock.advance(500);
  set(100);
  assert.equal(timer.isDue, true);
  await clock.advance(0);
  assert.deepEqual(fired, [500]);
});

test('it is not due before its time, and no more once it has fired', async () => {
  const { clock, timer, set } = deadlineTimer();
  set(1000);
  assert.equal(timer.isDue, false);
  await clock.advance(2000);
  assert.equal(timer.isDue, false);
});
