import { chmod, mkdir, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, Key, RootDatabase } from 'lmdb';
import { JournalError } from '../../base/errors.js';
import { Leases } from '../leases.js';
import { isCorrupt, moveAside } from './corruption.js';
import { type FolderLock, lockFolder } from './folder-lock.js';
import type { IndexKey } from './index-keys.js';

const FILE = 'journal.mdb';

/** The LMDB file of one folder, with one transaction for each change. Opened once however many journals use it. */
export class Store {
  /** JSON text by `operationId`. */
  readonly operations: Database<string, string>;
  /** See `index-keys.ts`. */
  readonly index: Database<string, Key[]>;
  /** One process has the folder to itself, so what a former process held is void. */
  readonly leases = new Leases();
  /** The index keys of open operations as they were last written, so that a change need not read what it replaces. */
  readonly keys = new Map<string, IndexKey[]>();

  constructor(
    private readonly folder: string,
    private readonly root: RootDatabase<string, Key>,
    private readonly lock: FolderLock,
  ) {
    this.operations = root.openDB({ name: 'operations', encoding: 'string' });
    this.index = root.openDB({ name: 'index', encoding: 'string' });
  }

  /**
   * Runs `write` in a transaction of its own, and resolves with what it returns once that is synced to the disk.
   * `write` must be synchronous, and may throw only before its first write.
   */
  async change<T>(write: () => T): Promise<T> {
    try {
      return await this.root.transaction(write);
    } catch (error) {
      throw this.cannotWrite(error);
    }
  }

  /** Resolves when what is under way has been written. */
  async close(): Promise<void> {
    try {
      await this.root.close();
    } finally {
      await this.lock.release();
    }
  }

  private cannotWrite(error: unknown): JournalError {
    if (error instanceof JournalError) return error;
    const text = `the journal in ${this.folder} cannot be written`;
    if (!isFailedCommit(error)) return new JournalError(`${text}: ${String(error)}`, { cause: error });
    // It carries a second promise with the system's error, which nobody else would handle.
    error.commitError.catch(() => undefined);
    return new JournalError(`${text}: is the disk full?`, { cause: error });
  }
}

function isFailedCommit(error: unknown): error is { commitError: Promise<never> } {
  return error instanceof Error && 'commitError' in error && error.commitError instanceof Promise;
}

/** Opens the store of a folder, creating both where needed: the folder with mode 0700, its files with 0600. */
export async function openStore(folder: string): Promise<Store> {
  try {
    const lock = await lockFolder(folder);
    return await openLocked(folder, lock).catch(async (error) => {
      await lock.release();
      throw error;
    });
  } catch (error) {
    if (error instanceof JournalError) throw error;
    throw new JournalError(`the journal in ${folder} cannot be opened: ${String(error)}`, { cause: error });
  }
}

async function openLocked(folder: string, lock: FolderLock): Promise<Store> {
  const file = join(folder, FILE);
  for (const path of [file, `${file}-lock`]) await createPrivate(path);
  if (await isCorrupt(file)) throw damaged(file, await moveAside(file));
  const store = new Store(folder, openFile(file), lock);
  await syncFolder(folder);
  return store;
}

/** The folder's one name, whatever links lead to it. */
export async function makeFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await realpath(folder);
  } catch (error) {
    throw new JournalError(`the journal's folder ${folder} cannot be made: ${String(error)}`, { cause: error });
  }
}

function openFile(path: string): RootDatabase<string, Key> {
  const lmdb: typeof import('lmdb') = require('lmdb');
  // Without overlapping syncs a transaction's promise resolves after the sync; without batching by turns each of them
  // is rejected by itself when the disk is full.
  return lmdb.open<string, Key>({ path, overlappingSync: false, eventTurnBatching: false, maxDbs: 4 });
}

async function createPrivate(path: string): Promise<void> {
  await (await open(path, 'a', 0o600)).close();
  await chmod(path, 0o600);
}

/** A new file is durable only when its folder is; Windows does it by itself. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

function damaged(file: string, aside: string): JournalError {
  return new JournalError(
    `the journal ${file} is damaged and was moved to ${aside}. Payments that were open in it are not taken up again: ` +
      'look them up by their references. The next opening starts an empty journal',
  );
}
