import type { Clock, Timer } from '../../src/core/base/seams.js';

interface Entry {
  at: number;
  /** Ties fire in the order they were set. */
  order: number;
  /** Undefined once fired or cancelled. */
  run: (() => void) | undefined;
}

/**
 * A Clock that stands still until it is moved. Between two firings everything that is ready to run has run. Its wall clock
 * can be set.
 */
export class VirtualClock implements Clock {
  private readonly heap: Entry[] = [];
  private order = 0;
  private live = 0;
  private readonly held = new Set<Promise<unknown>>();
  /** How far the wall clock is ahead, ms. */
  jumped = 0;

  /** `time`: where it starts, epoch ms. */
  constructor(private time = 1_700_000_000_000) {}

  now(): number {
    return this.time;
  }

  wall(): number {
    return this.time + this.jumped;
  }

  after(ms: number, run: () => void): Timer {
    if (!Number.isFinite(ms)) throw new RangeError(`a timer of ${ms} ms`);
    const entry: Entry = { at: this.time + Math.max(0, ms), order: this.order++, run };
    push(this.heap, entry);
    this.live++;
    return {
      cancel: () => {
        if (entry.run === undefined) return;
        entry.run = undefined;
        this.live--;
      },
    };
  }

  /** Time stands still until `work` outside of it, such as a write to a real disk, is done. */
  hold(work: Promise<unknown>): void {
    const forget = (): boolean => this.held.delete(settled);
    const settled: Promise<boolean> = work.then(forget, forget);
    this.held.add(settled);
  }

  /** How many timers are set: neither fired nor cancelled. */
  get pending(): number {
    return this.live;
  }

  /** Moves on by `ms`, firing what becomes due in order. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    await this.drain();
    while (await this.fireNext(end));
    this.time = end;
  }

  /**
   * Moves on from timer to timer until none is left, for at most `limit` ms. Returns whether none is left.
   * The time stays that of the last firing.
   */
  async runUntilIdle(limit = Number.POSITIVE_INFINITY): Promise<boolean> {
    const end = this.time + limit;
    await this.drain();
    while (await this.fireNext(end));
    return this.live === 0;
  }

  /** Moves on from timer to timer until `done` says so, for at most `limit` ms. Returns what it says in the end. */
  async runUntil(done: () => boolean, limit = Number.POSITIVE_INFINITY): Promise<boolean> {
    const end = this.time + limit;
    await this.drain();
    while (!done() && (await this.fireNext(end)));
    return done();
  }

  private async fireNext(end: number): Promise<boolean> {
    let next = this.heap[0];
    while (next !== undefined && next.run === undefined) {
      pop(this.heap);
      next = this.heap[0];
    }
    if (next?.run === undefined || next.at > end) return false;
    pop(this.heap);
    this.time = next.at;
    this.live--;
    const { run } = next;
    next.run = undefined;
    run();
    await this.drain();
    return true;
  }

  /** Lets everything that is ready go on, and all that follows from it. */
  private async drain(): Promise<void> {
    // Called from no promise, such as the first seed of a process, `nextTick` would come before those that are ready.
    await undefined;
    await afterPromises();
    while (this.held.size > 0) {
      await Promise.all(this.held);
      await afterPromises();
    }
  }
}

/** Lets every promise that is ready go on, and all that follow from them: the next tick comes after the last of them. */
function afterPromises(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

function push(heap: Entry[], entry: Entry): void {
  let place = heap.push(entry) - 1;
  while (place > 0) {
    const above = (place - 1) >> 1;
    const parent = heap[above];
    if (parent === undefined || !isBefore(entry, parent)) break;
    heap[place] = parent;
    place = above;
  }
  heap[place] = entry;
}

function pop(heap: Entry[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let place = 0;
  for (;;) {
    let child = 2 * place + 1;
    let least = heap[child];
    const right = heap[child + 1];
    if (least !== undefined && right !== undefined && isBefore(right, least)) {
      child++;
      least = right;
    }
    if (least === undefined || !isBefore(least, last)) break;
    heap[place] = least;
    place = child;
  }
  heap[place] = last;
}
