import { mkdir, open, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Key, RootDatabase } from 'lmdb';
import { JournalError } from '../../base/errors.js';
import { Leases } from '../leases.js';
import { FileCheck } from './check/file-check.js';
import { checkRecords } from './check/records-check.js';
import { closeRoot, commit, mustAnswer, mustNotHaveFailed } from './file/commit.js';
import { loadLmdb, openDatabases, openRoot } from './file/databases.js';
import { ensureForm } from './file/form.js';
import { moveAside } from './file/move-aside.js';
import { withCure } from './file/no-access.js';
import { makeRoom } from './file/room.js';
import { FILE, identityOf } from './folder.js';
import { type FolderLock, lockFolder } from './lock/folder-lock.js';
import { AnnotationStore } from './rows/annotation-store.js';
import { MerchantRows } from './rows/merchant-rows.js';
import { OldRecords } from './rows/old-records.js';
import { OrderStore } from './rows/order-store.js';
import { ReceiptRows } from './rows/receipt-rows.js';
import { Records } from './rows/records.js';
import { RepeatRows } from './rows/repeat-rows.js';
import { inSlices, pauseFor, Rests } from './slices.js';

/** How long an opening waits for the check of its file, ms. */
const CHECKED_AT_OPENING = 200;

/** Called with what a person has to know: something in the journal is damaged. */
export type Report = (damage: string) => void;

/** The LMDB file of one folder, with one transaction for each change. All journals of the folder share it. */
export class Store {
  readonly records: Records;
  readonly orders: OrderStore;
  readonly repeats: RepeatRows;
  readonly annotations: AnnotationStore;
  readonly receipts: ReceiptRows;
  readonly merchants: MerchantRows;
  readonly old: OldRecords;
  /** Starts empty: one process has the folder to itself, so the leases of an earlier process are void. */
  readonly leases = new Leases();
  private readonly reporters = new Set<Report>();
  private readonly reports: string[] = [];

  /** Resolves when all of the file was looked at, or the store is closed. */
  readonly checked: Promise<void>;

  private readonly rests = new Rests();
  /** Which file was opened. */
  private readonly identity: string | undefined;
  private isSeen = false;

  /** @param unfinished what the opening has left of the check of the file */
  constructor(
    private readonly folder: string,
    private readonly root: RootDatabase<string, Key>,
    private readonly lock: FolderLock,
    clock: (() => number) | undefined,
    unfinished?: FileCheck,
  ) {
    this.identity = identityOf(join(folder, FILE));
    const databases = openDatabases(root);
    this.records = new Records(databases, (error) => this.report(error.message), clock);
    this.orders = new OrderStore(databases, this.records);
    this.repeats = new RepeatRows(databases.repeats, (damage) => this.report(damage));
    this.annotations = new AnnotationStore(databases.annotations, (damage) => this.report(damage));
    this.receipts = new ReceiptRows(databases.receipts, (damage) => this.report(damage));
    this.merchants = new MerchantRows(databases.merchants);
    this.old = new OldRecords(databases, this.records, (operationId) => this.repeats.isAwaited(operationId));
    lock.hear((notice) => this.report(notice));
    this.checked = this.check(unfinished);
  }

  /** See {@link mustAnswer}. @throws JournalError */
  mustAnswer(): void {
    mustAnswer(this.root);
  }

  /** See {@link commit}. */
  change<T>(write: () => T): Promise<T> {
    return commit(this.root, this.folder, () => {
      this.mustBeInPlace();
      this.lock.mustHold();
      return write();
    });
  }

  /**
   * What is written to a file that was deleted or replaced is lost, and another process may have begun a new one in its
   * place.
   */
  private mustBeInPlace(): void {
    if (this.isSeen) return;
    if (identityOf(join(this.folder, FILE)) !== this.identity)
      throw new JournalError("the journal's folder was removed or replaced while it was open; restart");
    // This holds for all changes that are written in the same turn.
    this.isSeen = true;
    queueMicrotask(() => {
      this.isSeen = false;
    });
  }

  private async check(unfinished: FileCheck | undefined): Promise<void> {
    try {
      if (unfinished !== undefined && !(await this.isSound(unfinished))) return;
      await inSlices(this.annotations.check(), this.rests.pause);
      await inSlices(this.repeats.check(), this.rests.pause);
      const steps = checkRecords(this.records, this.orders, (sequences) => this.mend(sequences));
      if (await inSlices(steps, this.rests.pause)) this.orders.proven();
    } catch (error) {
      this.report(`the journal in ${this.folder} cannot be checked: ${String(error)}`);
    }
  }

