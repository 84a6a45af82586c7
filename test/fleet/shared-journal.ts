import type { Sql } from 'postgres';
import type { OperationRecord } from '../../src/core/journal/record.js';
import { databaseIn, type PostgresServer } from '../harness/postgres.js';
import type { Recorded } from './evidence.js';

/** ms. */
const LOOK_EVERY = 50;

/** Looks into the journal of a fleet, as a person at its database. */
export class SharedJournal {
  /** Ids of processes. */
  private readonly known = new Set<string>();

  constructor(
    private readonly server: PostgresServer,
    private readonly address: string,
  ) {}

  /** Waits for a process that has just started. Returns its id. */
  async newcomer(): Promise<string> {
    for (;;) {
      // The first process has not made the table yet.
      const rows = await this.query((sql) => sql`SELECT id FROM cloud_terminal.replica`).catch(() => []);
      const id = rows.map((row): string => row.id).find((known) => !this.known.has(known));
      if (id !== undefined) {
        this.known.add(id);
        return id;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
    }
  }

  /**
   * The leases of a process end, by the clock of the database. A process that stands still within a statement may hold their rows. The
   * others end its connection where the database tells them that they have waited in vain, after 4 s: where their time goes faster
   * than the database's, they have given up by then.
   */
  async endLeases(id: string): Promise<void> {
    await this.query(
      (sql) => sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event = 'ClientRead' AND xact_start < clock_timestamp() - interval '2 s'`,
    );
    await this.query((sql) => sql`UPDATE cloud_terminal.leader SET until = ${longAgo(sql)} WHERE owner = ${id}`);
    await this.query((sql) => sql`UPDATE cloud_terminal.replica SET until = ${longAgo(sql)} WHERE id = ${id}`);
  }

  async contents(): Promise<{ recorded: Recorded[]; repeats: string[] }> {
    return this.query(async (sql) => {
      const operations = await sql`SELECT operation_id, closed, record FROM cloud_terminal.operation`;
      const repeats = await sql`SELECT record FROM cloud_terminal.repeat`;
      return {
        recorded: operations.map(({ operation_id: operationId, closed, record }) => {
          const { attempt = 1, createdAt, timeline }: OperationRecord = JSON.parse(record);
          const [, first] = timeline;
          return { operationId, ...messageIn(record), attempt, startedAt: first?.at ?? createdAt, closed };
        }),
        repeats: repeats.map(({ record }) => messageIn(record).entry),
      };
    });
  }

  /** How many operations are open, and repeats not told. */
  async open(): Promise<number> {
    const [row] = await this.query(
      (sql) => sql`
        SELECT (SELECT count(*) FROM cloud_terminal.operation WHERE NOT closed)
          + (SELECT count(*) FROM cloud_terminal.repeat) AS count`,
    );
    return Number(row?.count);
  }

  private query<T>(run: (sql: Sql) => PromiseLike<T>): Promise<T> {
    return this.server.query(databaseIn(this.address), run);
  }
}

function longAgo(sql: Sql) {
  return sql`clock_timestamp() - interval '1 ms'`;
}

function messageIn(record: string): { order: string; entry: string } {
  const { order, entry } = JSON.parse(record).origin.message;
  return { order, entry };
}
