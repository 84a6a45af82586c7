import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ROOT, run } from './run.mjs';

/** Folders below `test/` that are no part of this project's own tests. */
const FOREIGN = 'node_modules';
/** A test that waits for what does not come fails, instead of waiting for ever. */
const LONGEST_MS = 600_000;
/** Files. Most of them wait for a browser, a disk or a Node-RED half of their time. */
const AT_ONCE = Math.max(2, availableParallelism());

/** Runs every `*.test.ts` below the folders with a Node binary, and ends this process where one fails. */
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
