import { open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { JournalError } from '../core/base/errors.js';
import { FileCheck } from '../core/journal/lmdb/check/file-check.js';
import { openRoot } from '../core/journal/lmdb/file/databases.js';
import { FILE } from '../core/journal/lmdb/folder.js';
import { pauseFor } from '../core/journal/lmdb/slices.js';
import { syncFolder } from '../core/journal/lmdb/store.js';
import { ownFormOf } from './form.js';

/** How long the file was and is, in bytes. */
export interface Compacted {
  before: number;
  after: number;
}

/**
 * Writes the file anew without its free pages. A file in which nothing was pruned stays as long. The folder must be locked.
 * @throws JournalError where that fails: the file is as it was then, and nothing is left of the copy
 */
export async function compactJournal(folder: string): Promise<Compacted> {
  const file = join(folder, FILE);
  const next = `${file}-compact`;
  const { size: before, uid, gid, mode } = await stat(file);
  try {
    await rm(next, { force: true });
    await copy(file, next);
    await mustBeSound(next);
    const handle = await open(next, 'r+');
    try {
      // Whoever compacts may be root, and Node-RED another user.
      await handle.chown(uid, gid);
      await handle.chmod(mode & 0o777);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(next, file);
  } catch (error) {
    await rm(next, { force: true }).catch(() => undefined);
    throw new JournalError(
      `the journal in ${folder} could not be compacted, and was left as it is. That takes room for a second file of ` +
        `${(before / 1e6).toFixed(1)} MB at most: is the disk full? (${String(error)})`,
      { cause: error },
    );
  }
  await syncFolder(folder);
  return { before, after: (await stat(file)).size };
}

/** LMDB makes the copy itself, and takes none that is there, so its mode follows from the process. */
async function copy(file: string, next: string): Promise<void> {
  const root = openRoot(file, { readOnly: true });
  const umask = process.umask(0o077);
  try {
    await root.backup(next, true);
  } finally {
    process.umask(umask);
    await root.close();
  }
}

async function mustBeSound(copied: string): Promise<void> {
  const check = new FileCheck(copied, ownFormOf(copied));
  try {
    if ((await check.run(pauseFor(Number.POSITIVE_INFINITY))) === 'damaged')
      throw new JournalError(`the copy is damaged: ${check.damage}`);
  } finally {
    check.close();
  }
}
