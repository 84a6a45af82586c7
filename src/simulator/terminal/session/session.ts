import type { Timer } from '../../../core/base/seams.js';
import type { Timers } from '../../infra/clock.js';
import type { Action, Screen } from './screen.js';

/** The cardholder, or a stop from the point of sale, has cancelled the operation. */
export class Cancelled extends Error {}

/** Reads a prompt's value from an action; undefined if the action does not fit the prompt. */
type Reading<T> = (action: Action) => T | undefined;

interface Prompt {
  take(action: Action): boolean;
  cancel(reason: string): void;
  cancellable: boolean;
  stoppable: boolean;
}

/**
 * The screens and prompts of one operation. After `end` no pending prompt continues: a terminal without power forgets
 * what it was doing.
 */
export class Session {
  private prompt: Prompt | undefined;
  private timer: Timer | undefined;
  private ended = false;
  /** The chip card was pulled while the payment was being processed. */
  cardPulled = false;

  constructor(
    private readonly clock: Timers,
    private readonly show: (screen: Screen) => void,
    /** Epoch ms after which no card may go to the gateway any more. */
    private readonly cardDeadline: number,
  ) {}

  /** Ms until no card may go to the gateway any more. */
  get leftForCard(): number {
    return Math.max(0, this.cardDeadline - this.clock.now());
  }

  /** Shows a screen and waits for an action it can use, for at most `ms`. Rejects with `Cancelled`. */
  ask<T>(
    screen: Screen,
    ms: number,
    read: Reading<T>,
    { cancellable = true, stoppable = false, afterCard = false } = {},
  ): Promise<T | 'timeout'> {
    if (this.ended) return new Promise(() => {});
    const left = afterCard ? ms : Math.min(ms, this.leftForCard);
    return new Promise((resolve, reject) => {
      const finish = (): void => {
        this.prompt = undefined;
        this.timer?.cancel();
      };
      this.prompt = {
        cancellable,
        stoppable,
        take: (action) => {
          const value = read(action);
          if (value === undefined) return false;
          finish();
          resolve(value);
          return true;
        },
        cancel: (reason) => {
          finish();
          reject(new Cancelled(reason));
        },
      };
      this.timer = this.clock.after(left, () => {
        finish();
        resolve('timeout');
      });
      this.show({ ...screen, endsAt: this.clock.now() + left });
    });
  }

  /** Shows a screen without actions until `start` calls back. */
  wait<T>(screen: Screen, start: (done: (value: T) => void) => void): Promise<T> {
    if (this.ended) return new Promise(() => {});
    this.show(screen);
    return new Promise((resolve) => {
      start((value) => {
        if (!this.ended) resolve(value);
      });
    });
  }

  pause(screen: Screen, ms: number): Promise<void> {
    return this.wait(screen, (done) => this.clock.after(ms, () => done(undefined)));
  }

  /** False if the action does not fit the screen. */
  act(action: Action): boolean {
    if (this.ended) return false;
    if (this.prompt === undefined) {
      if (action.do !== 'remove-card' || this.cardPulled) return false;
      this.cardPulled = true;
      return true;
    }
    if (action.do !== 'cancel' || !this.prompt.cancellable) return this.prompt.take(action);
    this.prompt.cancel('Cancelled at the terminal');
    return true;
  }

  /**
   * False if the step cannot be stopped: it can only while awaiting the card or on the PIN screen.
   * @param inTime whether the stop still ends it
   */
  stop(inTime: boolean): boolean {
    if (this.prompt?.stoppable !== true) return false;
    if (inTime) this.prompt.cancel('Cancelled by the point of sale');
    return true;
  }

  end(): void {
    this.ended = true;
    this.prompt = undefined;
    this.timer?.cancel();
  }
}
