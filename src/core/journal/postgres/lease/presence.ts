import type { Clock, Timer } from '../../../base/seams.js';
import type { Database } from '../connection/database.js';
import type { Replica } from './leader-row.js';

/** How long the lease holds, and how often it is renewed, ms. */
const LENGTH = 30_000;
const RENEWED_EVERY = 9_000;
/** Allows for clocks that run at different speeds. ms. */
const MARGIN = 5000;
/** How long it counts as alive after it closed: a deploy, which closes and opens it, may take 15 s. ms. */
const KEPT_AFTER_CLOSING = 20_000;

/** The row of a process. Lengths in ms from now, by the clock of the database. Both may reject with `JournalError`. */
export interface PresenceRow {
  /** Whether there was none: the process is new, or was counted as dead. */
  renew(replica: Replica, length: number): Promise<boolean>;
  /** Lets it end after `length`, or sooner. */
  end(id: string, length: number): Promise<void>;
}

/** In transactions, as `PostgresLeaderRow`. */
export class PostgresPresenceRow implements PresenceRow {
  constructor(private readonly database: Database) {}

  async renew({ id, host }: Replica, length: number): Promise<boolean> {
    const [row] = await this.database.transaction(
      (sql) => sql`
        INSERT INTO cloud_terminal.replica (id, host, until)
        VALUES (${id}, ${host}, clock_timestamp() + ${length} * interval '1 ms')
        ON CONFLICT (id) DO UPDATE SET until = excluded.until
        RETURNING xmax = 0 AS is_new`,
    );
    return row?.is_new === true;
  }

  async end(id: string, length: number): Promise<void> {
    await this.database.transaction(
      (sql) => sql`
        UPDATE cloud_terminal.replica SET until = least(until, clock_timestamp() + ${length} * interval '1 ms')
        WHERE id = ${id}`,
    );
  }
}

/**
 * The row by which other processes see that this one is alive. The clock of the database alone says when it ends; this process
 * tells nothing from {@link MARGIN} before that on.
 */
export class Presence {
  /** See `Doors.generation`. */
  generation = 0;
  /** By the time of this process, and by the computer's clock, which goes on while the computer sleeps. Epoch ms. */
  private until = { now: 0, wall: 0 };
  private timer: Timer | undefined;
  private renewing: Promise<void> = Promise.resolve();
  /** The others may have counted this process as dead, and it has not heard of it. */
  private mayHaveEnded = false;
  private isOver = false;

  constructor(
    private readonly row: PresenceRow,
    private readonly clock: Clock,
    readonly replica: Replica,
  ) {}

  /** See `Doors.mayTell`. */
  mayTell(): boolean {
    return !this.isOver && this.isAlive;
  }

  private get isAlive(): boolean {
    return this.clock.now() < this.until.now && this.clock.wall() < this.until.wall;
  }

  /** @throws JournalError */
  async join(): Promise<void> {
    await this.renew();
    this.renewLater();
  }

  async leave(): Promise<void> {
    this.timer?.cancel();
    if (this.isOver) return;
    this.isOver = true;
    await this.renewing;
    await this.row
      .end(this.replica.id, KEPT_AFTER_CLOSING)
      // It ends by itself.
      .catch(() => undefined);
  }

  /** The database is back: the others wait for this process to say that it is alive. */
  renewNow(): void {
    if (this.isOver) return;
    this.timer?.cancel();
    this.renewing = this.renewing
      .then(() => this.renew())
      // The look that follows says so.
      .catch(() => undefined)
      .then(() => {
        this.timer?.cancel();
        if (!this.isOver) this.renewLater();
      });
  }

  private renewLater(): void {
    this.timer = this.clock.after(RENEWED_EVERY, () => this.renewNow());
  }

  private async renew(): Promise<void> {
    const asked = { now: this.clock.now() + LENGTH - MARGIN, wall: this.clock.wall() + LENGTH - MARGIN };
    const isNew = await this.row.renew(this.replica, LENGTH).catch((error) => {
      // It may have made a row anew, and its answer was lost: the next one finds a row that says nothing of that.
      this.mayHaveEnded ||= !this.isAlive;
      throw error;
    });
    if (isNew || this.mayHaveEnded) this.generation++;
    this.mayHaveEnded = false;
    this.until = asked;
  }
}
