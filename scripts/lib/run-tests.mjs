import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ROOT, run } from './run.mjs';

/** Folders below `test/` that do not hold this project's own tests. */
const FOREIGN = 'node_modules';
/** A test that hangs fails after this time. */
const LONGEST_MS = 600_000;
/** The number of test files that run at once. Most of them wait for a browser, a disk or Node-RED half of the time. */
const AT_ONCE = Math.max(2, availableParallelism());

/** Runs every `*.test.ts` below the folders with a Node binary. Ends this process if one fails. */
export async function runTests({ node = process.execPath, folders, env = {} }) {
  const files = folders.flatMap((folder) => testFiles(join(ROOT, folder)));
  const args = [
    '--import',
    'tsx',
    '--test',
    '--test-reporter=spec',
    `--test-timeout=${LONGEST_MS}`,
    `--test-concurrency=${AT_ONCE}`,
    ...files.sort(),
  ];
  await run(node, args, { env: { ...process.env, ...env } });
}

function testFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return entry.name === FOREIGN ? [] : testFiles(join(folder, entry.name));
    return entry.name.endsWith('.test.ts') ? [join(folder, entry.name)] : [];
  });
}
