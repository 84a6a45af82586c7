import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { USUAL } from './habits.js';
import { playFleet } from './run.js';

const SMALL = {
  ...{ replicas: 3, sales: 60, kills: 1, freezes: 1, restarts: 1, freezeMs: 4000 },
  ...{ keys: 2, terminals: 6, rate: 20, speed: 8, hasty: true, habits: USUAL },
};

test('three Node-REDs that are killed, frozen and lose the database charge every order once and tell the truth', async (t) => {
  const seed = randomInt(1, 2 ** 31);
  // At once: what the test says as a diagnostic is lost where it takes too long.
  process.stderr.write(`the seed of the fleet: ${seed}\n`);
  const report = await playFleet({ seed, ...SMALL }, (text) => t.diagnostic(text));
  t.diagnostic(JSON.stringify(report));
  assert.deepEqual(report.violations, []);
  assert.ok(report.sales >= SMALL.sales && report.charges > 0 && report.followUps > 0);
});
