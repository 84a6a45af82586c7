import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { JournalError } from '../../../src/core/base/errors.js';
import {
  Database,
  type TransactionSql,
  UnknownEndError,
} from '../../../src/core/journal/postgres/connection/database.js';
import { systemClock } from '../../../src/core/platform/system-clock.js';
import { CutProxy } from '../../harness/cut-proxy.js';
import { databaseIn, PostgresServer } from '../../harness/postgres.js';
import { StoppedClient } from '../../harness/stopped-client.js';
import { VirtualClock } from '../../harness/virtual-clock.js';
import { through } from './postgres-replica.js';

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server.end());

for (const [when, work] of [
  [
    'while a statement is under way',
    async (sql: TransactionSql, cut: () => Promise<void>) => {
      const slow = sql`SELECT pg_sleep(60)`;
      await Promise.all([slow, cut()]);
    },
  ],
  [
    'between two statements',
    async (sql: TransactionSql, cut: () => Promise<void>) => {
      await cut();
      await turn();
      await sql`SELECT 1`;
    },
  ],
  [
    'and whose next statements are made all the same',
    async (sql: TransactionSql, cut: () => Promise<void>) => {
      await cut();
      await Promise.allSettled([sql`SELECT 1`, sql`SELECT 2`]);
      await turn();
      await Promise.allSettled([sql`SELECT 3`]);
    },
  ],
] as const) {
  test(`a transaction whose connection is lost ${when} fails, and the process goes on`, async () => {
    const proxy = await CutProxy.before(server.port);
    const database = await Database.at(through(proxy, await server.newDatabase()), systemClock);
    const failed = database.transaction((sql) => work(sql, () => proxy.takeAway()));
    await assert.rejects(failed, (error) => error instanceof JournalError && !(error instanceof UnknownEndError));
    await proxy.bringBack();
    const made = database.transaction(async (sql) => {
      await sql`CREATE TABLE kept (number int)`;
      await turn();
      await sql`INSERT INTO kept VALUES (1)`;
    });
    await made;
    const rows = await database.read((sql) => sql`SELECT number FROM kept`);
    assert.deepEqual([...rows], [{ number: 1 }]);
    await database.close();
    await proxy.takeAway();
  });
}

test('a transaction that is given up because it takes too long is not committed afterwards', async () => {
  const clock = new VirtualClock();
  const address = await server.newDatabase();
  const database = await Database.at(address, clock);
  await database.read((sql) => sql`CREATE TABLE kept (number int)`);
  let goOn = (): void => undefined;
  let insert = (): void => undefined;
  const inserted = new Promise<void>((resolve) => {
    insert = resolve;
  });
  const made = database.transaction(async (sql) => {
    await sql`INSERT INTO kept VALUES (1)`;
    insert();
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
  });
  const failed = made.catch((error) => {
    goOn();
    return error;
  });
  await inserted;
  await clock.advance(10_000);
  const error = await failed;
  assert.ok(error instanceof JournalError && !(error instanceof UnknownEndError));
  // Waits for the transaction, where it is still open.
  await database.transaction((sql) => sql`LOCK TABLE kept`);
  const rows = await database.read((sql) => sql`SELECT number FROM kept`);
  assert.deepEqual([...rows], []);
  await database.close();
});

test('a statement that nobody waits for any more does not go on to wait for a lock', async () => {
  const clock = new VirtualClock();
  const address = await server.newDatabase();
  const database = await Database.at(address, clock);
  await database.read((sql) => sql`CREATE TABLE kept (number int)`);
  await server.query(databaseIn(address), (sql) =>
    sql.begin(async (holder) => {
      await holder`LOCK TABLE kept`;
      const waiting = async (): Promise<number> => {
        const [row] = await holder`SELECT count(*) FROM pg_locks WHERE NOT granted`;
        return Number(row?.count);
      };
      const made = database.transaction((inner) => inner`INSERT INTO kept VALUES (1)`).catch((error) => error);
      while ((await waiting()) === 0) await turn();
      await clock.advance(10_000);
      assert.ok((await made) instanceof JournalError);
      const givenUpAt = performance.now();
      while ((await waiting()) > 0) {
        assert.ok(performance.now() - givenUpAt < 30_000, 'the statement waits on at the database');
        await turn();
      }
    }),
  );
  await database.close();
});

test('a process that is stopped within a statement holds the others up for some seconds only', async () => {
  const address = await server.newDatabase();
  const database = await Database.at(address, systemClock);
  await database.read((sql) => sql`CREATE TABLE kept (number int)`);
  const stopped = await StoppedClient.within(server.port, databaseIn(address), 'LOCK TABLE kept', 'SELECT 1');
  let tries = 0;
  const insert = (): Promise<unknown> =>
    database
      .transaction((sql) => sql`INSERT INTO kept VALUES (1)`)
      .catch((error) => {
        assert.ok(error instanceof JournalError);
        assert.ok(++tries < 5, 'the lock is still held');
        return insert();
      });
  await insert();
  await stopped.ended;
  const rows = await database.read((sql) => sql`SELECT number FROM kept`);
  assert.deepEqual([...rows], [{ number: 1 }]);
  await database.close();
});

test('whoever waits too long leaves a transaction of another application alone', async () => {
  const address = await server.newDatabase();
  const database = await Database.at(address, systemClock);
  await database.read((sql) => sql`CREATE TABLE kept (number int)`);
  await server.query(databaseIn(address), (sql) =>
    sql.begin(async (holder) => {
      await holder`LOCK TABLE kept`;
      for (let tries = 0; tries < 3; tries++) {
        await assert.rejects(
          database.transaction((inner) => inner`INSERT INTO kept VALUES (1)`),
          JournalError,
        );
      }
      assert.deepEqual([...(await holder`SELECT number FROM kept`)], []);
    }),
  );
  await database.close();
});
