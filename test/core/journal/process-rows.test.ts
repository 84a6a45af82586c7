import { after, before } from 'node:test';
import { Database } from '../../../src/core/journal/postgres/connection/database.js';
import { migrate } from '../../../src/core/journal/postgres/connection/schema.js';
import { PostgresLeaderRow } from '../../../src/core/journal/postgres/lease/leader-row.js';
import { PostgresPresenceRow } from '../../../src/core/journal/postgres/lease/presence.js';
import { databaseIn, PostgresServer } from '../../harness/postgres.js';
import { VirtualClock } from '../../harness/virtual-clock.js';
import { Draw } from '../../truth/draw.js';
import { SharedDatabase } from '../../truth/fleet/shared-database.js';
import { SharedLeaderRow, SharedPresenceRow } from '../../truth/fleet/shared-rows.js';
import { processRowsContract } from './contract/process-rows.js';
import { HeldClock } from './held-clock.js';

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server.end());

processRowsContract('PostgreSQL', async () => {
  const address = await server.newDatabase();
  const database = await Database.at(address, new HeldClock());
  await migrate(database);
  return {
    leader: new PostgresLeaderRow(database),
    replica: new PostgresPresenceRow(database),
    transaction: (work) => database.transaction(work),
    endLease: async () => {
      await server.query(
        databaseIn(address),
        (sql) => sql`UPDATE cloud_terminal.leader SET until = clock_timestamp() - interval '1 ms'`,
      );
    },
    left: async () => {
      const [row] = await server.query(
        databaseIn(address),
        (sql) =>
          sql`SELECT extract(epoch FROM until - clock_timestamp())::float8 * 1000 AS left FROM cloud_terminal.leader`,
      );
      return Number(row?.left);
    },
    bury: async (id) => {
      await server.query(databaseIn(address), (sql) => sql`DELETE FROM cloud_terminal.replica WHERE id = ${id}`);
    },
    close: () => database.close(),
  };
});

processRowsContract('the database of the truth test', async () => {
  const clock = new VirtualClock();
  const none = (): void => undefined;
  const database = new SharedDatabase(clock, none, new Draw(1, 0), 0, none, () => false);
  const link = { read: <T>(work: () => Promise<T>): Promise<T> => database.inTurn(work), localTime: 0 };
  return {
    leader: new SharedLeaderRow(link, database),
    replica: new SharedPresenceRow(link, database),
    transaction: (work) => database.inTurn(() => work(undefined as never)),
    endLease: async () => {
      if (database.leader !== undefined) database.leader.until = clock.now() - 1;
    },
    left: async () => (database.leader?.until ?? 0) - clock.now(),
    bury: async (id) => database.end(id),
    close: async () => undefined,
  };
});
