import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { JournalError } from '../../../src/core/base/errors.js';
import { Database } from '../../../src/core/journal/postgres/connection/database.js';
import { migrate } from '../../../src/core/journal/postgres/connection/schema.js';
import { PostgresLeaderRow } from '../../../src/core/journal/postgres/lease/leader-row.js';
import { PostgresPresenceRow } from '../../../src/core/journal/postgres/lease/presence.js';
import { openPostgresJournal } from '../../../src/core/journal/postgres/postgres-journal.js';
import { systemClock } from '../../../src/core/platform/system-clock.js';
import { databaseIn, PostgresServer } from '../../harness/postgres.js';
import { StoppedClient } from '../../harness/stopped-client.js';
import { blockedIn, endLease } from './postgres-replica.js';

/** Each takes 4 s, and a transaction that has stood still for 8 s is ended: two may come too early, and the next one helps. */
const TRIES = 4;
const LENGTH = 30_000;

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server.end());

interface Rows {
  address: string;
  leader: PostgresLeaderRow;
  replica: PostgresPresenceRow;
  close(): Promise<void>;
}

async function rows(): Promise<Rows> {
  const address = await server.newDatabase();
  const database = await Database.at(address, systemClock);
  await migrate(database);
  return {
    address,
    leader: new PostgresLeaderRow(database),
    replica: new PostgresPresenceRow(database),
    close: () => database.close(),
  };
}

/** A process that was stopped within a statement, and that holds a row. */
async function stoppedAt(address: string, held: string): Promise<StoppedClient> {
  return StoppedClient.within(server.port, databaseIn(address), `SELECT 1 FROM ${held}`, 'SELECT 1');
}

/** As a process does that tries again. Whatever fails leaves nothing behind that waits on in the database. */
async function inFewTries<T>(address: string, run: () => Promise<T>): Promise<T> {
  for (let left = TRIES; ; left--) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      assert.equal(await blockedIn(server, address), 0, 'a statement that nobody waits for waits for the lock');
      assert.ok(left > 1, `still held up: ${error.message}`);
    }
  }
}

describe('PostgreSQL: a process that was stopped within a statement', { concurrency: true }, () => {
  it('keeps the lead from no other one: that one ends its connection', async () => {
    const address = await server.newDatabase();
    const open = (host: string) =>
      openPostgresJournal(address, {
        clock: systemClock,
        replica: { id: randomUUID(), host },
        onLost: () => assert.fail('nobody else takes it'),
        log: (text) => assert.fail(text),
      });
    await (await open('stopped')).close();
    await endLease(server, address);
    const stopped = await stoppedAt(address, 'cloud_terminal.leader FOR SHARE');
    const journal = await inFewTries(address, () => open('next'));
    await stopped.ended;
    assert.equal(journal.mayAct(), true);
    await journal.close();
  });

  it('keeps the leader from renewing its lease for some seconds only, and from ending it', async () => {
    const { address, leader, close } = await rows();
    await leader.take({ id: 'one', host: 'one' }, LENGTH);
    await stoppedAt(address, 'cloud_terminal.leader FOR SHARE');
    await assert.rejects(leader.end({ id: 'one', fence: 1 }, 0, LENGTH), JournalError);
    assert.equal(await blockedIn(server, address), 0, 'an end that nobody waits for would come later');
    assert.equal(await inFewTries(address, () => leader.renew({ id: 'one', fence: 1 }, 0, LENGTH)), true);
    await close();
  });

  it('keeps another one from saying that it is alive for some seconds only', async () => {
    const { address, replica, close } = await rows();
    await replica.renew({ id: 'one', host: 'one' }, LENGTH);
    await stoppedAt(address, 'cloud_terminal.replica FOR SHARE');
    assert.equal(await inFewTries(address, () => replica.renew({ id: 'one', host: 'one' }, LENGTH)), false);
    await close();
  });

  it('keeps the leader from counting it as dead for some seconds only', async () => {
    const address = await server.newDatabase();
    const journal = await openPostgresJournal(address, {
      clock: systemClock,
      replica: { id: 'leader', host: 'leader' },
      onLost: () => assert.fail('nobody else takes it'),
      log: (text) => assert.fail(text),
    });
    await server.query(
      databaseIn(address),
      (sql) => sql`INSERT INTO cloud_terminal.replica VALUES ('door', 'door', clock_timestamp() - interval '1 s')`,
    );
    await stoppedAt(address, "cloud_terminal.replica WHERE id = 'door' FOR KEY SHARE");
    await inFewTries(address, async () => journal.doors?.sweep());
    const left = await server.query(
      databaseIn(address),
      (sql) => sql`SELECT 1 FROM cloud_terminal.replica WHERE id = 'door'`,
    );
    assert.equal(left.length, 0);
    await journal.close();
  });
});
