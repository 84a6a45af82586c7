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

let missed = 0;
for (const mutant of MUTANTS.filter(({ name }) => name.includes(values.only))) {
  const { seeds, violations } = await play(await bundleTruth('mutant', [planted(mutant)]));
  if (violations === 0) missed++;
  console.log(
    `${violations > 0 ? `caught by ${violations} of ${seeds} seeds` : `NOT CAUGHT by ${seeds} seeds`}: ${mutant.name}`,
  );
}
console.log(JSON.stringify({ mutants: MUTANTS.length, missed }));
process.exitCode = missed > 0 ? 1 : 0;

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

/** The figures in the last line of the truth test. A defect that crashes it counts as caught. */
async function play(script) {
  const { seeds, enough, jobs, world } = values;
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
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await new Promise((resolve) => child.once('close', resolve));
  const last = output.trim().split('\n').at(-1) ?? '';
  return last.startsWith('{') ? JSON.parse(last) : { seeds: 0, violations: 1 };
}
