import type { Clock } from '../../../src/core/base/seams.js';
import type { Machine } from '../../../src/core/journal/lmdb/lock/machine.js';
import { systemClock } from '../../../src/core/platform/system-clock.js';

/** A clock that runs so many times as fast; a frozen process has one whose timers never come. */
export class QuickClock implements Clock {
  private readonly begun = systemClock.now();
  private slept = 0;
  isFrozen = false;

  constructor(private readonly times = 50) {}

  now(): number {
    return this.begun + (systemClock.now() - this.begun) * this.times;
  }

  wall(): number {
    return this.now() + this.slept;
  }

  /** As where the machine sleeps: the computer's clock goes on, and no timer comes. */
  sleep(ms: number): void {
    this.slept += ms;
  }

  after(ms: number, run: () => void) {
    return systemClock.after(ms / this.times, () => {
      if (!this.isFrozen) run();
    });
  }
}

/** Whoever waits on it waits for ever. */
export const NEVER_WAITS: Clock = { ...systemClock, after: () => ({ cancel: () => undefined }) };

/** One that others share the folder with, unless it has the disk to itself. */
export function machine(clock: Clock = new QuickClock(), kernel = 'kernel-a', isOwn = false): Machine {
  return { kernel, clock, hasAsOwn: async () => isOwn };
}
