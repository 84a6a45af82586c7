import type { Database, TransactionSql } from '../connection/database.js';
import { mustBeKnown } from '../connection/schema.js';

/** Who takes a journal: a process, and the machine that it runs on. */
export interface Replica {
  /** Another one for every process. */
  id: string;
  host: string;
}

/** What a process has of the journal, by which its row is told from that of an older copy. */
interface Had {
  fence: number;
  age: number;
}

/** Which taking of the journal is meant: its process, and the fence that it got. */
export interface Holder {
  id: string;
  fence: number;
}

/**
 * The row that says which process leads. Lengths in ms from now, by the clock of the database: no process says when a lease
 * ends. Each may reject with `JournalError`.
 */
export interface LeaderRow {
  /** The database, for people. */
  readonly place: string;
  /** Takes the lease where it is this process's already, or has ended. Undefined while another process has it. */
  take(replica: Replica, length: number): Promise<{ fence: number; age: number } | undefined>;
  /** Whether it is still this one's; and nobody takes it before the transaction ends. */
  isHeld(sql: TransactionSql, holder: Holder): Promise<boolean>;
  /** Even after its end. False where another process has taken it. */
  renew(holder: Holder, age: number, length: number): Promise<boolean>;
  /**
   * Takes it again in a database that has gone on from an older copy, which alone has a smaller fence. False where it has not,
   * and where another process has it now.
   * @param sql the transaction that it belongs to; absent: one of its own
   */
  takeBack(replica: Replica, had: Had, length: number, sql?: TransactionSql): Promise<boolean>;
  /** Lets it end after `length`, or sooner. */
  end(holder: Holder, age: number, length: number): Promise<void>;
  /** The machine of the process that leads. */
  host(): Promise<string | undefined>;
}

/**
 * What writes the row is a transaction, so that it waits no longer for another one than a transaction may: a process may have
 * been stopped while it held the row. And a write that nobody waits for any more is not made later.
 */
export class PostgresLeaderRow implements LeaderRow {
  constructor(private readonly database: Database) {}

  get place(): string {
    return this.database.place;
  }

  async take({ id, host }: Replica, length: number): Promise<{ fence: number; age: number } | undefined> {
    // `now()` would be the start of the statement, which may wait for a lock until after the end of a lease.
    const [taken] = await this.database.transaction(async (sql) => {
      await mustBeKnown(sql, this.place);
      return sql`
        INSERT INTO cloud_terminal.leader AS held (owner, host, fence, age, until)
        VALUES (${id}, ${host}, 1, 0, clock_timestamp() + ${length} * interval '1 ms')
        ON CONFLICT (id) DO UPDATE SET
          owner = excluded.owner,
          host = excluded.host,
          fence = held.fence + (held.owner <> excluded.owner)::int,
          until = clock_timestamp() + ${length} * interval '1 ms'
        WHERE held.owner = excluded.owner OR held.until < clock_timestamp()
        RETURNING fence, age`;
    });
    return taken && { fence: Number(taken.fence), age: Number(taken.age) };
  }

  async isHeld(sql: TransactionSql, { id, fence }: Holder): Promise<boolean> {
    const held = await sql`
      SELECT 1 FROM cloud_terminal.leader WHERE owner = ${id} AND fence = ${fence} FOR SHARE`;
    return held.length > 0;
  }

  async renew({ id, fence }: Holder, age: number, length: number): Promise<boolean> {
    const renewed = await this.database.transaction(
      (sql) => sql`
        UPDATE cloud_terminal.leader SET age = ${age}, until = clock_timestamp() + ${length} * interval '1 ms'
        WHERE owner = ${id} AND fence = ${fence} RETURNING 1`,
    );
    return renewed.length > 0;
  }

  async takeBack(replica: Replica, had: Had, length: number, sql?: TransactionSql): Promise<boolean> {
    if (sql === undefined) return this.database.transaction((own) => this.takeBack(replica, had, length, own));
    // A write and a renewal may find the older copy at the same moment: to the second one it is taken back already.
    const taken = await sql`
      INSERT INTO cloud_terminal.leader AS held (owner, host, fence, age, until)
      VALUES (
        ${replica.id}, ${replica.host}, ${had.fence}, ${had.age}, clock_timestamp() + ${length} * interval '1 ms'
      )
      ON CONFLICT (id) DO UPDATE SET
        owner = excluded.owner, host = excluded.host, fence = excluded.fence, age = excluded.age, until = excluded.until
      WHERE (held.fence < excluded.fence AND held.until < clock_timestamp())
        OR (held.owner = excluded.owner AND held.fence = excluded.fence)
      RETURNING 1`;
    return taken.length > 0;
  }

  async end({ id, fence }: Holder, age: number, length: number): Promise<void> {
    await this.database.transaction(
      (sql) => sql`
        UPDATE cloud_terminal.leader
        SET age = ${age}, until = least(until, clock_timestamp() + ${length} * interval '1 ms')
        WHERE owner = ${id} AND fence = ${fence}`,
    );
  }

  async host(): Promise<string | undefined> {
    const [held] = await this.database.read((sql) => sql`SELECT host FROM cloud_terminal.leader`);
    return held?.host;
  }
}
