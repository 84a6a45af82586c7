import { createHash } from 'node:crypto';
import { chmod, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JournalError } from '../errors.js';

/**
 * Keeps a second process out of a journal's folder: each would take up what it finds open there, and charge it twice.
 * The lock is a socket, which the system closes with its process, however that ends.
 */

/** What a socket's address may have, in bytes, on the system that allows the least. */
const LONGEST_ADDRESS = 100;
/** How a file system says that it holds no sockets. */
const NO_SOCKETS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'EACCES']);
const TRIES = 3;

export interface FolderLock {
  release(): Promise<void>;
}

/** @throws JournalError where another process has the folder, or where nobody can be kept out of it */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const name = `cloud-terminal-${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`;
  if (process.platform === 'win32') return lockAddress(`\\\\.\\pipe\\${name}`, folder);
  const elsewhere = join(tmpdir(), `${name}.sock`);
  const within = join(folder, 'journal.sock');
  if (Buffer.byteLength(within) > LONGEST_ADDRESS) return lockAddress(elsewhere, folder);
  try {
    return await lockAddress(within, folder);
  } catch (error) {
    if (NO_SOCKETS.has(codeOf(error))) return lockAddress(elsewhere, folder);
    throw error;
  }
}

async function lockAddress(address: string, folder: string): Promise<FolderLock> {
  for (let tries = 1; ; tries++) {
    try {
      const server = await listen(address);
      if (process.platform !== 'win32') await chmod(address, 0o600);
      return { release: () => new Promise((resolve) => server.close(() => resolve())) };
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE' || tries === TRIES) throw error;
      if (await answers(address)) throw inUse(folder);
      // Left behind by a process that was killed.
      await unlink(address).catch(() => undefined);
    }
  }
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
    const say = (answer: boolean) => (): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', say(true)).once('error', say(false));
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
