import { chmod, open, rm, stat } from 'node:fs/promises';

/**
 * LMDB maps its files into memory. A page that the disk has no room for then ends the process at its first use, with no error
 * to catch. So the files that it makes get real bytes first, which fails as it should.
 */

/** Room for what LMDB writes to make a new file, its first databases included. */
const NEW_FILE = 128 * 1024;
/** More than LMDB uses of its file of readers. */
const READERS = 16 * 1024;

/** Creates the two files where needed, with mode 0600. @throws where the disk has no room for them */
export async function makeRoom(file: string): Promise<void> {
  if ((await createPrivate(file)) === 0) await tryToWrite(`${file}-room`);
  const readers = `${file}-lock`;
  await createPrivate(readers);
  const { size, blocks } = await stat(readers);
  // Windows knows no blocks.
  if (size < READERS || (blocks > 0 && blocks * 512 < size)) await fill(readers, READERS);
}

/** Returns how long the file is. */
async function createPrivate(path: string): Promise<number> {
  const handle = await open(path, 'a', 0o600);
  try {
    return (await handle.stat()).size;
  } finally {
    await handle.close();
    await chmod(path, 0o600);
  }
}

async function tryToWrite(path: string): Promise<void> {
  try {
    await fill(path, NEW_FILE);
  } finally {
    await rm(path, { force: true });
  }
}

async function fill(path: string, bytes: number): Promise<void> {
  const handle = await open(path, 'r+').catch(() => open(path, 'w', 0o600));
  try {
    await handle.writeFile(Buffer.alloc(bytes));
    await handle.sync();
  } finally {
    await handle.close();
  }
}
