import { randomUUID } from 'node:crypto';
import type { Journal } from '../../../src/core/journal/journal.js';
import { openPostgresJournal } from '../../../src/core/journal/postgres/postgres-journal.js';
import type { CutProxy } from '../../harness/cut-proxy.js';
import { databaseIn, type PostgresServer } from '../../harness/postgres.js';
import { HeldClock } from './held-clock.js';

/** Pause between two renewals of the lease, ms. */
export const RENEWAL = 10_000;

/** One process, with the clock that it believes in. */
export interface Replica {
  journal: Journal;
  clock: HeldClock;
  losses: number;
  lost: Promise<void>;
  logged: string[];
}

export async function replicaOf(address: string, host = 'one', id: string = randomUUID()): Promise<Replica> {
  const clock = new HeldClock();
  let lose: () => void;
  const lost = new Promise<void>((resolve) => {
    lose = resolve;
  });
  const replica = { clock, losses: 0, logged: [] as string[], lost };
  const journal = await openPostgresJournal(address, {
    clock,
    replica: { id, host },
    onLost: () => {
      replica.losses++;
      lose();
    },
    log: (text) => replica.logged.push(text),
  });
  return Object.assign(replica, { journal });
}

/** The lease of whoever has the journal ends, by the clock of the database. */
export async function endLease(server: PostgresServer, address: string): Promise<void> {
  await server.query(
    databaseIn(address),
    (sql) => sql`UPDATE cloud_terminal.leader SET until = clock_timestamp() - interval '1 ms'`,
  );
}

export async function leaderIn(
  server: PostgresServer,
  address: string,
): Promise<{ host: string; fence: number; left: number }> {
  const [row] = await server.query(
    databaseIn(address),
    (sql) =>
      sql`SELECT host, fence::int, extract(epoch FROM until - clock_timestamp())::float8 AS left FROM cloud_terminal.leader`,
  );
  return row as unknown as { host: string; fence: number; left: number };
}

/** How many connections wait for what another one holds. */
export async function blockedIn(server: PostgresServer, address: string): Promise<number> {
  const blocked = await server.query(
    databaseIn(address),
    (sql) => sql`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
  );
  return blocked.length;
}

/** Lets a replica renew its lease, or try to. */
export async function renew({ clock }: Replica): Promise<void> {
  await clock.fire(RENEWAL);
  await clock.set(RENEWAL);
}

/** The same database, by way of a proxy. */
export function through(proxy: CutProxy, address: string): string {
  const url = new URL(address);
  url.port = String(proxy.port);
  return url.href;
}
