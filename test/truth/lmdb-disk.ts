import { spawnSync } from 'node:child_process';
import { mkdtempSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { JournalError } from '../../src/core/base/errors.js';
import type { Annotation } from '../../src/core/journal/annotation.js';
import type { Journal, JournalQuery } from '../../src/core/journal/journal.js';
import { openLmdbJournal } from '../../src/core/journal/lmdb/lmdb-journal.js';
import type { Existing } from '../../src/core/journal/order-claim.js';
import type { OperationRecord, RepeatRecord } from '../../src/core/journal/record.js';
import { Disk, type DiskOptions } from './disk.js';

/** What the file may still grow by while the disk is full, at most, bytes: some writes still fit, and then none. */
const ROOM = 24 * 1024;

/** The age from which records are deleted, ms. All records are of age 0 here: whatever may be deleted is. */
const ANY_AGE = -1;

/**
 * The journal of the product, on a real disk. What it keeps in memory beside says what it must give out. While the disk
 * is full, the operating system refuses what makes the file longer (Linux only). When the process dies, what was on its way
 * to the disk may be there or not, as ever.
 */
export class LmdbDisk extends Disk {
  private readonly folder = mkdtempSync(join(tmpdir(), 'truth-'));
  private opening: Promise<Journal> | undefined;
  private closing: Promise<void> = Promise.resolve();
  private lives = 0;
  private changes = 0;
  private underWay = 0;
  private hasNoRoom = false;

  override record(operation: OperationRecord): Promise<{ attempt: number } | Existing> {
    const given = structuredClone(operation);
    return this.both(
      (real) => real.record(given),
      () => super.record(given),
    );
  }

  override advance(operation: OperationRecord): Promise<void> {
    const given = structuredClone(operation);
    return this.both(
      (real) => real.advance(given),
      () => super.advance(given),
    );
  }

  override recordRepeat(repeat: RepeatRecord): Promise<void> {
    const given = structuredClone(repeat);
    return this.both(
      (real) => real.recordRepeat(given),
      () => super.recordRepeat(given),
    );
  }

  override forgetRepeat(repeat: RepeatRecord): Promise<void> {
    return this.both(
      (real) => real.forgetRepeat(repeat),
      () => super.forgetRepeat(repeat),
    );
  }

  override annotate(operationId: string, annotation: Annotation): Promise<void> {
    const given = structuredClone(annotation);
    return this.both(
      (real) => real.annotate(operationId, given),
      () => super.annotate(operationId, given),
    );
  }

  override claim(operationId: string, owner: string, now: number): Promise<boolean> {
    return this.both(
      (real) => real.claim(operationId, owner, now),
      () => super.claim(operationId, owner, now),
    );
  }

  override renew(owner: string, until: number): Promise<void> {
    return this.both(
      (real) => real.renew(owner, until),
      () => super.renew(owner, until),
    );
  }

  override release(owner: string): Promise<void> {
    return this.both(
      (real) => real.release(owner),
      () => super.release(owner),
    );
  }

  override holder(environment: string, hash: string): Promise<OperationRecord | undefined> {
    return this.read(
      (real) => real.holder(environment, hash),
      () => super.holder(environment, hash),
    );
  }

  override repeats(environment: string): Promise<RepeatRecord[]> {
    return this.read(
      (real) => real.repeats(environment),
      () => super.repeats(environment),
    );
  }

  override annotations(operationIds: readonly string[]): Promise<Map<string, Annotation[]>> {
    const given = [...operationIds];
    return this.read(
      async (real) => new Map((await real.annotations(given)) as Map<string, Annotation[]>),
      () => super.annotations(given),
    );
  }

  override merchantsOf(keyId: string): Promise<string[] | undefined> {
    return this.read(
      async (real) => (await real.merchantsOf(keyId)) as string[] | undefined,
      () => super.merchantsOf(keyId),
    );
  }

  override noteMerchants(keyId: string, merchants: readonly string[]): Promise<void> {
    const given = [...merchants];
    return this.both(
      (real) => real.noteMerchants(keyId, given),
      () => super.noteMerchants(keyId, given),
    );
  }

  override find(query: JournalQuery, limit?: number): Promise<OperationRecord[]> {
    return this.read(
      (real) => real.find(query, limit),
      () => super.find(query, limit),
    );
  }

  override open(environment: string): Promise<OperationRecord[]> {
    return this.read(
      (real) => real.open(environment),
      () => super.open(environment),
    );
  }

  override openIds(environment: string): Promise<string[]> {
    return this.read(
      (real) => real.openIds(environment),
      () => super.openIds(environment),
    );
  }

  /** The product deletes by age and not by message, so everything that has ended goes. */
  override retire(): void {
    // A full disk keeps what it has, and a dead process deletes nothing.
    const failed = (): undefined => undefined;
    this.both(
      (real) => real.prune(ANY_AGE),
      () => super.prune(ANY_AGE),
    ).catch(failed);
  }

  protected override forget(operation: OperationRecord): void {
    super.forget(operation);
    this.deleted.add(operation.operationId);
  }

  override crash(): void {
    super.crash();
    this.lives++;
    this.closing = this.closing.then(() => this.closeReal());
    this.options.clock.hold(this.closing);
  }

  override replacedBy(records: Iterable<OperationRecord>): Disk {
    const disk = new LmdbDisk(this.options);
    const given = structuredClone([...records]);
    for (const record of given) void disk.atOnce(() => Disk.prototype.record.call(disk, record));
    disk.closing = disk.restore(given);
    this.options.clock.hold(disk.closing);
    this.options.clock.hold(this.discard());
    return disk;
  }

  override async discard(): Promise<void> {
    this.lives++;
    this.fill(false);
    await this.closing;
    await this.closeReal();
    await rm(this.folder, { recursive: true });
  }

  protected override fill(isFull: boolean): void {
    if (isFull === this.hasNoRoom) return;
    this.hasNoRoom = isFull;
    const { draw, faults } = this.options;
    const limit = isFull ? this.size() + draw.int(0, ROOM) : 'unlimited';
    const { status } = spawnSync('prlimit', ['--pid', String(process.pid), `--fsize=${limit}:unlimited`]);
    if (status !== 0) throw new Error('prlimit is missing: this needs Linux');
    if (isFull) faults.add('journal write failed');
  }

  private size(): number {
    return statSync(join(this.folder, 'journal.mdb'), { throwIfNoEntry: false })?.size ?? 0;
  }

  /** A change is durable, and only then known. */
  private async both<T>(real: (journal: Journal) => Promise<T>, known: () => Promise<T>): Promise<T> {
    const { lives } = this;
    await this.trouble();
    this.mustLive(lives);
    this.changes++;
    this.underWay++;
    try {
      const done = await this.really(real, lives);
      const expected = await this.atOnce(known);
      // It is durable, but nobody was told, and the lease of a dead process is void.
      if (lives !== this.lives) super.crash();
      else this.compare(done, expected);
      return done;
    } finally {
      this.underWay--;
    }
  }

  private async read<T>(real: (journal: Journal) => Promise<T>, known: () => Promise<T>): Promise<T> {
    const before = this.underWay > 0 ? undefined : this.changes;
    const done = await this.really(real, this.lives);
    const expected = await known();
    // What is being written meanwhile may be seen or not.
    if (before === this.changes) this.compare(done, expected);
    return done;
  }

  private really<T>(work: (journal: Journal) => Promise<T>, lives: number): Promise<T> {
    const done = this.real().then((journal) => {
      this.mustLive(lives);
      return work(journal);
    });
    this.options.clock.hold(done);
    return done;
  }

  private async restore(records: readonly OperationRecord[]): Promise<void> {
    const journal = await this.openReal();
    for (const record of records) await journal.record(record);
    await journal.close();
  }

  private mustLive(lives: number): void {
    if (lives !== this.lives) throw new JournalError('the process died before it was written');
  }

  private async real(): Promise<Journal> {
    await this.closing;
    this.opening ??= this.openReal();
    try {
      return await this.opening;
    } catch (error) {
      this.opening = undefined;
      throw error;
    }
  }

  private openReal(): Promise<Journal> {
    const report = (damage: string): number => this.options.violate(damage);
    return openLmdbJournal(this.folder, report, () => 0);
  }

  private async closeReal(): Promise<void> {
    const { opening } = this;
    this.opening = undefined;
    const journal = await opening?.catch(() => undefined);
    await journal?.close();
  }

  private compare(found: unknown, expected: unknown): void {
    if (isDeepStrictEqual(plain(found), plain(expected))) return;
    this.options.violate(`the journal gives ${JSON.stringify(found)} and not ${JSON.stringify(expected)}`);
  }
}

/** As plain data, without what a journal numbers: a change that failed takes a number, too. */
function plain(value: unknown): unknown {
  const text = JSON.stringify(value, (key, part) => {
    if (key === 'sequence') return undefined;
    return part instanceof Map ? [...part] : part;
  });
  return text === undefined ? undefined : JSON.parse(text);
}

export const newLmdbDisk = (options: DiskOptions): Disk => new LmdbDisk(options);
