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
    const { receipts } = journal;
    const failed = await this.round(() => journal.prune(this.keepDays * DAY));
    // Receipts go in their time, whatever becomes of the operations.
    const failedToo = receipts && (await this.round(() => receipts.prune()));
    if (this.isStopped) return;
    if (failed !== undefined) this.onError(failed);
    if (failedToo !== undefined && failedToo.message !== failed?.message) this.onError(failedToo);
    this.timer = systemClock.after(HOUR, () => void this.start(journal));
  }

  stop(): void {
    this.isStopped = true;
    this.timer?.cancel();
    this.wake();
  }

  /** Resolves with what went wrong, once nothing is left. */
  private async round(prune: () => Promise<number>): Promise<Error | undefined> {
    try {
      while (!this.isStopped && (await prune()) > 0) await this.pause();
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
      this.timer = systemClock.after(PAUSE, resolve);
    });
  }
}
