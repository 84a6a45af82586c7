import { spawn } from 'node:child_process';
import { rename, stat } from 'node:fs/promises';

/**
 * The store is a memory map: reading a torn or overwritten file can kill the process instead of throwing, and would do
 * so again at every start. So another process reads it first, from end to end.
 */

/** Exits with 3 where the file is damaged; a file that cannot be read for another reason is left to the real opening. */
const READ_IT_ALL = `
const { open } = require(process.argv[1]);
const DAMAGE = [-30797, -30796, -30793];
const count = (database) => database.getStats().entryCount;
try {
  const root = open({ path: process.argv[2], readOnly: true, maxDbs: 4 });
  let expected = count(root);
  for (const name of ['operations', 'index']) {
    const database = root.openDB({ name, encoding: 'string' });
    if (database === undefined) continue;
    expected += count(database) - 1;
    for (const { value } of database.getRange()) {
      expected--;
      if (name === 'operations') JSON.parse(value);
    }
  }
  // Overwritten pages may also read as empty ones.
  if (expected !== 0) process.exitCode = 3;
} catch (error) {
  process.exitCode = error instanceof SyntaxError || DAMAGE.includes(error.code) ? 3 : 0;
}
`;
const KILLED_BY_READING = new Set(['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL']);

/** True when the journal's file cannot be read to its end. */
export async function isCorrupt(file: string): Promise<boolean> {
  if ((await stat(file)).size === 0) return false;
  const { NODE_OPTIONS: _, ...env } = process.env;
  const reader = spawn(process.execPath, ['-e', READ_IT_ALL, require.resolve('lmdb'), file], {
    stdio: 'ignore',
    env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
  });
  return new Promise((resolve) => {
    reader.once('error', () => resolve(false));
    reader.once('exit', (code, signal) => resolve(code === 3 || (signal !== null && KILLED_BY_READING.has(signal))));
  });
}

/** Renames the file to the first free `<file>.damaged-<n>`, and returns that name. */
export async function moveAside(file: string): Promise<string> {
  for (let number = 1; ; number++) {
    const aside = `${file}.damaged-${number}`;
    if (await exists(aside)) continue;
    await rename(file, aside);
    return aside;
  }
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
