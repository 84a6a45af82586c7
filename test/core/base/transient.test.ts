import assert from 'node:assert/strict';
import { test } from 'node:test';
import v8 from 'node:v8';
import { runInNewContext } from 'node:vm';
import { TransientMap, TransientSet } from '../../../src/core/base/transient.js';

/** As many payments are under way at a time. */
const AT_ONCE = 32;
const PAYMENTS = 4_000;
const NUMBERS = 500;
/** All of them together hold five times as much. */
const MOST_LEFT = 3_000_000;

v8.setFlagsFromString('--expose-gc');
const collect: (options: { type: 'minor' | 'major' }) => void = runInNewContext('gc');

test('a map finds what is in it by id, oldest first, and nothing that was removed', () => {
  const map = new TransientMap<string>();
  for (const id of ['one', 'two', 'three']) map.set(id, `value of ${id}`);
  map.set('one', 'another value');
  map.delete('two');
  map.delete('two');
  assert.deepEqual(map.values, ['another value', 'value of three']);
  assert.deepEqual([...map.ids()], ['one', 'three']);
  assert.deepEqual([map.has('one'), map.has('two'), map.get('two'), map.size], [true, false, undefined, 2]);
});

test('a set has what was added until it is removed', () => {
  const set = new TransientSet<{ name: string }>();
  const [one, two] = [{ name: 'one' }, { name: 'two' }];
  const removeOne = set.add(one);
  set.add(two);
  removeOne();
  removeOne();
  assert.deepEqual([...set], [two]);
  assert.equal(set.size, 1);
});

test('what was in a map or a set is gone with the next quick collections', () => {
  const map = new TransientMap<object>();
  const inMap = leftInOldSpace((payment) => {
    map.set(`${payment}`, numbers());
    map.delete(`${payment - AT_ONCE}`);
  });
  const set = new TransientSet<object>();
  const removals: (() => void)[] = [];
  const inSet = leftInOldSpace(() => {
    removals.push(set.add(numbers()));
    if (removals.length > AT_ONCE) removals.shift()?.();
  });
  assert.ok(inMap < MOST_LEFT, `${inMap} bytes of the map are left`);
  assert.ok(inSet < MOST_LEFT, `${inSet} bytes of the set are left`);
});

function numbers(): object {
  return Array.from({ length: NUMBERS }, (_, place) => place);
}

/** How many bytes the old generation has grown by, before it is collected itself. */
function leftInOldSpace(pay: (payment: number) => void): number {
  collect({ type: 'major' });
  const before = oldSpace();
  for (let payment = 0; payment < PAYMENTS; payment++) {
    pay(payment);
    if (payment % AT_ONCE === 0) collect({ type: 'minor' });
  }
  return oldSpace() - before;
}

function oldSpace(): number {
  return (
    v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? Number.NaN
  );
}