  /** Goes on with the check of the file. One that is damaged is moved aside, so that nothing more is written to it. */
  private async isSound(check: FileCheck): Promise<boolean> {
    // The pages that are looked at must not be written anew meanwhile: a reader keeps them.
    const reader = this.root.useReadTransaction();
    try {
      if ((await check.run(this.rests.pause)) !== 'damaged') return true;
    } finally {
      reader.done();
      check.close();
    }
    const file = join(this.folder, FILE);
    this.report(damaged(file, await moveAside(file), check.damage).message);
    return false;
  }

  private async mend(sequences: readonly number[]): Promise<void> {
    await this.change(() => {
      for (const sequence of sequences) {
        const operation = this.records.readOrReport(sequence);
        if (operation === undefined) continue;
        this.records.mend(operation, sequence);
        this.orders.mend(operation, sequence);
      }
    });
    this.report(`the index of the journal in ${this.folder} had lost ${sequences.length} payments, and was mended`);
  }

  /** Reports the damage found so far, and what is found from now on. Returns how to stop that. */
  hear(report: Report): () => void {
    for (const damage of this.reports) report(damage);
    this.reporters.add(report);
    return () => this.reporters.delete(report);
  }

  report(damage: string): void {
    this.reports.push(damage);
    for (const report of this.reporters) report(damage);
  }

  /** Resolves when all changes under way are written. */
  async close(): Promise<void> {
    this.rests.stop();
    await this.checked;
    try {
      await closeRoot(this.root, this.folder);
    } finally {
      await this.lock.release();
    }
  }
}

/**
 * Opens the store of a folder, and creates its files where needed, with mode 0600.
 * @throws JournalError where another process uses the folder, where the file is damaged (it is moved aside) or gone, and where
 * a version with another form wrote it (it is left as it is)
 */
export async function openStore(folder: string, clock?: () => number): Promise<Store> {
  try {
    mustNotHaveFailed(folder);
    const lock = await lockFolder(folder);
    return await openLocked(folder, lock, clock).catch(async (error) => {
      // Why it did not open is what a person has to know.
      await lock.release().catch(() => undefined);
      throw error;
    });
  } catch (error) {
    if (error instanceof JournalError) throw error;
    throw new JournalError(`the journal in ${folder} cannot be opened: ${withCure(error)}`, { cause: error });
  }
}

async function openLocked(folder: string, lock: FolderLock, clock?: () => number): Promise<Store> {
  const file = join(folder, FILE);
  // Before anything is made: a library that is missing leaves the folder as it is.
  loadLmdb();
  const loss = await lossOf(file);
  if (loss !== undefined) throw damaged(file, await moveAside(file), loss);
  await makeRoom(file);
  const check = new FileCheck(file);
  try {
    const finding = await check.run(pauseFor(CHECKED_AT_OPENING));
    if (finding === 'damaged') throw damaged(file, await moveAside(file), check.damage);
    if (finding === 'sound') check.close();
    const store = await openChecked(folder, lock, clock, finding === 'sound' ? undefined : check);
    if (check.doubt !== '') store.report(check.doubt);
    return store;
  } catch (error) {
    check.close();
    throw error;
  }
}

/**
 * LMDB makes a new file where there is none, or an empty one. One that it has opened before was not empty, and its file of readers
 * shows that it was open: `room.ts` fills that with zeros, and LMDB writes to it. Undefined where nothing was lost.
 */
async function lossOf(file: string): Promise<string | undefined> {
  const { size } = await stat(file).catch(() => ({ size: undefined }));
  if (size !== undefined && size > 0) return undefined;
  const readers = await readFile(`${file}-lock`).catch(() => Buffer.alloc(0));
  if (readers.every((byte) => byte === 0)) return undefined;
  return size === 0 ? 'the file is empty' : `${file}-lock shows that there was one`;
}

async function openChecked(
  folder: string,
  lock: FolderLock,
  clock: (() => number) | undefined,
  unfinished?: FileCheck,
): Promise<Store> {
  const root = openRoot(join(folder, FILE));
  try {
    await ensureForm(root, folder);
    await syncFolder(folder);
    return new Store(folder, root, lock, clock, unfinished);
  } catch (error) {
    await closeRoot(root, folder);
    throw error;
  }
}

/** Creates the folder with mode 0700 where needed, and resolves with its real path, which is the same by every link. */
export async function makeFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await realpath(folder);
  } catch (error) {
    throw new JournalError(`the journal's folder ${folder} cannot be created: ${withCure(error)}`, { cause: error });
  }
}

/** A new file survives a power cut only once its folder is synced too. Windows does that by itself. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** @param aside where it was moved to; undefined where it is missing */
function damaged(file: string, aside: string | undefined, damage: string): JournalError {
  const what = aside === undefined ? 'is gone' : `is damaged and was moved to ${aside}`;
  return new JournalError(
    `the journal ${file} ${what} (${damage}). Payments that were open in it are not resumed: ` +
      'look them up by their references. The next start creates an empty journal',
  );
}
