import { RateLimiterRegistry } from '../../src/core/api/transport/rate-limiter.js';
import type { Clock, Send, Timer } from '../../src/core/base/seams.js';
import type { Journal } from '../../src/core/journal/journal.js';
import type { Death } from './scenario.js';

/** A burst of a hundred messages takes some thousand. */
const MOST_STEPS_AT_ONCE = 30_000;
const NO_TIMER: Timer = { cancel() {} };

/**
 * One life of the process that the flow runs in. Every call that leaves the engine passes here, and the process may
 * die right before or right after any of them. From then on nothing it calls has an effect, and nothing it waits for
 * comes. It may also be frozen: its timers and answers wait until it thaws, while the world goes on.
 */
export class Process {
  alive = true;
  /** How far this life's wall clock is ahead of the world's, ms. */
  skew = 0;
  /** The same at the start of this life, whose own time passes evenly from there. */
  private startSkew = 0;
  /** Until when the process was frozen, or when its clock was moved last, world time; undefined where neither happened. */
  disturbedAt: number | undefined;
  /** World time. */
  readonly startedAt: number;
  readonly clock: Clock;
  readonly rateLimiters: RateLimiterRegistry;
  private steps = 0;
  private stepsNow = 0;
  private steppedAt = 0;
  private tellings = 0;
  /** World time. */
  thawsAt = 0;
  /** How long the machine has slept in this life: its own time stood still. Ms. */
  private slept = 0;
  private wasPutBack = false;
  private readonly mourners = new Set<() => void>();

  /**
   * @param death when it dies by itself
   * @param died called once when it dies
   */
  constructor(
    readonly number: number,
    private readonly world: Clock,
    private readonly death: Death | undefined,
    private readonly died: (byItself: boolean) => void,
  ) {
    this.startedAt = world.now();
    this.clock = {
      now: () => world.now() + this.startSkew - this.slept,
      wall: () => world.now() + this.skew,
      after: (ms, run) => this.after(ms, run),
    };
    this.rateLimiters = new RateLimiterRegistry(this.clock);
  }

  /** Stops everything for `ms`. */
  freeze(ms: number): void {
    this.thawsAt = Math.max(this.thawsAt, this.world.now() + ms);
    this.disturbedAt = this.thawsAt;
  }

  /** The machine sleeps for `ms`: the same, and the time of the process stands still meanwhile. */
  sleep(ms: number): void {
    const wakesAt = this.world.now() + ms;
    this.slept += Math.max(0, wakesAt - Math.max(this.world.now(), this.thawsAt));
    this.freeze(ms);
  }

  /** The process starts with a wall clock that is ahead by `ms`. */
  startClock(ms: number): void {
    this.moveClock(ms);
    this.wasPutBack = false;
    this.startSkew = ms;
  }

  /** Somebody, or a time server, moves the wall clock by `ms`. */
  moveClock(ms: number): void {
    if (ms === 0) return;
    // A process that is frozen stays disturbed until it thaws.
    this.disturbedAt = Math.max(this.thawsAt, this.world.now());
    this.wasPutBack ||= ms < 0;
    this.skew += ms;
  }

  /** The machine slept, and its clock was put back: neither its clock nor its own time shows for how long. */
  get hasSleptUnseen(): boolean {
    return this.slept > 0 && this.wasPutBack;
  }

  get isFrozen(): boolean {
    return this.thawsAt > this.world.now();
  }

  /** Runs `work` now, or as soon as the process is frozen no more. */
  whenThawed(work: () => void): void {
    const left = this.thawsAt - this.world.now();
    if (left <= 0) work();
    else this.world.after(left, () => this.whenThawed(work));
  }

  /** It went round in circles without ever waiting. */
  get hasSpun(): boolean {
    return this.stepsNow > MOST_STEPS_AT_ONCE;
  }

  kill(byItself = false): void {
    if (!this.alive) return;
    this.end();
    this.died(byItself);
  }

  /** It ends in order. */
  end(): void {
    this.alive = false;
    for (const mourn of this.mourners) mourn();
    this.mourners.clear();
  }

