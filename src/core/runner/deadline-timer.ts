import type { Clock, Timer } from '../base/seams.js';

/** One timer for the earliest of several deadlines. */
export class DeadlineTimer {
  private timer: Timer | undefined;
  /** Epoch ms. */
  private dueAt = 0;

  constructor(
    private readonly clock: Clock,
    private readonly onDue: () => void,
  ) {}

  /** The timer is due and about to fire; setting it anew now would lose that deadline. */
  get isDue(): boolean {
    return this.timer !== undefined && this.dueAt <= this.clock.now();
  }

  /** Replaces the timer. @param deadlines epoch ms; without any, no timer is left */
  set(deadlines: readonly number[]): void {
    this.cancel();
    if (deadlines.length === 0) return;
    const now = this.clock.now();
    this.dueAt = Math.max(now, Math.min(...deadlines));
    this.timer = this.clock.after(this.dueAt - now, () => {
      this.timer = undefined;
      this.onDue();
    });
  }

  cancel(): void {
    this.timer?.cancel();
    this.timer = undefined;
  }
}
