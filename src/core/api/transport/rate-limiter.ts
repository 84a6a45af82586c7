import { WithdrawnError } from '../../base/errors.js';
import type { Clock, Timer } from '../../base/seams.js';

/** One second plus a margin, because requests sent a second apart may arrive closer together. */
const WINDOW_MS = 1050;

/**
 * Who starts first, in this order: what frees a terminal or returns money, then payments on a terminal, then requests
 * without a terminal, then questions.
 */
const PRIORITIES = ['urgent', 'terminal', 'back-office', 'read'] as const;

export type Priority = (typeof PRIORITIES)[number];

interface Waiter {
  rank: number;
  start: () => void;
}

/**
 * A queue that allows at most `perSecond` starts in any second: by priority, and first come, first served within each.
 * Its one timer exists only while a caller waits.
 */
export class RateLimiter {
  /** Epoch ms of the latest starts, at most `perSecond`, oldest first. */
  private readonly starts: number[] = [];
  private readonly queue: Waiter[] = [];
  private pausedUntil = 0;
  private timer: Timer | undefined;

  /** @param perSecond 0 switches the limit off */
  constructor(
    private readonly clock: Clock,
    private readonly perSecond: number,
  ) {}

  /** The number of waiting callers. */
  get waiting(): number {
    return this.queue.length;
  }

  /**
   * Resolves when the caller may start, and counts that start.
   * @param onQueued called if the caller has to wait
   * @throws WithdrawnError if the signal aborts first
   */
  take({
    priority = 'terminal',
    signal,
    onQueued,
  }: {
    priority?: Priority;
    signal?: AbortSignal;
    onQueued?: () => void;
  } = {}): Promise<void> {
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
      const waiter: Waiter = { rank: PRIORITIES.indexOf(priority), start };
      this.enqueue(waiter);
      signal?.addEventListener('abort', leave, { once: true });
      this.schedule();
      onQueued?.();
    });
  }

  /** Blocks every start for `ms`, after the service responded that it had too many requests. */
  pause(ms: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + ms);
    this.schedule();
  }

  /** Epoch ms of the next possible start. */
  private freeAt(): number {
    const [oldest] = this.starts;
    const isFull = this.perSecond > 0 && this.starts.length === this.perSecond;
    return Math.max(this.pausedUntil, isFull && oldest !== undefined ? oldest + WINDOW_MS : 0);
  }

  private note(): void {
    if (this.perSecond === 0) return;
    this.starts.push(this.clock.now());
    if (this.starts.length > this.perSecond) this.starts.shift();
  }

  private enqueue(waiter: Waiter): void {
    const behind = this.queue.findLastIndex(({ rank }) => rank <= waiter.rank);
    this.queue.splice(behind + 1, 0, waiter);
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

/** The rate limiters of a process: one for each address, key and limit, shared by every user of that key. */
export class RateLimiterRegistry {
  private readonly rateLimiters = new Map<string, RateLimiter>();

  constructor(private readonly clock: Clock) {}

  /** Returns the shared limiter, creating it on first use. */
  of(baseUrl: string, apiKey: string, perSecond: number): RateLimiter {
    const id = JSON.stringify([baseUrl, apiKey, perSecond]);
    const existing = this.rateLimiters.get(id);
    if (existing !== undefined) return existing;
    const limiter = new RateLimiter(this.clock, perSecond);
    this.rateLimiters.set(id, limiter);
    return limiter;
  }
}
