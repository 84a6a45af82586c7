import { WithdrawnError } from '../../base/errors.js';
import type { Clock, Timer } from '../../base/seams.js';

/** One second plus a margin, because requests sent a second apart may arrive closer together. */
const WINDOW_MS = 1050;

/**
 * Who starts first, in this order: what frees a terminal or returns money, then payments on a terminal, then requests
 * without a terminal, then questions. Of the questions one that has waited for {@link PATIENCE} takes every second start
 * that is not urgent: on a busy key somebody who has paid would otherwise wait for as long as others come to pay.
 */
const PRIORITIES = ['urgent', 'terminal', 'back-office', 'read'] as const;
const URGENT = PRIORITIES.indexOf('urgent');
const READ = PRIORITIES.indexOf('read');
/** ms. */
const PATIENCE = 10_000;

export type Priority = (typeof PRIORITIES)[number];

interface Waiter {
  rank: number;
  /** Epoch ms. */
  since: number;
  start: () => void;
}

/**
 * A queue that allows at most `perSecond` starts in any second: by priority, and first come, first served within each.
 * Its one timer exists only while a caller waits.
 */
export class RateLimiter {
  /** Epoch ms of the latest starts: a ring of at most `perSecond`, in which `count` follow the oldest. */
  private readonly starts: number[] = [];
  private oldest = 0;
  private count = 0;
  /** How many have been let through and not left yet. */
  private held = 0;
  private readonly queue: Waiter[] = [];
  private pausedUntil = 0;
  /** The latest of those that waited was a question, before others that had to wait for it. */
  private hasGivenWay = false;
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
    if (this.isFree) {
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
      const waiter: Waiter = { rank: PRIORITIES.indexOf(priority), since: this.clock.now(), start };
      this.enqueue(waiter);
      signal?.addEventListener('abort', leave, { once: true });
      this.schedule();
      onQueued?.();
    });
  }

  /** A caller would not have to wait. */
  get isFree(): boolean {
    return this.queue.length === 0 && this.freeAt() <= this.clock.now();
  }

  /** What has just been let through leaves later: until the returned function is called its place stays taken. */
  hold(): () => void {
    if (this.count === 0) return () => undefined;
    this.count--;
    this.held++;
    return () => {
      this.held--;
      this.push();
      this.schedule();
    };
  }

  /** Blocks every start for `ms`, after the service responded that it had too many requests. */
  pause(ms: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + ms);
    this.schedule();
  }

  /** Epoch ms of the next possible start. */
  private freeAt(): number {
    if (!this.isFull) return this.pausedUntil;
    const oldest = this.count === 0 ? Number.POSITIVE_INFINITY : (this.starts[this.oldest] ?? 0);
    return Math.max(this.pausedUntil, oldest + WINDOW_MS);
  }

  private get isFull(): boolean {
    return this.perSecond > 0 && this.count + this.held === this.perSecond;
  }

  private note(): void {
    if (this.perSecond === 0) return;
    if (this.isFull) {
      this.oldest = (this.oldest + 1) % this.perSecond;
      this.count--;
    }
    this.push();
  }

  private push(): void {
    this.starts[(this.oldest + this.count) % this.perSecond] = this.clock.now();
    this.count++;
  }

  private enqueue(waiter: Waiter): void {
    const behind = this.queue.findLastIndex(({ rank }) => rank <= waiter.rank);
    this.queue.splice(behind + 1, 0, waiter);
  }

  private next(): Waiter | undefined {
    const place = this.hasGivenWay ? 0 : this.placeOfOverdue();
    this.hasGivenWay = place > 0;
    return this.queue.splice(place, 1)[0];
  }

  /** The place of a question that must not wait any longer; without one that of whoever is first. */
  private placeOfOverdue(): number {
    if (this.queue[0]?.rank === URGENT) return 0;
    const place = this.queue.findIndex(({ rank }) => rank === READ);
    const { since = Number.POSITIVE_INFINITY } = this.queue[place] ?? {};
    return this.clock.now() - since >= PATIENCE ? place : 0;
  }

  private schedule(): void {
    this.timer?.cancel();
    this.timer = undefined;
    const freeAt = this.freeAt();
    if (this.queue.length === 0 || freeAt === Number.POSITIVE_INFINITY) return;
    this.timer = this.clock.after(Math.max(0, freeAt - this.clock.now()), () => this.release());
  }

  private release(): void {
    this.timer = undefined;
    while (this.freeAt() <= this.clock.now()) {
      const next = this.next();
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
