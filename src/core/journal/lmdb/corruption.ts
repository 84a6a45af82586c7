import { spawn } from 'node:child_process';
import { rename, stat } from 'node:fs/promises';
import { FORM } from './form.js';

/**
 * The store is a memory map: reading a torn or overwritten file can kill the process instead of throwing, and would do
 * so again at every start. So a child process reads the whole file first.
 */

/**
 * Exits with 3 where the file is damaged. A file of another form may hold databases that this version does not know, so
 * its content is not judged; the real opening refuses it, as it does a file that cannot be read for another reason.
 */
const READ_IT_ALL = `
const { open } = require(process.argv[1]);
const DAMAGE = [-30797, -30796, -30793];
const count = (database) => database.getStats().entryCount;
try {
  const [, , path, ownForm] = process.argv;
  const root = open({ path, readOnly: true, maxDbs: 8 });
  const databases = ['meta', 'operations', 'index', 'annotations'].map((name) => root.openDB({ name, encoding: 'string' }));
  const [meta, operations] = databases;
  const isNumbered = meta !== undefined && count(meta) > 0;
  const form = isNumbered ? meta.get('form') : operations === undefined ? ownForm : '1';
  if (!/^[1-9][0-9]*$/.test(form)) process.exit(3);
  if (form !== ownForm) process.exit(0);
  let expected = count(root);
  for (const database of databases) {
    if (database === undefined) continue;
    expected += count(database) - 1;
    for (const { value } of database.getRange()) {
      expected--;
      if (database === operations) JSON.parse(value);
    }
  }
  // An overwritten page can read as an empty one: then the counts differ.
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
  const reader = spawn(process.execPath, ['-e', READ_IT_ALL, require.resolve('lmdb'), file, String(FORM)], {
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
