import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MUTANTS } from '../test/truth/mutants/mutants.mjs';
import { bundleTruth, NODE_OPTIONS } from './lib/bundle-truth.mjs';
import { ROOT } from './lib/run.mjs';

/**
 * `npm run truth:mutants`: plants one defect after the other into a copy of the sources, and lets the truth test look
 * for it. Exit code 1 where one is not found.
 *   --seeds N   how many seeds each gets at most (5000)
 *   --enough N  after so many seeds that caught it the next one follows (10)
 *   --only T    those whose name holds T
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '5000' },
    enough: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
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

/** A copy of one source with the defect in it. */
function planted({ name, file, find, replace }) {
  const path = join(ROOT, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(find).length !== 2) throw new Error(`${name}: ${file} does not hold exactly one ${find}`);
  const contents = source.replace(find, () => replace);
  const setup = (build) =>
    build.onLoad({ filter: /\.ts$/ }, (args) => (args.path === path ? { contents, loader: 'ts' } : undefined));
  return { name, setup };
}

/** What the last line of the truth test says; a defect that breaks it altogether counts as caught. */
async function play(script) {
  const child = spawn(process.execPath, [...NODE_OPTIONS, script, '--seeds', values.seeds, '--enough', values.enough]);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await new Promise((resolve) => child.once('close', resolve));
  const last = output.trim().split('\n').at(-1) ?? '';
  return last.startsWith('{') ? JSON.parse(last) : { seeds: 0, violations: 1 };
}
