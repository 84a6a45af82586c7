import { JournalError } from '../../src/core/base/errors.js';
import { MemoryJournal } from '../../src/core/journal/memory.js';
import { type Existing, isPrunable } from '../../src/core/journal/order-claim.js';
import type { OperationRecord } from '../../src/core/journal/record.js';
import type { VirtualClock } from '../harness/virtual-clock.js';
import type { Draw } from './draw.js';
import type { Window } from './scenario.js';
import { edge, type Tally, TRANSITIONS } from './tally.js';
import type { Uptime } from './uptime.js';

export interface DiskOptions {
  clock: VirtualClock;
  draw: Draw;
  /** What a write takes at most, ms. */
  slowness: number;
  fullWhile: readonly Window[];
  /** When the run began, epoch ms; windows count from there. */
  origin: number;
  /** When nothing could be written for another reason than a full disk: of all the disks of a run. */
  broken: Uptime;
  faults: Tally;
  edges: Tally;
  /** Hears which transitions the records show, once they are durable. */
  onTransition(id: string, record: OperationRecord): void;
  /** Hears of what must never be. */
  violate(what: string): number;
}

/** A journal on a disk that is slow, and full for a while; and what an outsider sees of it. */
export class Disk extends MemoryJournal {
  /** What is durable, by operation. */
  readonly durable = new Map<string, OperationRecord>();
  /** Of which the journal knows what they open, by their ids. */
  readonly notedKeys = new Set<string>();
  /** Operations that are not kept any more, as they ended long ago. */
  readonly deleted = new Set<string>();
  private writing = 0;
  /** Since when the process has had it, epoch ms. */
  readonly inPlaceSince: number;
  /** Since when nothing can be written, epoch ms; undefined while it can. */
  brokenSince: number | undefined;
  /** When it was last broken or mended, epoch ms. */
  private mendedAt = Number.NEGATIVE_INFINITY;
  private brokenFor: string | undefined;
  /** Since when each operation has been sent, epoch ms: until then it waited in line. */
  readonly begunAt = new Map<string, number>();
  private isCertain = false;

  constructor(protected readonly options: DiskOptions) {
    super();
    this.inPlaceSince = options.clock.now();
  }

  /** The newest record of a message. */
  of(message: string): OperationRecord | undefined {
    for (const record of this.durable.values()) if (record.origin.message._msgid === message) return record;
    return undefined;
  }

  /** The journal may be a backup: of some of its records nobody knows whether they were sent. */
  get hasPerhapsSent(): boolean {
    return [...this.durable.values()].some(({ state }) => state.perhapsSent === true);
  }

  /** The record that one attempt belongs to. */
  byReference(reference: string): OperationRecord | undefined {
    for (const record of this.durable.values()) if (record.references.includes(reference)) return record;
    return undefined;
  }

  override async record(operation: OperationRecord): Promise<{ attempt: number } | Existing> {
    const recorded = await super.record(operation);
    if ('attempt' in recorded) this.see(operation);
    return recorded;
  }

  override async advance(operation: OperationRecord): Promise<void> {
    await super.advance(operation);
    this.see(operation);
  }

  /** A record is durable from now on. */
  protected see(operation: OperationRecord): void {
    const taken = this.noteEdges(operation);
    this.durable.set(operation.operationId, operation);
    if (operation.state.phase === 'sending' && !this.begunAt.has(operation.operationId))
      this.begunAt.set(operation.operationId, this.options.clock.now());
    for (const id of taken) this.options.onTransition(id, operation);
  }

  /** Whether a callback is kept for whoever works on its operation. */
  keepsCallback(_attemptId: string): boolean {
    return false;
  }

  override async noteMerchants(keyId: string, merchants: readonly string[]): Promise<void> {
    await super.noteMerchants(keyId, merchants);
    this.notedKeys.add(keyId);
  }

