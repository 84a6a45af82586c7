import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import failedSeeds from './failed-seeds.json';
import { run } from './run.js';

const NEW_SEEDS = 2000;
/** In so few seeds the rarest of what can happen may be missing; in 100,000 nothing may. */
const RAREST = 12;

test('every seed that ever failed tells the truth', async () => {
  for (const seed of failedSeeds) {
    const { violations } = await run(seed);
    assert.deepEqual(violations, [], `npm run truth -- --seed ${seed}`);
  }
});

test(`${NEW_SEEDS} seeds that never ran before tell the truth, whatever fails`, (t) => {
  const script = join(__dirname, '../../scripts/truth.mjs');
  const range = ['--seeds', String(NEW_SEEDS), '--from', String(randomInt(1, 2 ** 31))];
  t.diagnostic(`npm run truth -- ${range.join(' ')}`);
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, ...range], { encoding: 'utf8' });
  const lines = stdout.trim().split('\n');
  assert.equal(status, 0, `${lines.slice(0, -1).join('\n')}${stderr}`);
  const { seeds, violations, never } = JSON.parse(lines.at(-1) ?? '');
  assert.deepEqual({ seeds, violations }, { seeds: NEW_SEEDS, violations: 0 });
  assert.ok(never.length <= RAREST, `never happened: ${never.join(', ')}`);
});

test('a seed plays the second time as it did the first, line by line', async () => {
  for (const seed of [7, 461, 43962]) {
    const [first, second]: [string[], string[]] = [[], []];
    await run(seed, (line) => first.push(line));
    await run(seed, (line) => second.push(line));
    assert.ok(first.length > 1);
    assert.deepEqual(first, second);
  }
});
