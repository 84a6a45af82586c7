import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { LeaseLostError } from '../../../src/core/base/errors.js';
import { databaseIn, PostgresServer } from '../../harness/postgres.js';
import { blockedIn, leaderIn, RENEWAL, type Replica, renew, replicaOf } from './postgres-replica.js';
import { given, sampleRecord } from './sample-record.js';

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server.end());

/** A process that leads, in the second life of its database. */
async function leader(): Promise<Replica & { address: string }> {
  const address = await server.newDatabase();
  await (await replicaOf(address, 'earlier')).journal.close();
  await server.query(databaseIn(address), (sql) => sql`UPDATE cloud_terminal.leader SET until = '-infinity'`);
  const replica = await replicaOf(address, 'one');
  return Object.assign(replica, { address });
}

/** A copy from before the leader had begun takes the place of the database. */
function restore(address: string, leaderRow: 'earlier' | 'none', until = '-infinity'): Promise<unknown> {
  return server.query(databaseIn(address), (sql) =>
    sql.begin(async (transaction) => {
      await transaction`DELETE FROM cloud_terminal.operation`;
      if (leaderRow === 'none') await transaction`DELETE FROM cloud_terminal.leader`;
      else
        await transaction`UPDATE cloud_terminal.leader SET owner = 'earlier', fence = 1, until = ${until}::text::timestamptz`;
    }),
  );
}

describe('PostgreSQL: an older copy, of which the leader knows nothing, takes the place of the database', () => {
  for (const row of ['earlier', 'none'] as const) {
    it(`the leader goes on, and writes again what it works on (leader in the copy: ${row})`, async () => {
      const one = await leader();
      const operation = sampleRecord();
      await one.journal.record(operation);
      await restore(one.address, row);
      const later = { ...operation, updatedAt: 2 };
      await one.journal.advance(later);
      assert.deepEqual(given(await one.journal.open('environment-1')), [later]);
      assert.equal(one.losses, 0);
      assert.match(one.logged.join(), /has gone on from an older copy, and this process goes on with it/);
      assert.deepEqual(await fenceIn(one.address), { host: 'one', fence: 2 });
      await one.journal.close();
    });
  }

  it('the leader goes on when it renews its lease, before it has anything to write', async () => {
    const one = await leader();
    await restore(one.address, 'earlier');
    await renew(one);
    assert.deepEqual(await fenceIn(one.address), { host: 'one', fence: 2 });
    assert.equal(one.losses, 0);
    await one.journal.close();
  });

  it('the leader goes on where it renews its lease and writes at the same moment', async () => {
    const one = await leader();
    const operation = sampleRecord();
    await one.journal.record(operation);
    await restore(one.address, 'earlier');
    let written: Promise<void> | undefined;
    await whileHeld(one.address, 2, async () => {
      await one.clock.fire(RENEWAL);
      written = one.journal.advance({ ...operation, updatedAt: 2 });
      written.catch(() => undefined);
    });
    await written;
    await Promise.race([one.clock.set(RENEWAL), one.lost]);
    assert.equal(one.losses, 0);
    assert.deepEqual(await fenceIn(one.address), { host: 'one', fence: 2 });
    await one.journal.close();
  });

  it('the leader stops where another process has the journal by then', async () => {
    const one = await leader();
    const operation = sampleRecord();
    await one.journal.record(operation);
    await restore(one.address, 'earlier', '2999-01-01');
    await assert.rejects(one.journal.advance({ ...operation, updatedAt: 2 }), LeaseLostError);
    assert.deepEqual(await fenceIn(one.address), { host: 'one', fence: 1 });
    await one.journal.close();
  });
});

/** Holds the leader's row until so many connections wait for it. */
function whileHeld(address: string, waiting: number, begin: () => Promise<void>): Promise<unknown> {
  return server.query(databaseIn(address), (sql) =>
    sql.begin(async (transaction) => {
      await transaction`SELECT 1 FROM cloud_terminal.leader FOR UPDATE`;
      await begin();
      while ((await blockedIn(server, address)) < waiting) await setTimeout(20);
    }),
  );
}

async function fenceIn(address: string): Promise<{ host: string; fence: number }> {
  const { host, fence } = await leaderIn(server, address);
  return { host, fence };
}
