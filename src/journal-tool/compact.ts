import { open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openRoot } from '../core/journal/lmdb/file/databases.js';
import { FILE } from '../core/journal/lmdb/store.js';

/** How long the file was and is, in bytes. */
export interface Compacted {
  before: number;
  after: number;
}

/** Writes the file anew without its free pages. A file in which nothing was pruned stays as long. The folder must be locked. */
export async function compactJournal(folder: string): Promise<Compacted> {
  const file = join(folder, FILE);
  const next = `${file}-compact`;
  const before = (await stat(file)).size;
  await rm(next, { force: true });
  const root = openRoot(file, { readOnly: true });
  try {
    await root.backup(next, true);
  } finally {
    await root.close();
  }
  for (const path of [next, folder]) {
    const handle = await open(path, 'r');
    await handle.sync().finally(() => handle.close());
    if (path === next) await rename(next, file);
  }
  return { before, after: (await stat(file)).size };
}
