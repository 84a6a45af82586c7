import type { Clock, Timer } from '../../src/core/base/seams.js';

/** The clock of one life of a process: once it has died, nothing that it waits for comes. */
export class Life implements Clock {
  private isOver = false;

  constructor(private readonly clock: Clock) {}

  now = (): number => this.clock.now();
  wall = (): number => this.clock.wall();
  after = (ms: number, run: () => void): Timer => this.clock.after(ms, () => this.isOver || run());

  die(): void {
    this.isOver = true;
  }
}
