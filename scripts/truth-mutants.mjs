import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MUTANTS, patchesOf } from '../test/truth/mutants/mutants.mjs';
import { bundleTruth, NODE_OPTIONS } from './lib/bundle-truth.mjs';
import { ROOT } from './lib/run.mjs';

/**
 * `npm run truth:mutants`: plants one defect after another into a copy of the sources, and runs the truth test on it, in
 * the world, and the situation of it, that the defect names, or in today's. Exit code 1 if one is not found, or does not
 * run. A seed that fails without the defect as well catches nothing. A defect that names a `test` is looked for by that test alone.
 *   --seeds N   the most seeds for each defect (5000)
 *   --enough N  continues with the next defect after N seeds that caught it (10)
 *   --only T    only defects whose name contains T
 *   --from N    only from the Nth defect on, counted from 1
 *   --world W   only defects of this world
 *   --tests     only defects that name a test
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '5000' },
    enough: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
    from: { type: 'string', default: '1' },
    world: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    tests: { type: 'boolean', default: false },
  },
});

const DEFAULT_WORLD = 'today';
const sound = await bundleTruth('sound');
const chosen = MUTANTS.slice(Number(values.from) - 1)
  .filter(({ name }) => name.includes(values.only))
  .filter(({ world = DEFAULT_WORLD }) => values.world === undefined || world === values.world)
  .filter(({ test }) => !values.tests || test !== undefined);
let missed = 0;
let broken = 0;
for (const mutant of chosen) {
  const verdict = mutant.test === undefined ? await bySeeds(mutant) : await byTest(mutant);
  if (verdict.startsWith('DOES NOT RUN')) broken++;
  else if (verdict.startsWith('NOT CAUGHT')) missed++;
  console.log(`${verdict}: ${mutant.name}`);
}
console.log(JSON.stringify({ mutants: chosen.length, missed, broken }));
process.exitCode = missed + broken > 0 ? 1 : 0;

async function bySeeds(mutant) {
  const { seeds, caughtBy, output } = await hunt(await bundleTruth('mutant', [planted(mutant)]), mutant);
  if (seeds === 0) return `DOES NOT RUN (${output.trim().slice(0, 500)})`;
  return caughtBy === 0 ? `NOT CAUGHT by ${seeds} seeds` : `caught by ${caughtBy} of ${seeds} seeds`;
}

async function byTest(mutant) {
  const entry = join('../..', mutant.test);
  const sound = await testPasses(await bundleTruth('sound-test', [], entry));
  if (!sound) return `DOES NOT RUN (${mutant.test} fails without it)`;
  const isCaught = !(await testPasses(await bundleTruth('mutant-test', [planted(mutant)], entry)));
  return `${isCaught ? 'caught' : 'NOT CAUGHT'} by ${mutant.test}`;
}

async function testPasses(script) {
  const child = spawn(process.execPath, [script], { stdio: 'ignore' });
  const [code] = await once(child, 'close');
  return code === 0;
}

/** A build plugin that replaces sources by copies with the defect. */
function planted(mutant) {
  const copies = new Map();
  for (const { file, find, replace } of patchesOf(mutant)) {
    const path = join(ROOT, file);
    const source = copies.get(path) ?? readFileSync(path, 'utf8');
    if (source.split(find).length !== 2) throw new Error(`${mutant.name}: ${file} does not hold exactly one ${find}`);
    copies.set(
      path,
      source.replace(find, () => replace),
    );
  }
  const setup = (build) =>
    build.onLoad({ filter: /\.ts$/ }, ({ path }) =>
      copies.has(path) ? { contents: copies.get(path), loader: 'ts' } : undefined,
    );
  return { name: mutant.name, setup };
}

/** Plays seeds until enough of them fail that do not fail without the defect. `seeds`: how many were played. */
async function hunt(script, { world = DEFAULT_WORLD, situation }) {
  const where = ['--world', world, ...(situation === undefined ? [] : ['--situation', situation])];
  const enough = Number(values.enough);
  let seeds = 0;
  let caughtBy = 0;
  for (;;) {
    const left = Number(values.seeds) - seeds;
    const range = ['--from', String(seeds + 1), '--seeds', String(left), '--enough', String(enough - caughtBy)];
    const played = await play(script, [...range, ...where, '--jobs', values.jobs]);
    if (played.seeds === 0) return { seeds, caughtBy, output: played.output };
    for (const seed of played.failed) {
      const { failed } = await play(sound, ['--from', String(seed), '--seeds', '1', ...where]);
      if (failed.length === 0) caughtBy++;
    }
    seeds += played.seeds;
    if (caughtBy >= enough || seeds >= Number(values.seeds) || values.jobs !== '1') return { seeds, caughtBy };
  }
}

/** How many seeds were played, and those that failed. None where the script does not run. */
async function play(script, args) {
  const child = spawn(process.execPath, [...NODE_OPTIONS, script, ...args]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  await new Promise((resolve) => child.once('close', resolve));
  const lines = output.trim().split('\n');
  const figures = lines.findLast((line) => line.startsWith('{'));
  const failed = lines.map((line) => /^seed (\d+):/.exec(line)?.[1]).filter((seed) => seed !== undefined);
  return { seeds: figures === undefined ? 0 : JSON.parse(figures).seeds, failed: failed.map(Number), output };
}
