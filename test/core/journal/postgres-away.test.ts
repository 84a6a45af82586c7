import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { JournalError, LeaseLostError } from '../../../src/core/base/errors.js';
import { CutProxy } from '../../harness/cut-proxy.js';
import { databaseIn, PostgresServer } from '../../harness/postgres.js';
import { blockedIn, endLease, renew, replicaOf, through } from './postgres-replica.js';
import { given, sampleRecord } from './sample-record.js';

/** ms. */
const LOOKED_UP_AGAIN = 1000;
const PATIENCE = 8000;
/** What records an operation is committed once nobody else holds the lock. */
const LATE_COMMIT = `
  CREATE FUNCTION wait_for_lock() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NULL; END';
  CREATE CONSTRAINT TRIGGER late AFTER INSERT ON cloud_terminal.operation
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_for_lock()`;

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server.end());

/** A replica whose connection to the database can be cut. */
async function replicaBehindProxy() {
  const address = await server.newDatabase();
  const proxy = await CutProxy.before(server.port);
  return { address, proxy, ...(await replicaOf(through(proxy, address))) };
}

describe('PostgreSQL: a database that is away', () => {
  it('knows what became of a write whose acknowledgement was lost, before it says so', async () => {
    const { proxy, journal, clock } = await replicaBehindProxy();
    const operation = sampleRecord();
    const cut = proxy.spoil('commit', 'answer lost');
    const recording = journal.record(operation);
    await cut;
    await proxy.takeAway();
    await clock.set(LOOKED_UP_AGAIN);
    await proxy.bringBack();
    await clock.fire(LOOKED_UP_AGAIN);
    assert.deepEqual(await recording, { attempt: 1 });
    await journal.advance({ ...operation, updatedAt: 2 });
    await assert.rejects(journal.record(operation), JournalError, 'it is there once');
    await journal.close();
    await proxy.takeAway();
  });

  it('says of a write whose acknowledgement was lost that another process goes on with it', async () => {
    const { address, proxy, journal, clock } = await replicaBehindProxy();
    const [operation, other] = [sampleRecord(), sampleRecord()];
    const cut = proxy.spoil('commit', 'answer lost');
    const recording = journal.record(operation);
    await cut;
    await proxy.takeAway();
    await clock.set(LOOKED_UP_AGAIN);
    await endLease(server, address);
    const two = await replicaOf(address, 'two');
    const takenUp = { ...operation, owner: 'another-engine', updatedAt: 2 };
    await two.journal.advance(takenUp);
    await proxy.bringBack();
    await clock.fire(LOOKED_UP_AGAIN);
    assert.deepEqual(await recording, { attempt: 1 }, 'it is recorded, and the other one has it');
    assert.deepEqual(given(await two.journal.open('environment-1')), [takenUp]);
    await assert.rejects(journal.record(other), LeaseLostError);
    for (const one of [journal, two.journal]) await one.close();
    await proxy.takeAway();
  });

  it('says of a write that ends while it is looked for that it is durable', async () => {
    const { address, proxy, journal, clock } = await replicaBehindProxy();
    const operation = sampleRecord();
    const waiting = (): Promise<number> => blockedIn(server, address);
    let recording: Promise<unknown> = Promise.resolve();
    await server.query(databaseIn(address), (sql) => sql.unsafe(LATE_COMMIT));
    await server.query(databaseIn(address), (sql) =>
      sql.begin(async (holder) => {
        await holder`SELECT pg_advisory_xact_lock(1)`;
        recording = journal.record(operation);
        while ((await waiting()) < 1) await turn();
        await proxy.takeAway();
        await clock.set(LOOKED_UP_AGAIN);
        await proxy.bringBack();
        await clock.fire(LOOKED_UP_AGAIN);
        while ((await waiting()) < 2) await turn();
      }),
    );
    assert.deepEqual(await recording, { attempt: 1 });
    await journal.close();
    await proxy.takeAway();
  });

  it('says of a write whose commit takes long that it is durable, although writing it again has waited in vain', async () => {
    const { address, proxy, journal, clock } = await replicaBehindProxy();
    const operation = sampleRecord();
    const blocked = async (count: number): Promise<void> => {
      while ((await blockedIn(server, address)) !== count) await turn();
    };
    let recording: Promise<unknown> = Promise.resolve();
    await server.query(databaseIn(address), (sql) => sql.unsafe(LATE_COMMIT));
    await server.query(databaseIn(address), (sql) =>
      sql.begin(async (holder) => {
        await holder`SELECT pg_advisory_xact_lock(1)`;
        recording = journal.record(operation);
        recording.catch(() => undefined);
        await blocked(1);
        await proxy.takeAway();
        await clock.set(LOOKED_UP_AGAIN);
        await proxy.bringBack();
        await clock.fire(LOOKED_UP_AGAIN);
        await blocked(2);
        await blocked(1);
      }),
    );
    void clock.set(LOOKED_UP_AGAIN).then(() => clock.fire(LOOKED_UP_AGAIN));
    assert.deepEqual(await recording, { attempt: 1 });
    assert.deepEqual(given(await journal.open('environment-1')), [operation]);
    await journal.close();
    await proxy.takeAway();
  });

  it('refuses what it cannot write, at once, and takes it once the database is back', async () => {
    const address = await server.newDatabase();
    const proxy = await CutProxy.before(server.port);
    const one = await replicaOf(through(proxy, address));
    await proxy.takeAway();
    const operation = sampleRecord();
    await assert.rejects(
      one.journal.record(operation),
      (error) => error instanceof JournalError && !/secret/.test(error.message) && /127\.0\.0\.1/.test(error.message),
    );
    assert.equal(one.journal.mayTellUnavailable(), true, 'its lease has not ended');
    one.clock.pass(25_000);
    assert.equal(one.journal.mayTellUnavailable(), false, 'it may just have woken up');
    await renew(one);
    assert.equal(one.journal.mayTellUnavailable(), true, 'it has tried right now');
    assert.equal(one.journal.mayAct(), false);
    assert.ok(one.logged.some((text) => /will try again/.test(text)));
    await proxy.bringBack();
    await one.journal.record(operation);
    await one.journal.close();
    await proxy.takeAway();
  });

  it('says of everything under way that there was no answer, once it has been waited for in vain', async () => {
    const address = await server.newDatabase();
    const { journal, clock } = await replicaOf(address);
    await server.query(databaseIn(address), (sql) =>
      sql.begin(async (holder) => {
        await holder`LOCK TABLE cloud_terminal.operation`;
        const reads = Promise.allSettled([journal.open('environment-1'), journal.environments()]);
        while ((await blockedIn(server, address)) < 2) await turn();
        await clock.fire(PATIENCE);
        for (const read of await reads)
          assert.match(read.status === 'rejected' ? String(read.reason) : '', /no answer within 8000 ms/);
      }),
    );
    await journal.close();
  });

  it('loses nothing that it has acknowledged when the server dies', async () => {
    const { journal } = await replicaOf(await server.newDatabase());
    const operations = Array.from({ length: 200 }, () => sampleRecord());
    await Promise.all(operations.map((operation) => journal.record(operation)));
    await server.stop();
    await assert.rejects(journal.record(sampleRecord()), JournalError);
    await server.run();
    assert.deepEqual(given(await journal.open('environment-1')), operations);
    await journal.record(sampleRecord());
    await journal.close();
  });

  it('keeps a change that the database refuses from the others that came with it', async () => {
    const { journal } = await replicaOf(await server.newDatabase());
    const [first, odd, last] = [sampleRecord(), sampleRecord({ environment: 'a\0b' }), sampleRecord()];
    const outcomes = await Promise.allSettled([first, odd, last].map((operation) => journal.record(operation)));
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(given(await journal.open('environment-1')), [first, last]);
    await journal.close();
  });
});
