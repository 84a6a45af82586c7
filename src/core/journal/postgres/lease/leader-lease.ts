import { LeaseLostError, StandbyError } from '../../../base/errors.js';
import type { Clock, Timer } from '../../../base/seams.js';
import type { TransactionSql } from '../connection/database.js';
import type { Holder, LeaderRow, Replica } from './leader-row.js';

/** How long the lease holds, and how often it is renewed, ms. */
const LENGTH = 30_000;
const RENEWED_EVERY = 10_000;
/** Allows for clocks that run at different speeds, and for requests on their way when the lease ends. ms. */
const MARGIN = 5000;
/** Longer than the time between two tries to renew the lease while the database does not answer. ms. */
const AWAKE = 25_000;
/** How long a process keeps the lease after closing the journal: after a deploy it opens it again at once. ms. */
const KEPT_AFTER_CLOSING = 5000;

/** What is noted with every write. */
export interface Stamp {
  /** See {@link LeaderLease}. */
  fence: number;
  /** How long the journal has been in use, ms, see `Journal.prune`. */
  age: number;
}

/**
 * The right of one process to work with the journal, for as long as it renews it. Whoever takes it next gets a larger fence.
 * Only the clock of the database says when a lease ends; the process itself stops acting {@link MARGIN} before it can have.
 */
export class LeaderLease {
  /** Grows with every change of the process; 0 before it is taken. */
  private fence = 0;
  /** By the time of this process, and by the computer's clock, which goes on while the computer sleeps. Epoch ms. */
  private until = { now: 0, wall: 0 };
  /** When the database was last found to be away, since it was last reached, epoch ms. */
  private failedAt: number | undefined;
  /** How long the journal had been in use when this process took it, ms; and when that was, epoch ms. */
  private ageBefore = 0;
  private takenAt = 0;
  private timer: Timer | undefined;
  private renewing = Promise.resolve();
  private isOver = false;

  /**
   * @param onLost called once, when another process has taken the journal
   * @param log called with what a person should know
   */
  constructor(
    private readonly row: LeaderRow,
    private readonly clock: Clock,
    private readonly replica: Replica,
    private readonly onLost: () => void,
    private readonly log: (text: string) => void,
  ) {}

  /** See `Journal.mayAct`. */
  mayAct(): boolean {
    return !this.isOver && this.clock.now() < this.until.now && this.clock.wall() < this.until.wall;
  }

  /** See `Journal.mayTellUnavailable`. */
  mayTellUnavailable(): boolean {
    const isAwake = this.failedAt !== undefined && this.clock.now() - this.failedAt < AWAKE;
    return !this.isOver && (this.mayAct() || isAwake);
  }

  /** @throws StandbyError while another process has it; JournalError */
  async take(): Promise<void> {
    const asked = this.times();
    const taken = await this.row.take(this.replica, LENGTH);
    if (taken === undefined) throw await this.standby();
    this.fence = taken.fence;
    this.ageBefore = taken.age;
    this.takenAt = this.clock.now();
    this.until = asked;
    this.renewLater();
  }

  /**
   * Makes sure that no other process has it, and that none takes it before the transaction ends.
   * @throws LeaseLostError
   */
  async hold(sql: TransactionSql): Promise<Stamp> {
    if (!(await this.row.isHeld(sql, this.holder)) && !(await this.isTakenBack(sql))) throw this.lost();
    return { fence: this.fence, age: this.age };
  }

  /** What is open here, and the older copy does not know, is followed by nobody else. */
  private async isTakenBack(sql?: TransactionSql): Promise<boolean> {
    if (this.isOver) return false;
    const isTaken = await this.row.takeBack(this.replica, { fence: this.fence, age: this.age }, LENGTH, sql);
    if (isTaken)
      this.log(`the database ${this.row.place} has gone on from an older copy, and this process goes on with it`);
    return isTaken;
  }

  private get holder(): Holder {
    return { id: this.replica.id, fence: this.fence };
  }

  /** For how long the journal has been open, in any process, ms. */
  get age(): number {
    return this.ageBefore + Math.max(0, Math.floor(this.clock.now() - this.takenAt));
  }

  async release(): Promise<void> {
    this.timer?.cancel();
    if (this.isOver) return;
    this.isOver = true;
    await this.renewing;
    await this.row
      .end(this.holder, this.age, KEPT_AFTER_CLOSING)
      .catch((error) => this.log(`${String(error)}; another process takes the journal over once this lease has ended`));
  }

  private renewLater(): void {
    this.timer = this.clock.after(RENEWED_EVERY, () => {
      this.renewing = this.renew()
        .catch((error) => {
          if (this.failedAt === undefined) this.log(`${String(error)}; will try again`);
          this.failedAt = this.clock.now();
        })
        .then(() => {
          if (!this.isOver) this.renewLater();
        });
    });
  }

  /** Renews the lease even after its end, as long as no other process has taken it. */
  private async renew(): Promise<void> {
    const asked = this.times();
    const isRenewed = (await this.row.renew(this.holder, this.age, LENGTH)) || (await this.isTakenBack());
    this.failedAt = undefined;
    if (isRenewed) this.until = asked;
    else this.lost();
  }

  private lost(): LeaseLostError {
    if (!this.isOver) {
      this.isOver = true;
      this.timer?.cancel();
      this.onLost();
    }
    return new LeaseLostError(`another process has taken over the journal in ${this.row.place}`);
  }

  private async standby(): Promise<StandbyError> {
    const host = await this.row.host();
    return new StandbyError(
      `Node-RED on ${host ?? 'another host'} takes the payments of the journal in ${this.row.place}; this one ` +
        'stands by',
    );
  }

  /** Until when this process may rely on a lease that it asks for now. */
  private times(): { now: number; wall: number } {
    return { now: this.clock.now() + LENGTH - MARGIN, wall: this.clock.wall() + LENGTH - MARGIN };
  }
}
