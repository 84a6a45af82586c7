import type { Timer } from '../../../core/base/seams.js';
import type { Journal } from '../../../core/journal/journal.js';
import { systemClock } from '../../../core/platform/system-clock.js';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
/** Between one batch and the next, so that payments do not wait for pruning, ms. */
const PAUSE = 20;

/**
 * Deletes the operations and receipts that a journal has kept long enough, a few at a time and beside the payments: when it
 * is opened, and then every hour.
 */
export class Pruning {
  private timer: Timer | undefined;
  private wake: () => void = () => undefined;
  private isStopped = false;

  /** @param onError called when a pruning fails; it is tried again an hour later */
  constructor(
    private readonly keepDays: number,
    private readonly onError: (error: Error) => void,
  ) {}

  /** Begins now. Resolves at the end of the first round, which nobody has to wait for. */
  async start(journal: Journal): Promise<void> {
    this.timer?.cancel();
    try {
      while (!this.isStopped && (await journal.prune(this.keepDays * DAY)) > 0) await this.pause();
      while (!this.isStopped && ((await journal.receipts?.prune()) ?? 0) > 0) await this.pause();
    } catch (error) {
      if (!this.isStopped) this.onError(error as Error);
    }
    if (this.isStopped) return;
    this.timer = systemClock.after(HOUR, () => void this.start(journal));
  }

  stop(): void {
    this.isStopped = true;
    this.timer?.cancel();
    this.wake();
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
      this.timer = systemClock.after(PAUSE, resolve);
    });
  }
}
