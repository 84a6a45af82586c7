import { mkdir, rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { JournalError } from '../../base/errors.js';
import { newId } from '../../platform/new-id.js';
import { withCure } from './file/no-access.js';
import { openLmdbJournal } from './lmdb-journal.js';

/**
 * Tries whether a journal could be made in a folder that does not exist yet, and leaves nothing behind.
 * @throws JournalError where it could not
 */
export async function tryNewFolder(folder: string): Promise<void> {
  const probe = `${folder}-probe-${newId().slice(0, 8)}`;
  // The first folder that had to be made, which may be one above.
  const made = await mkdir(probe, { recursive: true, mode: 0o700 }).catch((error) => {
    throw new JournalError(`the journal's folder ${folder} cannot be created: ${withCure(error)}`, { cause: error });
  });
  try {
    const journal = await openLmdbJournal(probe);
    await journal.close();
  } finally {
    await rm(probe, { recursive: true, force: true });
    if (made !== undefined) await removeEmpty(dirname(probe), made);
  }
}

/** Removes folders from the inner to the outer one. A folder that somebody uses by now is not empty, and stays. */
async function removeEmpty(inner: string, outer: string): Promise<void> {
  for (let folder = inner; folder.startsWith(outer); folder = dirname(folder)) {
    const isRemoved = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}
