import { AnswerLostError, JournalError, type PaymentError, StandbyError } from '../../base/errors.js';
import type { SealedJson } from '../../base/privacy/sealed-json.js';
import type { Clock, Timer } from '../../base/seams.js';
import { type CarriedError, uncarried } from '../../delivery/remote/carried-error.js';
import { ACCEPTED, BEGUN, type Doors, type RequestKind, UncertainRequestError } from '../../journal/doors.js';
import { type AskedBodies, aboutRequest } from './asked.js';

/** The pause between two tries to find out what became of a request while the database is away, ms. */
const PAUSE = 1000;

interface Pending {
  /** Resolves once the leader can see it, or never will. */
  placed: Promise<void>;
  isOrder: boolean;
  resolve: (answer: unknown) => void;
  reject: (error: PaymentError) => void;
  timer?: Timer;
}

/**
 * What a door asks of the leader. Every request ends in one of two ways: the leader has answered it, or it was taken back, so
 * that nobody will begin with it.
 */
export class Asking {
  private readonly pending = new Map<string, Pending>();

  constructor(
    private readonly doors: Doors,
    private readonly environment: string,
    private readonly seal: SealedJson,
    private readonly clock: Clock,
  ) {}

  /** The requests that nobody has answered yet. */
  get open(): readonly string[] {
    return [...this.pending.keys()];
  }

  /**
   * Asks the leader. Resolves with its answer; undefined where an order was accepted.
   * @param forMs after so long without an answer the request is taken back
   * @throws StandbyError where nobody leads, JournalError: it was not done, and will not be; and what the leader throws
   */
  ask<K extends RequestKind>(kind: K, id: string, asked: AskedBodies[K], forMs: number): Promise<unknown> {
    // Nobody would take what comes from a process that counts as dead.
    if (!this.doors.mayTell()) {
      return Promise.reject(
        new JournalError('the database that the journal is in cannot be reached; nothing was sent'),
      );
    }
    const body = this.seal.close(asked, aboutRequest(id));
    return new Promise((resolve, reject) => {
      const placed = this.doors.requests.ask({ id, environment: this.environment, kind, body }, forMs).then(
        () => {
          if (this.pending.get(id) === pending) pending.timer = this.clock.after(forMs, () => void this.withdraw(id));
        },
        async (error) => {
          if (error instanceof UncertainRequestError) await this.withdraw(id);
          else this.take(id)?.reject(error);
        },
      );
      const isOrder = kind === 'order' || kind === 'back-office-order';
      const pending: Pending = { resolve, reject, placed, isOrder };
      this.pending.set(id, pending);
    });
  }

  /** Resolves once the leader sees every order that was asked before whatever is asked next. */
  async ordersPlaced(): Promise<void> {
    const orders = [...this.pending.values()].filter(({ isOrder }) => isOrder);
    await Promise.all(orders.map(({ placed }) => placed));
  }

  /** Takes the answers that there are. @throws JournalError */
  async look(): Promise<boolean> {
    for (const [id, answer] of await this.doors.requests.answers(this.open)) {
      if (answer !== BEGUN) this.settle(id, answer);
    }
    return this.pending.size > 0;
  }

  /** Takes back what nobody has answered. Resolves once every request has ended. */
  async withdrawAll(): Promise<void> {
    await Promise.all(this.open.map((id) => this.withdraw(id)));
  }

  /** Tries until it is known whether the leader has answered it, or it was taken back. */
  private async withdraw(id: string): Promise<void> {
    while (this.pending.has(id)) {
      try {
        const answer = await this.doors.requests.withdraw(id, this.environment);
        if (answer !== undefined) this.settle(id, answer);
        else
          this.take(id)?.reject(new StandbyError('no Node-RED with this journal takes payments now; nothing was sent'));
      } catch {
        await new Promise<void>((resolve) => this.clock.after(PAUSE, resolve));
      }
    }
  }

  private settle(id: string, answer: string): void {
    const pending = this.take(id);
    if (pending === undefined) return;
    if (answer === ACCEPTED) {
      pending.resolve(undefined);
      return;
    }
    if (answer === BEGUN) {
      pending.reject(new AnswerLostError('another Node-RED has sent it, and has not said what the answer was'));
      return;
    }
    const { error, value } = JSON.parse(answer) as { error?: CarriedError; value?: unknown };
    if (error === undefined) pending.resolve(value);
    else pending.reject(uncarried(error));
  }

  private take(id: string): Pending | undefined {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    pending?.timer?.cancel();
    return pending;
  }
}
