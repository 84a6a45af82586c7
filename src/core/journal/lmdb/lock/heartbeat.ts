import { readFileSync } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { JournalError } from '../../../base/errors.js';
import type { Clock, Timer } from '../../../base/seams.js';
import { newId } from '../../../platform/new-id.js';
import { systemClock } from '../../../platform/system-clock.js';

/**
 * A file in the journal's folder that its holder writes again and again. It keeps out what no lock of a kernel can: a process
 * on another machine that shares the folder. Clocks of two machines are never compared: who finds the file of another watches
 * whether it changes. Creating and renaming a file are atomic on network file systems too.
 */

const FILE = 'holder.json';
const BEAT = 5_000;
/** Without a beat for so long a holder writes no more: it may have been frozen, and another one may have the folder. */
const HELD_FOR = 3 * BEAT;
/** How long another holder's file is watched: longer than a holder goes on writing without a beat. */
const WATCHED_FOR = 5 * BEAT;
const LOOKED_EVERY = 1_000;
const ATTEMPTS = 3;

interface Holder {
  id: string;
  host: string;
  /** Tells one run of a kernel from another. */
  kernel: string;
  pid: number;
  beats: number;
}

export class Heartbeat {
  private readonly path: string;
  private readonly me: Holder = { id: newId(), host: hostname(), kernel: kernelId(), pid: process.pid, beats: 0 };
  private timer: Timer | undefined;
  private beating: Promise<void> = Promise.resolve();
  private beatAt = { now: 0, wall: 0 };
  private lostTo: string | undefined;

  private constructor(
    private readonly folder: string,
    private readonly clock: Clock,
  ) {
    this.path = join(folder, FILE);
  }

  /**
   * Resolves once the folder is this process's: at once where nobody had it, or only a dead process of this kernel.
   * @param isLocked the kernel keeps other processes of this machine out
   * @throws JournalError where somebody has it
   */
  static async start(folder: string, isLocked: boolean, clock: Clock = systemClock): Promise<Heartbeat> {
    const heartbeat = new Heartbeat(folder, clock);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (await heartbeat.create()) return heartbeat;
      const other = await read(heartbeat.path);
      const isDead = other === undefined || (isLocked && other.kernel === heartbeat.me.kernel);
      if (!isDead && (await heartbeat.sawBeat(other))) throw inUse(folder, other);
      await heartbeat.remove(other);
    }
    throw new JournalError(`the journal in ${folder} was taken by another process at this moment`);
  }

  /** @throws JournalError where the folder may be another's by now */
  mustHold(): void {
    if (this.lostTo !== undefined)
      throw new JournalError(`the journal in ${this.folder} was taken over by ${this.lostTo}`);
    // A machine that slept may have stopped one of the two clocks.
    const since = Math.max(this.clock.now() - this.beatAt.now, this.clock.wall() - this.beatAt.wall);
    if (since > HELD_FOR)
      throw new JournalError(`the journal in ${this.folder} could not be held: is the disk, or the network, away?`);
  }

  async stop(): Promise<void> {
    this.timer?.cancel();
    this.timer = undefined;
    await this.beating;
    if ((await read(this.path))?.id === this.me.id) await rm(this.path, { force: true });
  }

  private async create(): Promise<boolean> {
    try {
      const file = await open(this.path, 'wx', 0o600);
      await this.write(file).finally(() => file.close());
    } catch (error) {
      if (isCode(error, 'EEXIST')) return false;
      throw error;
    }
    this.schedule();
    return true;
  }

  private schedule(): void {
    this.timer = this.clock.after(BEAT, () => {
      this.beating = this.beat().catch(() => undefined);
      if (this.lostTo === undefined) this.schedule();
    });
  }

  /** Writes only to a file that is still its own, and never makes a new one: another holder may have taken it away. */
  private async beat(): Promise<void> {
    const holder = await read(this.path);
    if (holder?.id !== this.me.id) {
      this.lostTo = holder === undefined ? 'another process' : `process ${holder.pid} on ${holder.host}`;
      return;
    }
    const file = await open(this.path, 'r+');
    await this.write(file).finally(() => file.close());
  }

  private async write(file: FileHandle): Promise<void> {
    const at = { now: this.clock.now(), wall: this.clock.wall() };
    this.me.beats++;
    await file.write(JSON.stringify(this.me), 0);
    await file.sync();
    this.beatAt = at;
  }

  private async sawBeat(other: Holder): Promise<boolean> {
    for (let watched = 0; watched < WATCHED_FOR; watched += LOOKED_EVERY) {
      await new Promise<void>((resolve) => this.clock.after(LOOKED_EVERY, resolve));
      const seen = await read(this.path);
      if (seen === undefined) return false;
      if (seen.id !== other.id || seen.beats !== other.beats) return true;
    }
    return false;
  }

  /** Takes the file of a dead holder away; one that somebody else has put in its place meanwhile comes back. */
  private async remove(other?: Holder): Promise<void> {
    const aside = `${this.path}-${this.me.id}`;
    try {
      await rename(this.path, aside);
    } catch (error) {
      if (isCode(error, 'ENOENT')) return;
      throw error;
    }
    const removed = await read(aside);
    if (removed?.id === other?.id) return rm(aside, { force: true });
    await rename(aside, this.path);
    if (removed !== undefined) throw inUse(this.folder, removed);
  }
}

/** Undefined where there is no file, or nothing in it, as after a power cut. */
async function read(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function kernelId(): string {
  if (process.platform !== 'linux') return hostname();
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return newId();
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function inUse(folder: string, { host, pid }: Holder): JournalError {
  return new JournalError(
    `the journal in ${folder} is in use by process ${pid} on ${host}. Two would charge what is open there twice: where ` +
      'several machines share a disk, give each Node-RED a journal folder of its own, or all of them one in PostgreSQL',
  );
}
