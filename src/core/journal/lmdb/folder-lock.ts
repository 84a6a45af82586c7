import { createHash } from 'node:crypto';
import { chmod, readdir, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JournalError } from '../../base/errors.js';
import { newId } from '../../platform/new-id.js';

/**
 * Keeps a second process out of a journal's folder: two would both resume the open operations, and charge them twice.
 *
 * A process first listens on a socket with a random name, which the system closes when the process ends for any reason,
 * and then looks for other sockets. Of two processes that start at once at least one sees the other; if both do, neither
 * gets the lock. Names are never reused, so a socket that does not answer can safely be removed.
 */

/** The longest socket address, in bytes, on the system that allows the least. */
const LONGEST_ADDRESS = 100;
/** The errors of a file system that cannot hold sockets. */
const NO_SOCKETS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'EACCES']);
/** The errors of a socket that nobody listens on. Any other error may come from a busy process. */
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
  const temporary = { directory: tmpdir(), prefix: `${name}-` };
  if (Buffer.byteLength(addressIn(within)) > LONGEST_ADDRESS) return lockAmong(temporary, folder);
  try {
    return await lockAmong(within, folder);
  } catch (error) {
    if (NO_SOCKETS.has(codeOf(error))) return lockAmong(temporary, folder);
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
  // A process that looked in the instant before this socket listened may have removed it. This one sees that process below.
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

/** Windows keeps the name of a pipe taken for as long as its process lives. */
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
    const settle = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => settle(true)).once('error', (error) => settle(!DEAD.has(codeOf(error))));
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function inUse(folder: string): JournalError {
  return new JournalError(
    `the journal in ${folder} is used by another process, and two processes could charge an open payment twice: stop the ` +
      'other one, or give each a journal folder of its own',
  );
}
