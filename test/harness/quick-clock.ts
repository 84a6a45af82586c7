import { systemClock } from '../../src/core/platform/system-clock.js';

/** The clock of every engine and simulator in this process, running so many times as fast. Never goes backwards. */
export class QuickClock {
  private readonly real = { ...systemClock };
  private from = this.real.now();
  private since = this.from;

  constructor(private times: number) {
    systemClock.now = () => this.now();
    systemClock.wall = () => this.now();
    systemClock.after = (ms, run) => this.real.after(ms / this.times, run);
  }

  /** From now on; a timer that is set already comes when it would have come. */
  runAt(times: number): void {
    this.from = this.now();
    this.since = this.real.now();
    this.times = times;
  }

  restore(): void {
    Object.assign(systemClock, this.real);
  }

  private now(): number {
    return this.from + (this.real.now() - this.since) * this.times;
  }
}
