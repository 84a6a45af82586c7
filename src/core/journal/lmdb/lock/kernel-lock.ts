import { createHash } from 'node:crypto';
import { chmod, open, readdir, rm, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { basename, join } from 'node:path';
import { JournalError } from '../../../base/errors.js';
import { newId } from '../../../platform/new-id.js';

/**
 * A lock of a folder that the kernel holds, so that it ends with its process, however that ends. It keeps out every process
 * on this kernel, containers included, because it is a socket in the folder itself.
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
const PREFIX = 'lock-';
const SUFFIX = '.sock';

export interface KernelLock {
  release(): Promise<void>;
}

/**
 * Undefined where the file system holds no sockets, or the path is too long for one.
 * @throws JournalError where another process of this kernel has the folder
 */
export async function lockByKernel(folder: string): Promise<KernelLock | undefined> {
  const name = `cloud-terminal-${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`;
  if (process.platform === 'win32') return lockPipe(`\\\\.\\pipe\\${name}`, folder);
  const handle = await open(folder, 'r');
  try {
    // The name of a handle is short, however long the path is.
    const directory = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : folder;
    if (Buffer.byteLength(addressIn(directory)) > LONGEST_ADDRESS) return undefined;
    return await lockAmong(directory, folder);
  } catch (error) {
    if (NO_SOCKETS.has(codeOf(error))) return undefined;
    throw error;
  } finally {
    await handle.close();
  }
}

function addressIn(directory: string): string {
  return join(directory, `${PREFIX}${newId().slice(0, 8)}${SUFFIX}`);
}

async function lockAmong(directory: string, folder: string): Promise<KernelLock> {
  const mine = addressIn(directory);
  const lock = lockOf(await listen(mine), join(folder, basename(mine)));
  // A process that looked in the instant before this socket listened may have removed it. This one sees that process below.
  await chmod(mine, 0o600).catch(() => undefined);
  for (const name of await readdir(directory)) {
    const other = join(directory, name);
    if (other === mine || !name.startsWith(PREFIX) || !name.endsWith(SUFFIX)) continue;
    if (await answers(other)) {
      await lock.release();
      throw inUse(folder);
    }
    await unlink(other).catch(() => undefined);
  }
  return lock;
}

/** Windows keeps the name of a pipe taken for as long as its process lives. */
async function lockPipe(address: string, folder: string): Promise<KernelLock> {
  try {
    return lockOf(await listen(address));
  } catch (error) {
    throw codeOf(error) === 'EADDRINUSE' ? inUse(folder) : error;
  }
}

/** @param path of the socket, which the server knows by the name of a handle that is closed by then */
function lockOf(server: Server, path?: string): KernelLock {
  return {
    async release() {
      await new Promise((resolve) => server.close(resolve));
      if (path !== undefined) await rm(path, { force: true });
    },
  };
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
