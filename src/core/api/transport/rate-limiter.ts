import { WithdrawnError } from '../../base/errors.js';
import type { Clock, Timer } from '../../base/seams.js';

/** A second, and a little: two requests a second apart may arrive closer to each other than they left. */
const WINDOW_MS = 1050;

interface Waiter {
  start: () => void;
}

/** One queue, first come first served: at most `perSecond` starts in any second. Its only timer is set while someone waits. */
export class RateLimiter {
  private starts: number[] = [];
  private readonly queue: Waiter[] = [];
  private pausedUntil = 0;
  private timer: Timer | undefined;

  /** @param perSecond 0 switches it off */
  constructor(
    private readonly clock: Clock,
    private readonly perSecond: number,
  ) {}

  /** How many wait. */
  get waiting(): number {
    return this.queue.length;
  }

  /**
   * Resolves when the caller may start; it has then started.
   * @param onQueued called when it has to wait
   * @throws WithdrawnError when the signal aborts first
   */
  take({ signal, onQueued }: { signal?: AbortSignal; onQueued?: () => void } = {}): Promise<void> {
    if (signal?.aborted) return Promise.reject(withdrawn());
    if (this.queue.length === 0 && this.freeAt() <= this.clock.now()) {
      this.note();
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.queue.splice(this.queue.indexOf(waiter), 1);
        this.schedule();
        reject(withdrawn());
      };
      const start = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const waiter: Waiter = { start };
      this.queue.push(waiter);
      signal?.addEventListener('abort', leave, { once: true });
      this.schedule();
      onQueued?.();
    });
  }

  /** Lets nobody start for `ms`: the service has said that it was too much. */
  pause(ms: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + ms);
    this.schedule();
  }

  /** Epoch ms from which on one more may start. */
  private freeAt(): number {
    const oldest = this.perSecond === 0 ? undefined : this.starts.at(-this.perSecond);
    return Math.max(this.pausedUntil, oldest === undefined ? 0 : oldest + WINDOW_MS);
  }

  private note(): void {
    if (this.perSecond === 0) return;
    this.starts = [...this.starts, this.clock.now()].slice(-this.perSecond);
  }

  private schedule(): void {
    this.timer?.cancel();
    this.timer = undefined;
    if (this.queue.length === 0) return;
    this.timer = this.clock.after(Math.max(0, this.freeAt() - this.clock.now()), () => this.release());
  }

  private release(): void {
    this.timer = undefined;
    while (this.freeAt() <= this.clock.now()) {
      const next = this.queue.shift();
      if (next === undefined) return;
      this.note();
      next.start();
    }
    this.schedule();
  }
}

function withdrawn(): WithdrawnError {
  return new WithdrawnError('withdrawn before it was sent');
}

/** The rateLimiters of a process: one for each key at each address, shared by everyone who uses that key. */
export class RateLimiterRegistry {
  private readonly rateLimiters = new Map<string, RateLimiter>();

  constructor(private readonly clock: Clock) {}

  /** The first to ask decides how many per second. */
  of(baseUrl: string, apiKey: string, perSecond: number): RateLimiter {
    const id = JSON.stringify([baseUrl, apiKey, perSecond]);
    const existing = this.rateLimiters.get(id);
    if (existing !== undefined) return existing;
    const throttle = new RateLimiter(this.clock, perSecond);
    this.rateLimiters.set(id, throttle);
    return throttle;
  }
}
