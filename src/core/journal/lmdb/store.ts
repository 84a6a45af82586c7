import { statSync } from 'node:fs';
import { chmod, mkdir, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, Key, RootDatabase } from 'lmdb';
import { JournalError } from '../../base/errors.js';
import { Leases } from '../leases.js';
import { AnnotationStore } from './annotation-store.js';
import { commit } from './commit.js';
import { isCorrupt, moveAside } from './corruption.js';
import { type FolderLock, lockFolder } from './folder-lock.js';
import { ensureForm } from './form.js';
import type { IndexKey } from './index-keys.js';

const FILE = 'journal.mdb';

/** The LMDB file of one folder, with one transaction for each change. All journals of the folder share it. */
export class Store {
  /** JSON text by `operationId`. */
  readonly operations: Database<string, string>;
  /** See `index-keys.ts`. */
  readonly index: Database<string, Key[]>;
  readonly annotations: AnnotationStore;
  /** Starts empty: one process has the folder to itself, so the leases of an earlier process are void. */
  readonly leases = new Leases();
  /** The index keys of open operations as last written, which saves a change from reading what it replaces. */
  readonly keys = new Map<string, IndexKey[]>();

  /** Which file was opened. */
  private readonly identity: string | undefined;

  constructor(
    private readonly folder: string,
    private readonly root: RootDatabase<string, Key>,
    private readonly lock: FolderLock,
  ) {
    this.identity = identityOf(join(folder, FILE));
    this.operations = root.openDB({ name: 'operations', encoding: 'string' });
    this.index = root.openDB({ name: 'index', encoding: 'string' });
    this.annotations = new AnnotationStore(root);
  }

  /** See {@link commit}. */
  change<T>(write: () => T): Promise<T> {
    return commit(this.root, this.folder, () => {
      this.mustBeInPlace();
      return write();
    });
  }

  /** What is written to a file that no folder holds is lost, and another process may have begun a file in its place. */
  private mustBeInPlace(): void {
    if (identityOf(join(this.folder, FILE)) === this.identity) return;
    throw new JournalError("the journal's folder was removed or replaced while it was open; restart");
  }

  /** Resolves when all changes under way are written. */
  async close(): Promise<void> {
    try {
      await this.root.close();
    } finally {
      await this.lock.release();
    }
  }
}

/** Tells one file from another at the same path; undefined where none can be seen. Takes some microseconds. */
function identityOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return undefined;
  }
}

/**
 * Opens the store of a folder, and creates its files where needed, with mode 0600.
 * @throws JournalError where another process uses the folder, where the file is damaged (it is moved aside), and where a
 * version with another form wrote it (it is left as it is)
 */
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
  const root = openFile(file);
  try {
    await ensureForm(root, folder);
    const store = new Store(folder, root, lock);
    await syncFolder(folder);
    return store;
  } catch (error) {
    await root.close();
    throw error;
  }
}

/** Creates the folder with mode 0700 where needed, and resolves with its real path, which is the same by every link. */
export async function makeFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await realpath(folder);
  } catch (error) {
    throw new JournalError(`the journal's folder ${folder} cannot be created: ${String(error)}`, { cause: error });
  }
}

function openFile(path: string): RootDatabase<string, Key> {
  const lmdb: typeof import('lmdb') = require('lmdb');
  // Without overlapping syncs a transaction's promise resolves after the sync. Without batching by event turn a full disk
  // rejects each transaction on its own.
  return lmdb.open<string, Key>({ path, overlappingSync: false, eventTurnBatching: false, maxDbs: 8 });
}

async function createPrivate(path: string): Promise<void> {
  await (await open(path, 'a', 0o600)).close();
  await chmod(path, 0o600);
}

/** A new file survives a power cut only once its folder is synced too. Windows does that by itself. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

function damaged(file: string, aside: string): JournalError {
  return new JournalError(
    `the journal ${file} is damaged and was moved to ${aside}. Payments that were open in it are not resumed: ` +
      'look them up by their references. The next start creates an empty journal',
  );
}
