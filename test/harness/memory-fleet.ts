import { JournalError, LeaseLostError } from '../../src/core/base/errors.js';
import type { Timer } from '../../src/core/base/seams.js';
import type { Annotation } from '../../src/core/journal/annotation.js';
import { ACCEPTED, RequestGoneError, type Watcher } from '../../src/core/journal/doors.js';
import type { DoorJournal } from '../../src/core/journal/journal.js';
import { MemoryJournal } from '../../src/core/journal/memory.js';
import { FleetTables } from './fleet-tables.js';
import { type FleetProcess, MemoryDoors } from './memory-doors.js';

/** As PostgreSQL has them, ms. */
const LENGTH = 30_000;
const MARGIN = 5000;
const RENEWED_EVERY = 9000;
const LOOKED_EVERY = 2000;
const HINT = 4;
const GRACE = 15_000;

/** Several processes that share a journal in memory, under a virtual clock. One of them leads. */
export class MemoryFleet extends FleetTables {
  readonly members = new Set<Replica>();
  leader: Replica | undefined;

  join(id: string): Replica {
    const replica = new Replica(this, id);
    this.members.add(replica);
    return replica;
  }

  override ring(): void {
    for (const member of this.members) member.lookSoon();
  }
}

/** One process of a fleet. */
export class Replica implements FleetProcess {
  readonly doors: MemoryDoors;
  /** It leads where the fleet says so; otherwise it can only be used as a door. */
  readonly journal: ReplicaJournal;
  /** The database cannot be reached, or the process stands still. */
  isCut = false;
  /** When it was back after that, epoch ms. */
  private backAt = Number.NEGATIVE_INFINITY;
  until = 0;
  generation = 0;
  private readonly watchers = new Map<Watcher, { isLooking: boolean; again: boolean }>();
  private readonly timers = new Set<Timer>();
  private hint: Timer | undefined;

  constructor(
    readonly fleet: MemoryFleet,
    readonly id: string,
  ) {
    this.doors = new MemoryDoors(this);
    this.journal = new ReplicaJournal(this);
    this.renew();
    this.every(RENEWED_EVERY, () => this.renew());
    this.every(LOOKED_EVERY, () => this.look());
  }

  get leads(): boolean {
    return this.fleet.leader === this;
  }

  lead(): this {
    this.fleet.leader = this;
    return this;
  }

  cut(): void {
    this.isCut = true;
  }

  bringBack(): void {
    this.isCut = false;
    this.backAt = this.fleet.clock.now();
    this.renew();
  }

  /** Whether the others may just not have come back yet. */
  get isJustBack(): boolean {
    return this.fleet.clock.now() < this.backAt + GRACE;
  }

  /** The process dies. */
  kill(): void {
    for (const timer of this.timers) timer.cancel();
    this.hint?.cancel();
    this.watchers.clear();
    this.isCut = true;
    this.fleet.members.delete(this);
    if (this.leads) this.fleet.leader = undefined;
  }

  mustReach(): void {
    if (this.isCut) throw new JournalError('the database is away');
  }

  watch(watcher: Watcher): () => void {
    this.watchers.set(watcher, { isLooking: false, again: false });
    this.lookSoon();
    return () => this.watchers.delete(watcher);
  }

  hear(text: string): void {
    for (const watcher of this.watchers.keys()) watcher.hear?.(text);
  }

  lookSoon(): void {
    this.hint ??= this.fleet.clock.after(HINT, () => {
      this.hint = undefined;
      this.look();
    });
  }

  private look(): void {
    for (const [watcher, state] of this.watchers) {
      state.again = true;
      if (!state.isLooking) void this.lookWith(watcher, state);
    }
  }

  private async lookWith(watcher: Watcher, state: { isLooking: boolean; again: boolean }): Promise<void> {
    state.isLooking = true;
    while (state.again && this.watchers.has(watcher)) {
      state.again = false;
      // Away: the next look finds it, or does not.
      await watcher.look().catch(() => undefined);
    }
    state.isLooking = false;
  }

  private renew(): void {
    if (this.isCut) return;
    if (!this.fleet.replicas.has(this.id)) this.generation++;
    this.until = this.fleet.clock.now() + LENGTH;
    this.fleet.replicas.set(this.id, this.until);
  }

  mayTell(): boolean {
    return this.fleet.clock.now() < this.until - MARGIN;
  }

  private every(ms: number, run: () => void): void {
    const timer = this.fleet.clock.after(ms, () => {
      this.timers.delete(timer);
      run();
      this.every(ms, run);
    });
    this.timers.add(timer);
  }
}

/** The order of a door is recorded, in the same transaction. @throws RequestGoneError */
export function acceptIn(tables: FleetTables, id: string): void {
  const request = tables.requests.get(id);
  const isOpen = request?.answer === undefined && request?.replica !== undefined;
  if (!isOpen || request.until <= tables.clock.now()) throw new RequestGoneError('taken back');
  request.answer = ACCEPTED;
  tables.ring();
}

class ReplicaJournal extends MemoryJournal {
  readonly doors: MemoryDoors;
  /** What is being written may come from any process. */
  private isAnybodys = false;

  constructor(private readonly replica: Replica) {
    super(() => replica.fleet.clock.now(), replica.fleet.disk);
    this.doors = replica.doors;
  }

  override mayAct(): boolean {
    return this.replica.leads && !this.replica.isCut;
  }

  override annotate(operationId: string, annotation: Annotation): Promise<void> {
    return this.asAnybody(() => super.annotate(operationId, annotation));
  }

  override noteMerchants(keyId: string, merchants: readonly string[]): Promise<void> {
    return this.asAnybody(() => super.noteMerchants(keyId, merchants));
  }

  private asAnybody(write: () => Promise<void>): Promise<void> {
    this.isAnybodys = true;
    const written = write();
    this.isAnybodys = false;
    return written;
  }

  protected override async commit(write: () => void): Promise<void> {
    this.replica.mustReach();
    if (!this.replica.leads && !this.isAnybodys) throw new LeaseLostError('another process leads');
    write();
  }

  protected override accept(id: string): void {
    acceptIn(this.replica.fleet, id);
  }

  /** What a process that does not lead may do with it. */
  asDoor(): DoorJournal {
    return this;
  }
}
