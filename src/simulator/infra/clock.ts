import type { Clock, Timer } from '../../core/base/seams.js';

const NO_TIMER: Timer = { cancel() {} };

/** The one clock of a simulator. Stopping it cancels every timer of every part. */
export class Timers implements Clock {
  private readonly live = new Set<Timer>();
  private stopped = false;

  constructor(private readonly clock: Clock) {}

  now(): number {
    return this.clock.now();
  }

  wall(): number {
    return this.clock.wall();
  }

  after(ms: number, run: () => void): Timer {
    if (this.stopped) return NO_TIMER;
    const timer = this.clock.after(ms, () => {
      this.live.delete(timer);
      run();
    });
    this.live.add(timer);
    return {
      cancel: () => {
        timer.cancel();
        this.live.delete(timer);
      },
    };
  }

  /** Cancels every timer. No timer can be set afterwards. */
  stop(): void {
    this.stopped = true;
    for (const timer of this.live) timer.cancel();
    this.live.clear();
  }
}
