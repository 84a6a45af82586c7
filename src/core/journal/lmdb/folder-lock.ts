import { createHash } from 'node:crypto';
import { chmod, readdir, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JournalError } from '../../base/errors.js';
import { newId } from '../../platform/new-id.js';

/**
 * Keeps a second process out of a journal's folder: each would take up what it finds open there, and charge it twice.
 *
 * A process shows itself by a socket of a name of its own, which the system closes with the process, however that ends,
 * and then looks for others. Of two that come at once at least one sees the other; both may, and then none gets in. Names
 * are never used again, so what does not answer may be removed without harm to anybody.
 */

/** What a socket's address may have, in bytes, on the system that allows the least. */
const LONGEST_ADDRESS = 100;
/** How a file system says that it holds no sockets. */
const NO_SOCKETS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'EACCES']);
/** Nobody listens there any more. Anything else may be somebody who is busy. */
const DEAD = new Set(['ECONNREFUSED', 'ENOENT']);
const SUFFIX = '.sock';

export interface FolderLock {
  release(): Promise<void>;
}

/** @throws JournalError where another process has the folder */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const name = `cloud-terminal-${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`;
  if (process.platform === 'win32') return lockPipe(`\\\\.\\pipe\\${name}`, folder);
  const within = { directory: folder, prefix: 'lock-' };
  const elsewhere = { directory: tmpdir(), prefix: `${name}-` };
  if (Buffer.byteLength(addressIn(within)) > LONGEST_ADDRESS) return lockAmong(elsewhere, folder);
  try {
    return await lockAmong(within, folder);
  } catch (error) {
    if (NO_SOCKETS.has(codeOf(error))) return lockAmong(elsewhere, folder);
    throw error;
  }
}

interface Place {
  directory: string;
  prefix: string;
}

function addressIn({ directory, prefix }: Place): string {
  return join(directory, `${prefix}${newId().slice(0, 8)}${SUFFIX}`);
}

async function lockAmong(place: Place, folder: string): Promise<FolderLock> {
  const mine = addressIn(place);
  const lock = lockOf(await listen(mine));
  // Whoever found it dead, in the instant before it listened, has removed it, and is about to be found.
  await chmod(mine, 0o600).catch(() => undefined);
  for (const name of await readdir(place.directory)) {
    const other = join(place.directory, name);
    if (other === mine || !name.startsWith(place.prefix) || !name.endsWith(SUFFIX)) continue;
    if (await answers(other)) {
      await lock.release();
      throw inUse(folder);
    }
    await unlink(other).catch(() => undefined);
  }
  return lock;
}

/** A pipe's name is taken for as long as its process lives. */
async function lockPipe(address: string, folder: string): Promise<FolderLock> {
  try {
    return lockOf(await listen(address));
  } catch (error) {
    throw codeOf(error) === 'EADDRINUSE' ? inUse(folder) : error;
  }
}

function lockOf(server: Server): FolderLock {
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

function listen(address: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen(address, () => {
      server.unref();
      resolve(server);
    });
  });
}

function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    const say = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => say(true)).once('error', (error) => say(!DEAD.has(codeOf(error))));
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function inUse(folder: string): JournalError {
  return new JournalError(
    `the journal in ${folder} is in use by another process. Two would charge what is open there twice: end the other ` +
      'one, or give each a journal folder of its own',
  );
}
