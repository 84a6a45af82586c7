import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import failedSeeds from './failed-seeds.json';
import { run } from './run.js';
import { ALL_FAULTS, ALL_TELLINGS, Tally } from './tally.js';

const NEW_SEEDS = 2000;

async function violationsOf(seeds: readonly number[], faults = new Tally(), tellings = new Tally()): Promise<string[]> {
  const violations: string[] = [];
  for (const seed of seeds) {
    const report = await run(seed);
    faults.addAll(report.faults);
    tellings.addAll(report.tellings);
    if (report.violations.length > 0)
      violations.push(`npm run truth -- --seed ${seed}: ${report.violations.join('; ')}`);
  }
  return violations;
}

test('every seed that ever failed tells the truth', async () => {
  assert.deepEqual(await violationsOf(failedSeeds), []);
});

test(`${NEW_SEEDS} seeds that never ran before tell the truth, whatever fails`, async (t) => {
  const from = randomInt(1, 2 ** 31);
  t.diagnostic(`npm run truth -- --seeds ${NEW_SEEDS} --from ${from}`);
  const [faults, tellings] = [new Tally(), new Tally()];
  const seeds = Array.from({ length: NEW_SEEDS }, (_, place) => from + place);
  assert.deepEqual(await violationsOf(seeds, faults, tellings), []);
  assert.deepEqual(zeros(faults, ALL_FAULTS), []);
  assert.deepEqual(zeros(tellings, ALL_TELLINGS), []);
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

function zeros(tally: Tally, expected: readonly string[]): string[] {
  return expected.filter((name) => tally.of(name) === 0);
}
