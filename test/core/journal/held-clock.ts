import type { Clock, Timer } from '../../../src/core/base/seams.js';

/** A clock that a test sets, and whose timers fire when the test says so. */
export class HeldClock implements Clock {
  private time = 1_700_000_000_000;
  private ahead = 0;
  private readonly timers = new Map<() => void, number>();
  private readonly awaited = new Map<number, () => void>();

  now(): number {
    return this.time;
  }

  wall(): number {
    return this.time + this.ahead;
  }

  after(ms: number, run: () => void): Timer {
    this.timers.set(run, ms);
    this.awaited.get(ms)?.();
    return { cancel: () => this.timers.delete(run) };
  }

  /** Both clocks move on. */
  pass(ms: number): void {
    this.time += ms;
  }

  /** The computer's clock alone moves, as while the computer sleeps. */
  jump(ms: number): void {
    this.ahead += ms;
  }

  /** Resolves once a timer of this length is set. */
  async set(ms: number): Promise<void> {
    if ([...this.timers.values()].includes(ms)) return;
    await new Promise<void>((resolve) => this.awaited.set(ms, resolve));
    this.awaited.delete(ms);
  }

  /** Fires the timer of this length, once it is set. */
  async fire(ms: number): Promise<void> {
    await this.set(ms);
    const [run] = [...this.timers].find(([, length]) => length === ms) ?? [];
    if (run === undefined) return;
    this.timers.delete(run);
    run();
  }
}
