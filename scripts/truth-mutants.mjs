import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MUTANTS } from '../test/truth/mutants/mutants.mjs';
import { bundleTruth, NODE_OPTIONS } from './lib/bundle-truth.mjs';
import { ROOT } from './lib/run.mjs';

/**
 * `npm run truth:mutants`: plants one defect after another into a copy of the sources, and runs the truth test on it.
 * Exit code 1 if one is not found.
 *   --seeds N   the most seeds for each defect (5000)
 *   --enough N  continues with the next defect after N seeds that caught it (10)
 *   --only T    only defects whose name contains T
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '5000' },
    enough: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
    world: { type: 'string' },
    jobs: { type: 'string', default: '1' },
  },
});

const chosen = MUTANTS.filter(({ name }) => name.includes(values.only));
let missed = 0;
let broken = 0;
for (const mutant of chosen) {
  const { seeds, violations, output } = await play(await bundleTruth('mutant', [planted(mutant)]), mutant.world);
  if (seeds === 0) {
    broken++;
    console.log(`DOES NOT RUN: ${mutant.name}\n${output}`);
    continue;
  }
  if (violations === 0) missed++;
  console.log(
    `${violations > 0 ? `caught by ${violations} of ${seeds} seeds` : `NOT CAUGHT by ${seeds} seeds`}: ${mutant.name}`,
  );
}
console.log(JSON.stringify({ mutants: chosen.length, missed, broken }));
process.exitCode = missed + broken > 0 ? 1 : 0;

/** A build plugin that replaces one source by a copy with the defect. */
function planted({ name, file, find, replace }) {
  const path = join(ROOT, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(find).length !== 2) throw new Error(`${name}: ${file} does not hold exactly one ${find}`);
  const contents = source.replace(find, () => replace);
  const setup = (build) =>
    build.onLoad({ filter: /\.ts$/ }, (args) => (args.path === path ? { contents, loader: 'ts' } : undefined));
  return { name, setup };
}

/** The figures in the last line of the truth test. A defect that ends it before it has played a seed proves nothing. */
async function play(script, world = values.world) {
  const { seeds, enough, jobs } = values;
  const args = [
    '--seeds',
    seeds,
    '--enough',
    enough,
    '--jobs',
    jobs,
    ...(world === undefined ? [] : ['--world', world]),
  ];
  const child = spawn(process.execPath, [...NODE_OPTIONS, script, ...args]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  await new Promise((resolve) => child.once('close', resolve));
  const last = output
    .trim()
    .split('\n')
    .findLast((line) => line.startsWith('{'));
  return { seeds: 0, violations: 0, ...JSON.parse(last ?? '{}'), output };
}