  /** An effect whose end the engine waits for. */
  async<T>(effect: () => Promise<T>): Promise<T> {
    this.step();
    if (!this.alive) return new Promise(() => {});
    const done = effect();
    this.step();
    return new Promise((resolve, reject) => {
      done.then(
        (value) => this.whenThawed(() => this.alive && resolve(value)),
        (error) => this.whenThawed(() => this.alive && reject(error)),
      );
    });
  }

  /** The flow is handed something. */
  tell(effect: () => void): void {
    this.step();
    this.tellings++;
    if (this.diesAtTelling(false)) this.kill(true);
    if (!this.alive) return;
    effect();
    if (this.diesAtTelling(true)) this.kill(true);
    this.step();
  }

  /** Settles as `work` does, or with `otherwise` when the process dies first: for those who wait outside. */
  outlived<T>(work: Promise<T>, otherwise: () => Error): Promise<T> {
    return new Promise((resolve, reject) => {
      const mourn = (): void => reject(otherwise());
      this.mourners.add(mourn);
      const forget = (): boolean => this.mourners.delete(mourn);
      work.then(
        (value) => forget() && resolve(value),
        (error) => forget() && reject(error),
      );
    });
  }

  send(send: Send): Send {
    return (request) => this.async(() => send(request));
  }

  journal(store: Journal): Journal {
    return {
      record: (operation) => this.async(() => store.record(operation)),
      advance: (operation) => this.async(() => store.advance(operation)),
      holder: (environment, hash) => this.async(() => store.holder(environment, hash)),
      recordRepeat: (repeat) => this.async(() => store.recordRepeat(repeat)),
      // Asked at every start, also by those whose messages have no key.
      repeats: (environment) => (this.alive ? store.repeats(environment) : new Promise(() => {})),
      forgetRepeat: (repeat) => this.async(() => store.forgetRepeat(repeat)),
      merchantsOf: (keyId) => (this.alive ? store.merchantsOf(keyId) : new Promise(() => {})),
      noteMerchants: (keyId, merchants) => this.async(() => store.noteMerchants(keyId, merchants)),
      annotate: (operationId, annotation) => this.async(() => store.annotate(operationId, annotation)),
      annotations: (operationIds) => this.async(() => store.annotations(operationIds)),
      find: (query, limit) => this.async(() => store.find(query, limit)),
      open: (environment) => this.async(() => store.open(environment)),
      openIds: (environment) => this.async(() => store.openIds(environment)),
      environments: () => this.async(() => store.environments()),
      openEnvironments: () => this.async(() => store.openEnvironments()),
      mayAct: () => store.mayAct(),
      mayTellUnavailable: () => store.mayTellUnavailable(),
      claim: (operationId, owner, now) => this.async(() => store.claim(operationId, owner, now)),
      renew: (owner, until) => this.async(() => store.renew(owner, until)),
      release: (owner) => this.async(() => store.release(owner)),
      prune: (keep, limit) => this.async(() => store.prune(keep, limit)),
      close: () => this.async(() => store.close()),
    };
  }

  /** Between any two effects. */
  private step(): void {
    this.steps++;
    if (this.world.now() !== this.steppedAt) [this.steppedAt, this.stepsNow] = [this.world.now(), 0];
    // It would never let the clock move on.
    if (++this.stepsNow > MOST_STEPS_AT_ONCE) this.kill(true);
    if (this.death !== undefined && 'steps' in this.death && this.steps === this.death.steps) this.kill(true);
  }

  private diesAtTelling(handedOver: boolean): boolean {
    const { death } = this;
    return (
      death !== undefined && 'tellings' in death && death.tellings === this.tellings && death.handedOver === handedOver
    );
  }

  private after(ms: number, run: () => void): Timer {
    this.step();
    if (!this.alive) return NO_TIMER;
    let isCancelled = false;
    const dueAt = this.clock.now() + ms;
    const fire = (): void =>
      this.whenThawed(() => {
        if (!this.alive || isCancelled) return;
        const left = dueAt - this.clock.now();
        if (left > 0) timer = this.world.after(left, fire);
        else run();
      });
    let timer = this.world.after(ms, fire);
    return {
      cancel: () => {
        isCancelled = true;
        timer.cancel();
      },
    };
  }
}
