import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payments } from '../harness/payments.js';
import { UNMET_READINGS } from './readings.js';
import { run } from './run.js';

/** The readings that the coverage leaves out, because no payment of our client meets them. */

const SEEDS = 60;

test('no payment meets a reading that is said to be unmet', async () => {
  const met = new Set<string>();
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { readings } = await run(seed, undefined, 'hostile');
    for (const name of Object.keys(readings.toObject())) met.add(name);
  }
  assert.ok(met.size > 0 && UNMET_READINGS.length > 0);
  assert.deepEqual(
    UNMET_READINGS.filter((name) => met.has(name)),
    [],
  );
});

test('metadata with a space is an error before anything is sent', async () => {
  const world = payments();
  await assert.rejects(world.sale({ metadata: { metadata1: 'two words' } }), /metadata1/);
  await world.clock.advance(60_000);
  assert.deepEqual(world.started, []);
});
