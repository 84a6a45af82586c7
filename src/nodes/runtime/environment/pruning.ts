import type { Timer } from '../../../core/base/seams.js';
import type { Journal } from '../../../core/journal/journal.js';
import { systemClock } from '../../../core/platform/system-clock.js';

const DAY = 24 * 60 * 60 * 1000;

/** Deletes the operations that a journal has kept long enough: when it is opened, and then every day. */
export class Pruning {
  private timer: Timer | undefined;
  private isStopped = false;

  /** @param onError called when a daily pruning fails */
  constructor(
    private readonly keepDays: number,
    private readonly onError: (error: Error) => void,
  ) {}

  /** Prunes now, and sets the timer for the next day. @throws JournalError */
  async start(journal: Journal): Promise<void> {
    const before = systemClock.now() - this.keepDays * DAY;
    while ((await journal.prune(before)) > 0 && !this.isStopped);
    this.timer?.cancel();
    if (this.isStopped) return;
    this.timer = systemClock.after(DAY, () => {
      this.start(journal).catch(this.onError);
    });
  }

  stop(): void {
    this.isStopped = true;
    this.timer?.cancel();
  }
}
