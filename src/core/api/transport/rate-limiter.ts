import type { Signal } from '../../base/abort.js';
import { WithdrawnError } from '../../base/errors.js';
import type { Clock, Timer } from '../../base/seams.js';

/**
 * The service counts a request when it arrives, which is before its answer does: from so long after the answer on the next one
 * may leave. A second, and a margin for timers. ms.
 */
const WINDOW_MS = 1010;
/** A request without an answer has arrived by then, or never will. ms. */
const TRAVEL_MS = 1000;

/**
 * Who starts first, in this order: what frees a terminal or returns money, then payments on a terminal, then requests
 * without a terminal, then questions. Of the questions one that has waited for {@link PATIENCE} takes every second start
 * that is not urgent: on a busy key somebody who has paid would otherwise wait for as long as others come to pay.
 */
const PRIORITIES = ['urgent', 'terminal', 'back-office', 'read'] as const;
const URGENT = PRIORITIES.indexOf('urgent');
const READ = PRIORITIES.indexOf('read');
/** After so long a question no longer stands behind everything else, ms. */
const PATIENCE = 10_000;

export type Priority = (typeof PRIORITIES)[number];

interface Waiter {
  rank: number;
  /** Epoch ms. */
  since: number;
  start: () => void;
}

/** What a caller has been let through with: one of the requests of a second. */
export interface Place {
  /** The request leaves now. Until it does, its place stays taken. */
  leave(): void;
  /** The answer has come. */
  answered(): void;
  /** Nothing was sent, and nothing will be. */
  giveBack(): void;
}

/**
 * A queue by which at most `perSecond` requests arrive in any second, however long each is on its way: by priority, and first
 * come, first served within each. Its one timer exists only while a caller waits.
 */
export class RateLimiter {
  /** At most `perSecond`, each until it is free again, epoch ms. */
  private readonly taken = new Set<{ until: number }>();
  private readonly queue: Waiter[] = [];
  private pausedUntil = 0;
  /** The latest of those that waited was a question, before others that had to wait for it. */
  private hasGivenWay = false;
  private timer: Timer | undefined;
  /** What its users allow, requests in a second. */
  private readonly limits = new Set<{ perSecond: number }>();

  /** @param perSecond the lowest that any of its users allows; 0 switches the limit off */
  constructor(
    private readonly clock: Clock,
    private perSecond: number,
  ) {}

  /** Somebody who allows so many requests in a second uses it too; 0: any number. Returns how to use it no longer. */
  join(perSecond: number): () => void {
    const limit = { perSecond };
    this.limits.add(limit);
    this.agree();
    return () => {
      this.limits.delete(limit);
      // Who has left may have requests on their way.
      if (this.limits.size > 0) this.agree();
    };
  }

  /** The service has one limit for a key, whatever its users take it for: the lowest one is safe. */
  private agree(): void {
    const lowest = Math.min(...[...this.limits].map(({ perSecond }) => perSecond || Number.POSITIVE_INFINITY));
    this.perSecond = lowest === Number.POSITIVE_INFINITY ? 0 : lowest;
    this.schedule();
  }

  /** The number of waiting callers. */
  get waiting(): number {
    return this.queue.length;
  }

  /**
   * Resolves when the caller may start.
   * @param onQueued called if the caller has to wait
   * @throws WithdrawnError if the signal aborts first
   */
  take({
    priority = 'terminal',
    signal,
    onQueued,
  }: {
    priority?: Priority;
    signal?: Signal;
    onQueued?: () => void;
  } = {}): Promise<Place> {
    if (signal?.aborted) return Promise.reject(withdrawn());
    if (this.isFree) return Promise.resolve(this.admit());
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        signal?.removeEventListener('abort', leave);
        this.queue.splice(this.queue.indexOf(waiter), 1);
        this.schedule();
        reject(withdrawn());
      };
      const start = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve(this.admit());
      };
      const waiter: Waiter = { rank: PRIORITIES.indexOf(priority), since: this.clock.now(), start };
      this.enqueue(waiter);
      signal?.addEventListener('abort', leave);
      this.schedule();
      onQueued?.();
    });
  }

  /** A caller would not have to wait. */
  get isFree(): boolean {
    return this.queue.length === 0 && this.freeAt() <= this.clock.now();
  }

  /** Another process may have sent just now what is allowed: begins when none of that counts any more. */
  startAfresh(): void {
    this.pause(WINDOW_MS);
  }

  /** Blocks every start for `ms`, after the service responded that it had too many requests. */
  pause(ms: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + ms);
    this.schedule();
  }

  /** Epoch ms of the next possible start. */
  private freeAt(): number {
    if (!this.isFull) return this.pausedUntil;
    const now = this.clock.now();
    let first = Number.POSITIVE_INFINITY;
    for (const place of this.taken) {
      if (place.until <= now) this.taken.delete(place);
      else first = Math.min(first, place.until);
    }
    return this.isFull ? Math.max(this.pausedUntil, first) : this.pausedUntil;
  }

  private get isFull(): boolean {
    return this.perSecond > 0 && this.taken.size >= this.perSecond;
  }

  private admit(): Place {
    const place = { until: Number.POSITIVE_INFINITY };
    if (this.perSecond > 0) this.taken.add(place);
    const takenFor = (ms: number): void => {
      place.until = Math.min(place.until, this.clock.now() + ms);
      this.schedule();
    };
    return {
      leave: () => takenFor(TRAVEL_MS + WINDOW_MS),
      answered: () => takenFor(WINDOW_MS),
      giveBack: () => takenFor(0),
    };
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
    if (this.queue.length === 0) return;
    const freeAt = this.freeAt();
    if (freeAt === Number.POSITIVE_INFINITY) return;
    this.timer = this.clock.after(Math.max(0, freeAt - this.clock.now()), () => this.release());
  }

  private release(): void {
    this.timer = undefined;
    while (this.freeAt() <= this.clock.now()) {
      const next = this.next();
      if (next === undefined) return;
      next.start();
    }
    this.schedule();
  }
}

function withdrawn(): WithdrawnError {
  return new WithdrawnError('withdrawn before it was sent');
}

/** The rate limiters of a process: one for each key at an address, shared by every user of that key. */
export class RateLimiterRegistry {
  private readonly rateLimiters = new Map<string, RateLimiter>();

  constructor(private readonly clock: Clock) {}

  /** The limiter of a key, and how to use it no longer: of what its users allow the lowest counts. */
  join(baseUrl: string, apiKey: string, perSecond: number): { rateLimiter: RateLimiter; leave: () => void } {
    const id = JSON.stringify([new URL(baseUrl).href.replace(/\/+$/, ''), apiKey]);
    const rateLimiter = this.rateLimiters.get(id) ?? new RateLimiter(this.clock, perSecond);
    this.rateLimiters.set(id, rateLimiter);
    return { rateLimiter, leave: rateLimiter.join(perSecond) };
  }
}
