import { AnswerLostError, JournalError, type PaymentError, StandbyError } from '../../base/errors.js';
import type { SealedJson } from '../../base/privacy/sealed-json.js';
import type { Clock, Timer } from '../../base/seams.js';
import { type CarriedError, uncarried } from '../../delivery/remote/carried-error.js';
import {
  ACCEPTED,
  BEGUN,
  type Doors,
  REQUEST_KEPT,
  type RequestKind,
  UncertainRequestError,
} from '../../journal/doors.js';
import { type AskedBodies, aboutRequest } from './asked.js';

/** The pause between two tries to find out what became of a request while the database is away, ms. */
const PAUSE = 1000;
/** Allows for clocks that run at different speeds, and for a journal that answers late. ms. */
const MARGIN = REQUEST_KEPT / 2;

interface Pending {
  kind: RequestKind;
  /** After that the journal may have forgotten what became of it, by both clocks of this process, epoch ms. */
  knownUntil: { now: number; wall: number };
  /** Resolves once the leader can see it, or never will. */
  placed: Promise<void>;
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
    const known = forMs + REQUEST_KEPT - MARGIN;
    const knownUntil = { now: this.clock.now() + known, wall: this.clock.wall() + known };
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
      const pending: Pending = { kind, knownUntil, placed, resolve, reject };
      this.pending.set(id, pending);
    });
  }

  /** Resolves once the leader sees every order that was asked before whatever is asked next. */
  async ordersPlaced(): Promise<void> {
    const orders = [...this.pending.values()].filter(({ kind }) => kind === 'order' || kind === 'back-office-order');
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
        else this.rejectWithdrawn(id);
      } catch {
        await new Promise<void>((resolve) => this.clock.after(PAUSE, resolve));
      }
    }
  }

  private rejectWithdrawn(id: string): void {
    const pending = this.take(id);
    if (pending === undefined) return;
    const { kind, knownUntil, reject } = pending;
    const isKnown = this.clock.now() < knownUntil.now && this.clock.wall() < knownUntil.wall;
    // An order is in the journal for as long as anybody may ask for it; a call is not.
    if (kind === 'call' && !isKnown)
      reject(new AnswerLostError('another Node-RED may have sent it: the database was away'));
    else
      reject(
        new StandbyError('no Node-RED with this journal takes payments of this environment now; nothing was sent'),
      );
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
