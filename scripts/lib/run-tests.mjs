import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, sep } from 'node:path';
import { ROOT, run } from './run.mjs';

/** Folders below `test/` that do not hold this project's own tests. */
const FOREIGN = 'node_modules';
/** Their files run many to a process: most of them would take longer to start one than to run. */
const SHARING = ['core', 'simulator', 'harness', 'conformance', 'nodes'];
/** A test that waits for what does not come fails, instead of waiting for ever. */
const LONGEST_MS = 600_000;
/** Processes. Most of them wait for a browser, a disk or a Node-RED half of their time. */
const AT_ONCE = Math.max(2, availableParallelism());
const PARTS = join(ROOT, 'node_modules/.cache/tests');

/** Runs every `*.test.ts` below the folders with a Node binary. Ends this process if one fails. */
export async function runTests({ node = process.execPath, folders, env = {} }) {
  const files = folders.flatMap((folder) => testFiles(join(ROOT, folder))).sort();
  if (files.some((file) => isBelow(file, 'browser'))) {
    // Once, before several files ask for it at the same time.
    await run(process.execPath, [join(import.meta.dirname, './unpack-chromium.mjs')], { stdio: 'ignore' });
  }
  const sharing = files.filter((file) => SHARING.some((folder) => isBelow(file, folder)));
  const alone = files.filter((file) => !sharing.includes(file));
  const args = [
    '--import',
    'tsx',
    '--test',
    '--test-reporter=spec',
    `--test-timeout=${LONGEST_MS}`,
    `--test-concurrency=${AT_ONCE}`,
    ...inParts(sharing),
    ...alone,
  ];
  await run(node, args, { env: { ...process.env, ...env } });
}

function isBelow(file, folder) {
  return file.startsWith(join(ROOT, 'test', folder) + sep);
}

/** Twice as many scripts as run at once, so that none of them takes longer than a test may; each loads its share of the files. */
function inParts(files) {
  const count = Math.min(2 * AT_ONCE, files.length);
  mkdirSync(PARTS, { recursive: true });
  return Array.from({ length: count }, (_, part) => {
    const own = files.filter((_file, place) => place % count === part);
    const script = join(PARTS, `part-${part + 1}.cjs`);
    writeFileSync(script, own.map((file) => `require(${JSON.stringify(file)});\n`).join(''));
    return script;
  });
}

function testFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return entry.name === FOREIGN ? [] : testFiles(join(folder, entry.name));
    return entry.name.endsWith('.test.ts') ? [join(folder, entry.name)] : [];
  });
}
