import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TimeLooks } from '../../../src/core/runner/time-looks.js';

const IN_1970 = 42_000;

test('a deadline that a corrected clock puts into the past is looked at, although time was looked at after it', () => {
  const looks = new TimeLooks();
  looks.note(true, IN_1970, 0);
  looks.note(false, IN_1970 + 1, 1_760_000_000_000);
  assert.ok(looks.lastAt < IN_1970 - 1_760_000_000_000);
  looks.note(true, IN_1970 + 1, 1_760_000_000_000);
  looks.note(false, IN_1970 + 2, 1_760_000_000_000);
  assert.equal(looks.lastAt, IN_1970 + 1, 'once');
});

test('what falls due in the moment of an event is looked at after it, but not for ever', () => {
  const looks = new TimeLooks();
  for (let times = 1; times < 3; times++) {
    looks.note(true, 1000, 0);
    looks.note(false, 1000, 0);
    assert.deepEqual([looks.lastAt, looks.againAt], [999, undefined]);
  }
  looks.note(true, 1000, 0);
  looks.note(false, 1000, 0);
  assert.deepEqual([looks.lastAt, looks.againAt], [1000, 2000]);
});

test('what falls due in the moment of another change is looked at after it, but not for ever', () => {
  const looks = new TimeLooks();
  looks.note(true, 900, 0);
  looks.noteOutcome(false);
  for (const at of [1000, 1001]) {
    looks.note(true, at, 0);
    looks.noteOutcome(true);
    assert.equal(looks.lastAt, 900);
  }
  looks.note(true, 1002, 0);
  looks.noteOutcome(true);
  assert.equal(looks.lastAt, 1002);
});
