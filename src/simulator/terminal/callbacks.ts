import type { Send, Timer } from '../../core/base/seams.js';
import type { Timers } from '../infra/clock.js';
import type { Fault, Faults } from '../infra/faults.js';
import {
  CALLBACK_GIVE_UP,
  CALLBACK_INTERVAL,
  CALLBACK_MAX_INTERVAL,
  CALLBACK_STEADY_FOR,
  CALLBACK_TIMEOUT,
} from '../model/timings.js';
import type { ResultText } from '../results/result-store.js';
import type { Log } from '../wire/log.js';
import type { CallbackEntry } from '../wire/log-entries.js';
import { oddBody } from '../wire/odd-bodies.js';

export interface CallbackWorld {
  clock: Timers;
  faults: Faults;
  deliver: Send;
  callbacks: Log<CallbackEntry>;
  /** Called when a callback was acknowledged. */
  delivered(resultId: string): void;
}

export interface CallbackTarget {
  url: string;
  token: string | undefined;
  resultId: string;
  serial: string;
}

const DEFAULT_DELAY = 15_000;

/**
 * Delivers the results of one operation from the terminal to its `callbackUrl`: at once, then every 5 s for 100 s,
 * then at doubling intervals up to 15 min, for two days. Only the latest result is retried.
 */
export class CallbackLoop {
  private text: ResultText | undefined;
  private tries = 0;
  private startedAt = 0;
  private interval = CALLBACK_INTERVAL;
  private timer: Timer | undefined;
  /** Counts restarts of the schedule: a response to a delivery of an earlier round is ignored. */
  private round = 0;
  private running = true;
  private heldBack: (() => void) | undefined;

  constructor(
    private readonly world: CallbackWorld,
    private readonly target: CallbackTarget,
  ) {}

  /** True once the latest result was acknowledged or given up. */
  get finished(): boolean {
    return this.text === undefined && this.heldBack === undefined;
  }

  /** Delivers a result, which replaces an earlier one. */
  post(text: ResultText): void {
    this.text = text;
    this.tries = 0;
    this.begin();
  }

  /** The terminal lost power or its network: nothing is sent. */
  halt(): void {
    this.running = false;
    this.round++;
    this.timer?.cancel();
  }

  /** The terminal's application restarts, and the schedule with it. */
  restart(): void {
    this.halt();
    this.running = true;
    this.begin();
  }

  private begin(): void {
    this.startedAt = this.world.clock.now();
    this.interval = CALLBACK_INTERVAL;
    this.round++;
    this.timer?.cancel();
    if (this.running) this.attempt();
  }

  private attempt(): void {
    const { text, round } = this;
    if (text === undefined) return;
    this.tries++;
    const body = this.tries === 1 ? text.asFirst() : text.asRepeated();
    const fault = this.world.faults.at('callback', { serial: this.target.serial });
    const { serial, resultId } = this.target;
    const entry = { at: this.world.clock.now(), serial, resultId, attempt: this.tries, fault: fault?.kind, body };
    void this.attemptWith(this.worded(body), fault).then((acknowledged) => {
      const counts = round === this.round && text === this.text;
      const nextAt = counts && !acknowledged ? this.tryLater() : undefined;
      if (counts && acknowledged) this.acknowledge();
      this.world.callbacks.add({ ...entry, acknowledged, nextAt });
    });
  }

  private worded(body: string): string {
    const { serial, token = '' } = this.target;
    const fault = this.world.faults.at('body', { endpoint: 'callback', serial });
    return fault === undefined ? body : oddBody(body, fault, [token]);
  }

  private async attemptWith(body: string, fault: Fault | undefined): Promise<boolean> {
    switch (fault?.kind) {
      case 'callback-lost':
        return this.later(CALLBACK_TIMEOUT, async () => false);
      case 'callback-tls-refused':
        return false;
      case 'callback-answer-lost':
        await this.deliver(body);
        return false;
      case 'callback-late':
        return this.later(fault.ms ?? DEFAULT_DELAY, () => this.deliver(body));
      case 'callback-twice': {
        const [first] = await Promise.all([this.deliver(body), this.deliver(body)]);
        return first;
      }
      case 'callback-cut-off':
        return this.deliver(body.slice(0, Math.floor(body.length / 2)));
      case 'callback-reordered':
        this.holdBack(body, fault.ms ?? DEFAULT_DELAY);
        return false;
      default:
        return this.deliver(body);
    }
  }

  private async deliver(body: string): Promise<boolean> {
    const { url, token } = this.target;
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (token !== undefined) headers['auth-token'] = token;
    try {
      const { status } = await this.world.deliver({
        method: 'POST',
        url,
        headers,
        body,
        timeoutMs: CALLBACK_TIMEOUT,
      });
      return status >= 200 && status < 300;
    } catch {
      return false;
    }
  }

  private later(ms: number, act: () => Promise<boolean>): Promise<boolean> {
    return new Promise((resolve) => {
      this.world.clock.after(ms, () => resolve(act()));
    });
  }

  /** Sends a body only after a later one was delivered, or after `ms`. */
  private holdBack(body: string, ms: number): void {
    const timer = this.world.clock.after(ms, () => this.heldBack?.());
    this.heldBack = () => {
      timer.cancel();
      this.heldBack = undefined;
      void this.deliver(body);
    };
  }

  private acknowledge(): void {
    this.text = undefined;
    this.world.delivered(this.target.resultId);
    this.heldBack?.();
  }

  /** Schedules the next attempt. Returns its time, epoch ms; undefined if the schedule has ended. */
  private tryLater(): number | undefined {
    const now = this.world.clock.now();
    const elapsed = now - this.startedAt;
    if (elapsed >= CALLBACK_STEADY_FOR) this.interval = Math.min(this.interval * 2, CALLBACK_MAX_INTERVAL);
    if (elapsed + this.interval > CALLBACK_GIVE_UP) {
      this.text = undefined;
      return undefined;
    }
    this.timer = this.world.clock.after(this.interval, () => this.attempt());
    return now + this.interval;
  }
}