  /** Nothing can be written any more; `undefined` mends it. */
  break(why: string | undefined): void {
    this.brokenFor = why;
    this.mendedAt = this.options.clock.now();
    this.brokenSince = why === undefined ? undefined : this.options.clock.now();
    if (why === undefined) this.options.broken.end();
    else this.options.broken.begin();
  }

  /** When the last time began of which a part lies between two moments, and in which nothing could be written. Epoch ms. */
  brokenFrom(since: number, until: number): number | undefined {
    return this.options.broken.within(since, until).at(-1)?.from;
  }

  /** Whether nobody could have written at some moment since `time`, epoch ms. */
  wasBrokenSince(time: number): boolean {
    const { fullWhile, origin, clock } = this.options;
    const wasFull = fullWhile.some(({ from, until }) => origin + until > time && origin + from < clock.now());
    return this.brokenFor !== undefined || this.mendedAt >= time || wasFull;
  }

  /** The same between two moments, epoch ms. */
  wasBrokenBetween(since: number, until: number): boolean {
    const { fullWhile, origin, broken } = this.options;
    const wasFull = fullWhile.some((full) => origin + full.until > since && origin + full.from < until);
    return wasFull || broken.between(since, until).ms > 0;
  }

  /** Another disk, with these records and nothing else. */
  replacedBy(records: Iterable<OperationRecord>): Disk {
    const disk = new Disk(this.options);
    for (const record of records) void disk.atOnce(() => disk.record(record));
    return disk;
  }

  /** Deletes what a message asked for, if that has ended: as if it had ended long ago. */
  retire(message: string): void {
    const record = this.of(message);
    if (record === undefined || !isPrunable(record) || this.isNeeded(record)) return;
    this.forget(record);
    this.deleted.add(record.operationId);
  }

  /** Nobody needs it any more. */
  async discard(): Promise<void> {}

  override crash(): void {
    if (this.writing > 0) this.options.faults.add('crash in a journal write');
    super.crash();
  }

  protected override async commit(write: () => void): Promise<void> {
    if (!this.isCertain) await this.trouble();
    write();
  }

  /** A write that neither takes time nor fails. */
  protected atOnce<T>(write: () => Promise<T>): Promise<T> {
    this.isCertain = true;
    const written = write();
    this.isCertain = false;
    return written;
  }

  /** What a write meets. */
  protected async trouble(): Promise<void> {
    const { draw, slowness, clock, faults } = this.options;
    if (slowness > 0 && draw.chance(0.5)) {
      faults.add('journal write slow');
      this.writing++;
      await new Promise<void>((resolve) => {
        clock.after(draw.scale(1, slowness + 1), resolve);
      });
      this.writing--;
    }
    if (this.brokenFor !== undefined) {
      faults.add(this.brokenFor);
      throw new JournalError(this.brokenFor);
    }
    this.fill(this.isFull);
  }

  private get isFull(): boolean {
    const { fullWhile, origin, clock } = this.options;
    return isIn(fullWhile, clock.now() - origin);
  }

  /** @throws JournalError where it has no room at all */
  protected fill(isFull: boolean): void {
    if (!isFull) return;
    this.options.faults.add('journal write failed');
    throw new JournalError('no space left on the disk');
  }

  /** The transitions that were taken since the last write, and the phases they found. */
  private noteEdges({ operationId, timeline, kind }: OperationRecord): string[] {
    const before = this.durable.get(operationId);
    const ids: string[] = [];
    if (before === undefined) return ids;
    let { phase }: { phase: string } = before.state;
    for (const { event } of timeline.slice(before.timeline.length)) {
      const taken = TRANSITIONS[kind].find(({ id }) => id === event);
      if (taken === undefined) continue;
      this.options.edges.add(edge(kind, phase, event));
      phase = taken.to;
      ids.push(`${kind} ${event}`);
    }
    return ids;
  }
}

export function isIn(windows: readonly Window[], time: number): boolean {
  return windows.some(({ from, until }) => time >= from && time < until);
}
