import type { Clock, Timer } from '../../core/base/seams.js';

const NO_TIMER: Timer = { cancel() {} };

/** The clock that everything in the simulator waits by, so that one call ends all waiting. */
export class Timers implements Clock {
  private readonly live = new Set<Timer>();
  private stopped = false;

  constructor(private readonly clock: Clock) {}

  now(): number {
    return this.clock.now();
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

  /** Cancels every timer; none can be set any more. */
  stop(): void {
    this.stopped = true;
    for (const timer of this.live) timer.cancel();
    this.live.clear();
  }
}
