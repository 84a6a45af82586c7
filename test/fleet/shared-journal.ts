import { databaseIn, type PostgresServer } from '../harness/postgres.js';
import type { Recorded } from './evidence.js';

/** Looks into the journal of a fleet, as a person at its database. */
export class SharedJournal {
  constructor(
    private readonly server: PostgresServer,
    private readonly address: string,
  ) {}

  /** Every lease ends, by the clock of the database. Whoever is well renews it. */
  async endLeases(): Promise<void> {
    await this.server.query(databaseIn(this.address), async (sql) => {
      await sql`UPDATE cloud_terminal.leader SET until = clock_timestamp() - interval '1 ms'`;
      await sql`UPDATE cloud_terminal.replica SET until = clock_timestamp() - interval '1 ms'`;
    });
  }

  async contents(): Promise<{ recorded: Recorded[]; repeats: string[] }> {
    return this.server.query(databaseIn(this.address), async (sql) => {
      const operations = await sql`SELECT operation_id, closed, created_at, record FROM cloud_terminal.operation`;
      const repeats = await sql`SELECT record FROM cloud_terminal.repeat`;
      return {
        recorded: operations.map(({ operation_id: operationId, closed, created_at, record }) => {
          const { order, entry } = messageIn(record);
          return { operationId, order, entry, createdAt: Number(created_at), closed };
        }),
        repeats: repeats.map(({ record }) => messageIn(record).entry),
      };
    });
  }

  /** How many operations are open, and repeats not told. */
  async open(): Promise<number> {
    const [row] = await this.server.query(
      databaseIn(this.address),
      (sql) => sql`
        SELECT (SELECT count(*) FROM cloud_terminal.operation WHERE NOT closed)
          + (SELECT count(*) FROM cloud_terminal.repeat) AS count`,
    );
    return Number(row?.count);
  }
}

function messageIn(record: string): { order: string; entry: string } {
  const { order, entry } = JSON.parse(record).origin.message;
  return { order, entry };
}
