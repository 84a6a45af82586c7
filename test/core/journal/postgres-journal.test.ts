import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { LeaseLostError, StandbyError } from '../../../src/core/base/errors.js';
import type { Journal } from '../../../src/core/journal/journal.js';
import { openPostgresJournal } from '../../../src/core/journal/postgres/postgres-journal.js';
import { systemClock } from '../../../src/core/platform/system-clock.js';
import { CutProxy } from '../../harness/cut-proxy.js';
import { databaseIn, PostgresServer } from '../../harness/postgres.js';
import { journalContract } from './contract/contract.js';
import { receiptsContract } from './contract/receipts.js';
import { withJournalOf } from './contract/with-journal.js';
import { blockedIn, endLease, leaderIn, RENEWAL, renew, replicaOf, through } from './postgres-replica.js';
import { given, sampleRecord } from './sample-record.js';

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server.end());

let shared: string | undefined;
const openEmpty = async (now: () => number): Promise<Journal> => {
  shared ??= await server.newDatabase();
  await server.query(databaseIn(shared), (sql) => sql`DROP SCHEMA IF EXISTS cloud_terminal CASCADE`);
  return openPostgresJournal(shared, {
    clock: { ...systemClock, now },
    replica: { id: randomUUID(), host: 'here' },
    onLost: () => assert.fail('nobody else takes it'),
    log: (text) => assert.fail(text),
  });
};
journalContract('PostgreSQL', openEmpty);
receiptsContract('PostgreSQL', withJournalOf(openEmpty));

describe('PostgreSQL: a database that went on from an older copy', () => {
  it('gets back an operation that is open here, with its key, and says so', async () => {
    const address = await server.newDatabase();
    const { journal, logged } = await replicaOf(address);
    const operation = sampleRecord({ origin: { node: 'n', message: {}, key: { hash: 'hash-1', text: 'order-1' } } });
    await journal.record(operation);
    await server.query(databaseIn(address), (sql) => sql`DELETE FROM cloud_terminal.operation`);
    const later = { ...operation, resultId: 'result-1' };
    await journal.advance(later);
    assert.deepEqual(given(await journal.find({ resultId: 'result-1' })), [later]);
    assert.deepEqual(given([await journal.holder(operation.environment, 'hash-1')].flatMap((one) => one ?? [])), [
      later,
    ]);
    assert.match(logged.join(), new RegExp(`had lost operation ${operation.operationId}`));
    await journal.close();
  });

  for (const closed of [false, true]) {
    it(`gets back an operation that is ${closed ? 'over' : 'open'} before its order is recorded again`, async () => {
      const address = await server.newDatabase();
      const { journal, logged } = await replicaOf(address);
      const origin = { node: 'n', message: {}, key: { hash: 'hash-1', text: 'order-1' } };
      const operation = sampleRecord({ origin });
      await journal.record(operation);
      const latest = { ...operation, resultId: 'result-1', closed };
      await journal.advance(latest);
      await server.query(databaseIn(address), (sql) => sql`DELETE FROM cloud_terminal.operation`);
      const recorded = await journal.record(sampleRecord({ origin }));
      assert.deepEqual(given('existing' in recorded ? [recorded.existing] : []), [latest]);
      assert.equal((await journal.find({ environment: operation.environment })).length, 1);
      assert.match(logged.join(), new RegExp(`had lost operation ${operation.operationId}`));
      await journal.close();
    });
  }

  it('gets nothing back that was deleted because it is old', async () => {
    const address = await server.newDatabase();
    const { journal } = await replicaOf(address);
    const origin = { node: 'n', message: {}, key: { hash: 'hash-1', text: 'order-1' } };
    const operation = sampleRecord({ origin });
    await journal.record(operation);
    await journal.advance({ ...operation, closed: true });
    assert.equal(await journal.prune(-1), 1);
    assert.deepEqual(await journal.record(sampleRecord({ origin })), { attempt: 1 });
    await journal.close();
  });
});

