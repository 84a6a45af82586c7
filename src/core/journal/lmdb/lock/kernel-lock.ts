import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, open, readdir, rm, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { basename, join } from 'node:path';
import { newId } from '../../../platform/new-id.js';
import { probableHolder } from './holder.js';
import { inUse, mayNotAsk } from './in-use.js';

/**
 * A lock of a folder that the kernel holds, so that it ends with its process, however that ends. It keeps out every process
 * on this kernel, containers included, because it is a socket in the folder itself.
 *
 * A process first listens on a socket with a random name, which the system closes when the process ends for any reason,
 * and then looks for other sockets. Of two processes that start at once at least one sees the other; if both do, neither
 * gets the lock. Names are never reused, so a socket that does not answer can safely be removed: but only by whoever has the
 * folder, because a living process of another machine that shares it does not answer either.
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
  /** False where its socket was removed: other processes of this kernel do not see it any more. */
  isHeld(): boolean;
  /** Removes what ended processes have left. Only for whoever has the folder, whatever machine the others are on. */
  removeDead(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Undefined where the file system holds no sockets, or the path is too long for one.
 * @throws JournalError where another process of this kernel has the folder, or may have it
 */
export async function lockByKernel(folder: string): Promise<KernelLock | undefined> {
  const name = `cloud-terminal-${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`;
  if (process.platform === 'win32') return lockPipe(`\\\\.\\pipe\\${name}`, folder);
  try {
    return await inShort(folder, async (directory) =>
      Buffer.byteLength(addressIn(directory)) > LONGEST_ADDRESS ? undefined : lockAmong(directory, folder),
    );
  } catch (error) {
    if (NO_SOCKETS.has(codeOf(error))) return undefined;
    throw error;
  }
}

/** Gives the folder a short name for as long as the work lasts: the name of a handle is short, however long the path is. */
async function inShort<T>(folder: string, work: (directory: string) => Promise<T>): Promise<T> {
  if (process.platform !== 'linux') return work(folder);
  const handle = await open(folder, 'r');
  try {
    return await work(`/proc/self/fd/${handle.fd}`);
  } finally {
    await handle.close();
  }
}

function addressIn(directory: string): string {
  return join(directory, `${PREFIX}${newId().slice(0, 8)}${SUFFIX}`);
}

async function lockAmong(directory: string, folder: string): Promise<KernelLock> {
  const mine = addressIn(directory);
  const lock = lockOf(await listen(mine), folder, basename(mine));
  // A process that removed the dead in the instant before this socket listened may have taken it for one. This one sees it below.
  await chmod(mine, 0o600).catch(() => undefined);
  for (const name of await othersIn(directory, basename(mine))) {
    const code = await codeOfConnecting(join(directory, name));
    if (DEAD.has(code)) continue;
    await lock.release();
    throw code === 'EACCES' ? mayNotAsk(join(folder, name)) : inUse(folder, await probableHolder(folder));
  }
  return lock;
}

async function othersIn(directory: string, mine: string): Promise<string[]> {
  const names = await readdir(directory);
  return names.filter((name) => name !== mine && name.startsWith(PREFIX) && name.endsWith(SUFFIX));
}

/** Windows keeps the name of a pipe taken for as long as its process lives. */
async function lockPipe(address: string, folder: string): Promise<KernelLock> {
  try {
    return lockOf(await listen(address), folder);
  } catch (error) {
    throw codeOf(error) === 'EADDRINUSE' ? inUse(folder, await probableHolder(folder)) : error;
  }
}

/** @param socket its name in the folder; a pipe of Windows has none */
function lockOf(server: Server, folder: string, socket?: string): KernelLock {
  return {
    isHeld: () => socket === undefined || existsSync(join(folder, socket)),
    async removeDead() {
      if (socket !== undefined) await removeDeadIn(folder, socket);
    },
    async release() {
      await new Promise((resolve) => server.close(resolve));
      if (socket !== undefined) await rm(join(folder, socket), { force: true });
    },
  };
}

async function removeDeadIn(folder: string, mine: string): Promise<void> {
  await inShort(folder, async (directory) => {
    for (const name of await othersIn(directory, mine)) {
      const other = join(directory, name);
      if (DEAD.has(await codeOfConnecting(other))) await unlink(other).catch(() => undefined);
    }
  });
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

/** Why a socket does not answer; empty where it does. */
function codeOfConnecting(address: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(address);
    const settle = (code: string): void => {
      socket.destroy();
      resolve(code);
    };
    socket.once('connect', () => settle('')).once('error', (error) => settle(codeOf(error)));
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
