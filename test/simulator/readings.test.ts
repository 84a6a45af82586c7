import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  FAULT_KINDS,
  MIX_UP_KINDS,
  OTHER_SYSTEM,
  READING_FAULT_KINDS,
  READING_VALUES,
  READINGS,
  VARIANT_VALUES,
} from '../../src/simulator/index.js';

/** Every open point of the description has a switch, and every switch of a reading has a point. */

const EXISTING: readonly string[] = [...Object.keys(VARIANT_VALUES), ...FAULT_KINDS, OTHER_SYSTEM];

for (const { point, switches } of READINGS) {
  test(`has a switch for ${point}`, () => {
    assert.ok(switches.length > 0);
    for (const name of switches) assert.ok(EXISTING.includes(name), name);
  });
}

test('names each point once', () => {
  assert.equal(new Set(READINGS.map(({ point }) => point)).size, READINGS.length);
});

test('has a point for every switch of a reading', () => {
  const named = new Set<string>(READINGS.flatMap(({ switches }) => switches));
  const missing = [...Object.keys(READING_VALUES), ...READING_FAULT_KINDS, ...MIX_UP_KINDS].filter(
    (name) => !named.has(name),
  );
  assert.deepEqual(missing, []);
});

test('offers a second value for every reading', () => {
  for (const [name, values] of Object.entries(READING_VALUES)) {
    assert.ok(values.length > 1 && new Set<unknown>(values).size === values.length, name);
  }
});