describe('PostgreSQL: one process at a time', () => {
  it('keeps others out, and tells them who has it', async () => {
    const address = await server.newDatabase();
    const one = await replicaOf(address, 'till-1');
    await assert.rejects(
      replicaOf(address, 'till-2'),
      (error) => error instanceof StandbyError && error.code === 'STANDBY' && /till-1/.test(error.message),
    );
    assert.equal(one.journal.mayAct(), true);
    await one.journal.close();
  });

  it('lets one of several have it once its lease has ended, whatever their own clocks say', async () => {
    const address = await server.newDatabase();
    const one = await replicaOf(address);
    await endLease(server, address);
    const others = await Promise.allSettled(['two', 'three', 'four'].map((host) => replicaOf(address, host)));
    const taken = others.flatMap((other) => (other.status === 'fulfilled' ? [other.value] : []));
    assert.equal(taken.length, 1);
    assert.equal((await leaderIn(server, address)).fence, 2);
    await one.journal.close();
    assert.ok((await leaderIn(server, address)).left > 15, 'one that has not heard of it takes nothing from the other');
    for (const { journal } of taken) await journal.close();
  });

  it('takes nothing more from a process that has lost it, and tells it so once', async () => {
    const address = await server.newDatabase();
    const one = await replicaOf(address);
    const operation = sampleRecord();
    await one.journal.record(operation);
    await endLease(server, address);
    const two = await replicaOf(address, 'two');
    const late = { ...operation, updatedAt: 9 };
    const writes = [
      one.journal.advance(late),
      one.journal.record(sampleRecord()),
      one.journal.prune(1),
      one.journal.annotate(operation.operationId, { event: 'handled', at: 1, by: '', note: '', known: '' }),
    ];
    for (const write of writes) await assert.rejects(write, LeaseLostError);
    assert.equal(one.losses, 1);
    assert.equal(one.journal.mayAct(), false);
    assert.deepEqual(given(await two.journal.open('environment-1')), [operation]);
    await two.journal.advance(late);
    assert.deepEqual(given(await two.journal.find({ operationId: operation.operationId })), [late]);
    assert.equal((await two.journal.find({ operationId: operation.operationId }))[0]?.fence, 2);
    for (const { journal } of [one, two]) await journal.close();
    assert.equal((await leaderIn(server, address)).host, 'two', 'the former one took nothing back at its end');
  });

  it('acts until 5 s before the end of its lease, by its own time and by the clock of the computer', async () => {
    const address = await server.newDatabase();
    const one = await replicaOf(address);
    one.clock.pass(24_999);
    assert.equal(one.journal.mayAct(), true);
    one.clock.pass(1);
    assert.equal(one.journal.mayAct(), false, 'its own time');
    await renew(one);
    assert.equal(one.journal.mayAct(), true);
    one.clock.jump(25_000);
    assert.equal(one.journal.mayAct(), false, 'it may have slept');
    await one.journal.close();
  });

  it('says by the clock of the database how long ago an operation was written, whatever its own clock says', async () => {
    const address = await server.newDatabase();
    const { journal, clock } = await replicaOf(address);
    const operation = sampleRecord();
    const { operationId } = operation;
    await journal.record(operation);
    const wroteAt = (when: string) =>
      server.query(databaseIn(address), (sql) =>
        sql.unsafe(`UPDATE cloud_terminal.operation SET changed_at = ${when}`),
      );
    const known = async (): Promise<number> => (await journal.unchangedFor?.(operationId)) ?? Number.NaN;
    clock.jump(-1_000_000);
    await wroteAt("changed_at - interval '1 hour'");
    const hour = await known();
    assert.ok(hour >= 3_600_000 && hour < 4_000_000, `${hour} ms`);
    await journal.advance({ ...operation, updatedAt: 9 });
    assert.ok((await known()) < 400_000, 'written anew');
    for (const when of ["clock_timestamp() + interval '1 hour'", 'NULL']) {
      await wroteAt(when);
      assert.deepEqual(await known(), Number.NaN, 'the clock was set back, or an earlier version wrote it');
    }
    await journal.close();
  });

  it('goes on after a lease that ended, where nobody has taken it', async () => {
    const address = await server.newDatabase();
    const one = await replicaOf(address);
    await endLease(server, address);
    one.clock.pass(60_000);
    await renew(one);
    assert.equal(one.journal.mayAct(), true);
    assert.equal((await leaderIn(server, address)).fence, 1);
    await one.journal.close();
  });

  it('learns from a renewal that it comes too late', async () => {
    const address = await server.newDatabase();
    const one = await replicaOf(address);
    await endLease(server, address);
    const two = await replicaOf(address, 'two');
    await one.clock.fire(RENEWAL);
    await one.lost;
    assert.equal(one.journal.mayAct(), false);
    assert.equal((await leaderIn(server, address)).host, 'two');
    for (const { journal } of [one, two]) await journal.close();
  });

  it('keeps it for the moment of a deploy when it closes, and leaves it to others then', async () => {
    const address = await server.newDatabase();
    const id = randomUUID();
    await (await replicaOf(address, 'one', id)).journal.close();
    const { left } = await leaderIn(server, address);
    assert.ok(left > 3 && left <= 5, `${left} s`);
    await assert.rejects(replicaOf(address, 'two'), StandbyError);
    const again = await replicaOf(address, 'one', id);
    assert.equal((await leaderIn(server, address)).fence, 1, 'the same process has it again');
    await again.journal.close();
    await endLease(server, address);
    await (await replicaOf(address, 'two')).journal.close();
  });

  it('lets nobody take it before what is being written is there', async () => {
    const address = await server.newDatabase();
    const proxy = await CutProxy.before(server.port);
    const one = await replicaOf(through(proxy, address));
    await endLease(server, address);
    const heldUp = proxy.spoil('commit', 'held up');
    const operation = sampleRecord();
    const recording = one.journal.record(operation);
    const release = await heldUp;
    let isTaken = false;
    const taking = replicaOf(address, 'two').finally(() => {
      isTaken = true;
    });
    while (!isTaken && !((await blockedIn(server, address)) > 0));
    assert.equal(isTaken, false);
    release();
    await recording;
    const two = await taking;
    assert.deepEqual(given(await two.journal.open('environment-1')), [operation]);
    for (const { journal } of [one, two]) await journal.close();
    await proxy.takeAway();
  });

  it('waits 4 s for a process that stands still while it writes', async () => {
    const address = await server.newDatabase();
    const proxy = await CutProxy.before(server.port);
    const one = await replicaOf(through(proxy, address));
    await endLease(server, address);
    const frozen = proxy.spoil('commit', 'never sent');
    const operation = sampleRecord();
    const recording = one.journal.record(operation);
    await frozen;
    const two = await replicaOf(address, 'two');
    assert.deepEqual(await two.journal.open('environment-1'), []);
    await assert.rejects(recording, LeaseLostError);
    for (const { journal } of [one, two]) await journal.close();
    await proxy.takeAway();
  });
});
