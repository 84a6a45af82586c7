import { closeSync, openSync, writeSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { JournalError } from '../../../base/errors.js';
import type { Timer } from '../../../base/seams.js';
import { newId } from '../../../platform/new-id.js';
import { HOLDER_FILE, type Holder, isCode, isSameBeat, nameOf, readHolder, readHolderNow, textOf } from './holder.js';
import { inUse } from './in-use.js';
import type { Machine } from './machine.js';

/**
 * A file in the journal's folder that its holder writes again and again. It keeps out what no lock of a kernel can: a process
 * on another machine that shares the folder. Clocks of two machines are never compared: who finds the file of another watches
 * whether it changes. Creating and renaming a file are atomic on network file systems too.
 */

/**
 * On a disk of one's own nothing waits for the write to be on the disk, and it is done less often, as it wears a memory card: it
 * takes 0.2 ms of CPU.
 */
const BEAT = { own: 10_000, shared: 5_000 };
/** Without a beat for so long a holder writes no more: it may have been frozen, and another one may have the folder. */
const HELD_FOR = 15_000;
/** How long another holder's file is watched: longer than a holder goes on writing without a beat. */
const WATCHED_FOR = 25_000;
const LOOKED_EVERY = 1_000;
const ATTEMPTS = 3;
const NO_ROOM = ['ENOSPC', 'EDQUOT'];

export class Heartbeat {
  private readonly path: string;
  private readonly me: Holder;
  private timer: Timer | undefined;
  private beating: Promise<void> = Promise.resolve();
  private beatAt = { now: 0, wall: 0 };
  private isThere = false;
  /** How the folder was lost. */
  private loss: string | undefined;
  private report: (notice: string) => void = () => undefined;

  private constructor(
    private readonly folder: string,
    private readonly isLocked: () => boolean,
    isOwn: boolean,
    private readonly machine: Machine,
  ) {
    this.path = join(folder, HOLDER_FILE);
    this.me = { id: newId(), host: hostname(), kernel: machine.kernel, pid: process.pid, isOwn, beats: 0 };
  }

  /**
   * Resolves once the folder is this process's: at once where nobody had it, or only a dead process of this machine.
   * @param isLocked whether the kernel keeps other processes of this machine out
   * @throws JournalError where somebody has it
   */
  static async start(folder: string, isLocked: () => boolean, machine: Machine): Promise<Heartbeat> {
    const heartbeat = new Heartbeat(folder, isLocked, await machine.hasAsOwn(folder), machine);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (await heartbeat.begin()) return heartbeat;
      const other = await readHolder(heartbeat.path);
      if (!heartbeat.isDead(other) && (await heartbeat.sawBeat(other))) throw inUse(folder, nameOf(other));
      await heartbeat.remove(other);
    }
    throw new JournalError(`the journal in ${folder} was taken by another process at this moment`);
  }

  /** @throws JournalError where the folder may be another's by now */
  mustHold(): void {
    if (this.loss !== undefined) throw new JournalError(`the journal in ${this.folder} ${this.loss}`);
    // Where there was no room for the file, nobody else has found any.
    if (!this.isThere || this.isFresh()) return;
    // A machine that slept goes on at once. A network may be away, and must not be waited for here.
    if (!this.me.isOwn || !this.beatNow())
      throw new JournalError(`the journal in ${this.folder} could not be held: is the disk, or the network, away?`);
  }

  /** Reports what a person has to know, from now on. */
  hear(report: (notice: string) => void): void {
    this.report = report;
  }

  async stop(): Promise<void> {
    this.timer?.cancel();
    this.timer = undefined;
    await this.beating;
    if ((await readHolder(this.path))?.id === this.me.id) await rm(this.path, { force: true });
  }

  /** False where the file is another's. A disk of one's own that is full is held without it, or nothing of it could be read. */
  private async begin(): Promise<boolean> {
    try {
      if (!(await this.create())) return false;
    } catch (error) {
      if (!(this.me.isOwn && this.isLocked() && isCode(error, ...NO_ROOM))) throw error;
    }
    this.schedule();
    return true;
  }

  private async create(): Promise<boolean> {
    try {
      const file = await open(this.path, 'wx', 0o600);
      await this.write(file).finally(() => file.close());
    } catch (error) {
      if (isCode(error, 'EEXIST')) return false;
      if (isCode(error, ...NO_ROOM)) await rm(this.path, { force: true });
      throw error;
    }
    this.isThere = true;
    return true;
  }

  private schedule(): void {
    this.timer = this.machine.clock.after(this.me.isOwn ? BEAT.own : BEAT.shared, () => {
      this.beating = this.beat().catch(() => undefined);
      if (this.loss === undefined) this.schedule();
    });
  }

  /**
   * Writes only to a file that is still its own, and makes a new one only where it never had one, or where nobody can have had the
   * folder since the last beat: else another holder took it.
   */
  private async beat(): Promise<void> {
    if (!this.isThere && (await this.create())) return;
    const holder = await readHolder(this.path);
    if (holder === undefined && this.hadItAlone() && (await this.create())) {
      this.report(`${this.path} was removed while the journal was in use, and was written anew: leave it alone`);
      return;
    }
    if (holder?.id !== this.me.id) {
      this.loss =
        holder === undefined
          ? `may be another process's: ${HOLDER_FILE} in it was removed or emptied while the journal was in use; restart`
          : `was taken over by ${nameOf(holder)}`;
      return;
    }
    const file = await open(this.path, 'r+');
    await this.write(file).finally(() => file.close());
  }

  /** Whether nobody can have had the folder since the last beat: the kernel keeps out others, on a disk of one's own. */
  private hadItAlone(): boolean {
    return this.me.isOwn && this.isFresh() && this.isLocked();
  }

  private async write(file: FileHandle): Promise<void> {
    const at = this.times();
    await file.write(this.nextBeat(), 0);
    if (!this.me.isOwn) await file.sync();
    this.beatAt = at;
  }

  /**
   * Beats after a gap. Who takes the file meanwhile looks, once it has moved it, whether there was a beat, and this looks, once it
   * has beaten, whether the file is in its place: at least one of the two sees the other. False where it is not.
   */
  private beatNow(): boolean {
    try {
      if (readHolderNow(this.path).id !== this.me.id) return false;
      const at = this.times();
      const file = openSync(this.path, 'r+');
      try {
        writeSync(file, this.nextBeat(), 0);
      } finally {
        closeSync(file);
      }
      if (readHolderNow(this.path).id !== this.me.id) return false;
      this.beatAt = at;
      return true;
    } catch {
      return false;
    }
  }

  private nextBeat(): string {
    this.me.beats++;
    return textOf(this.me);
  }

  private times(): { now: number; wall: number } {
    return { now: this.machine.clock.now(), wall: this.machine.clock.wall() };
  }

  private isFresh(): boolean {
    const { now, wall } = this.times();
    // A machine that slept may have stopped one of the two clocks.
    return Math.max(now - this.beatAt.now, wall - this.beatAt.wall) <= HELD_FOR;
  }

  /** Whether a holder has certainly ended, because this process could not have come so far beside it. */
  private isDead(other: Holder | undefined): boolean {
    if (other === undefined) return true;
    // A disk is one kernel's at a time: a holder that saw it as its own was on this machine, before it was restarted or in a
    // container that names the kernel otherwise.
    return this.isLocked() && (other.kernel === this.me.kernel || (other.isOwn && this.me.isOwn));
  }

  private async sawBeat(other: Holder | undefined): Promise<boolean> {
    for (let watched = 0; watched < WATCHED_FOR; watched += LOOKED_EVERY) {
      await new Promise<void>((resolve) => this.machine.clock.after(LOOKED_EVERY, resolve));
      const seen = await readHolder(this.path);
      if (seen === undefined) return false;
      if (!isSameBeat(seen, other)) return true;
    }
    return false;
  }

  /** Takes the file of a dead holder away; one that has beaten, or that somebody else has put there meanwhile, comes back. */
  private async remove(other: Holder | undefined): Promise<void> {
    const aside = `${this.path}-${this.me.id}`;
    try {
      await rename(this.path, aside);
    } catch (error) {
      if (isCode(error, 'ENOENT')) return;
      throw error;
    }
    const removed = await readHolder(aside);
    if (isSameBeat(removed, other)) return rm(aside, { force: true });
    await rename(aside, this.path);
    if (removed !== undefined) throw inUse(this.folder, nameOf(removed));
  }
}
