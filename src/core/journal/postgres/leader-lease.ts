import { LeaseLostError, StandbyError } from '../../base/errors.js';
import type { Clock, Timer } from '../../base/seams.js';
import type { Database, TransactionSql } from './connection/database.js';

/** ms. */
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

/** Who takes a journal: a process, and the machine that it runs on. */
export interface Replica {
  /** Another one for every process. */
  id: string;
  host: string;
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
    private readonly database: Database,
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
    const { id, host } = this.replica;
    const asked = this.times();
    // `now()` would be the start of the statement, which may wait for a lock until after the end of a lease.
    const taken = await this.database.read(
      (sql) => sql`
        INSERT INTO cloud_terminal.leader AS held (owner, host, fence, age, until)
        VALUES (${id}, ${host}, 1, 0, clock_timestamp() + ${LENGTH} * interval '1 ms')
        ON CONFLICT (id) DO UPDATE SET
          owner = excluded.owner,
          host = excluded.host,
          fence = held.fence + (held.owner <> excluded.owner)::int,
          until = clock_timestamp() + ${LENGTH} * interval '1 ms'
        WHERE held.owner = excluded.owner OR held.until < clock_timestamp()
        RETURNING fence, age`,
    );
    if (taken[0] === undefined) throw await this.standby();
    this.fence = Number(taken[0].fence);
    this.ageBefore = Number(taken[0].age);
    this.takenAt = this.clock.now();
    this.until = asked;
    this.renewLater();
  }

  /**
   * Makes sure that no other process has it, and that none takes it before the transaction ends.
   * @throws LeaseLostError
   */
  async hold(sql: TransactionSql): Promise<Stamp> {
    const held = await sql`
      SELECT 1 FROM cloud_terminal.leader WHERE owner = ${this.replica.id} AND fence = ${this.fence} FOR SHARE`;
    if (held.length === 0) throw this.lost();
    return { fence: this.fence, age: this.age };
  }

  /** ms. */
  get age(): number {
    return this.ageBefore + Math.max(0, Math.floor(this.clock.now() - this.takenAt));
  }

  async release(): Promise<void> {
    this.timer?.cancel();
    if (this.isOver) return;
    this.isOver = true;
    await this.renewing;
    await this.database
      .read(
        (sql) => sql`
          UPDATE cloud_terminal.leader
          SET age = ${this.age}, until = least(until, clock_timestamp() + ${KEPT_AFTER_CLOSING} * interval '1 ms')
          WHERE owner = ${this.replica.id} AND fence = ${this.fence}`,
      )
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
    const renewed = await this.database.read(
      (sql) => sql`
        UPDATE cloud_terminal.leader SET age = ${this.age}, until = clock_timestamp() + ${LENGTH} * interval '1 ms'
        WHERE owner = ${this.replica.id} AND fence = ${this.fence} RETURNING 1`,
    );
    this.failedAt = undefined;
    if (renewed.length > 0) this.until = asked;
    else this.lost();
  }

  private lost(): LeaseLostError {
    if (!this.isOver) {
      this.isOver = true;
      this.timer?.cancel();
      this.onLost();
    }
    return new LeaseLostError(`another process has taken over the journal in ${this.database.place}`);
  }

  private async standby(): Promise<StandbyError> {
    const [held] = await this.database.read((sql) => sql`SELECT host FROM cloud_terminal.leader`);
    return new StandbyError(
      `Node-RED on ${held?.host ?? 'another host'} takes the payments of the journal in ${this.database.place}; this one ` +
        'stands by',
    );
  }

  /** Until when this process may rely on a lease that it asks for now. */
  private times(): { now: number; wall: number } {
    return { now: this.clock.now() + LENGTH - MARGIN, wall: this.clock.wall() + LENGTH - MARGIN };
  }
}
