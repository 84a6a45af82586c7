import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { StandbyError } from '../../../src/core/base/errors.js';
import { PostgresLeaderRow } from '../../../src/core/journal/postgres/lease/leader-row.js';
import { Membership } from '../../../src/core/journal/postgres/lease/membership.js';
import { systemClock } from '../../../src/core/platform/system-clock.js';
import { databaseIn, PostgresServer } from '../../harness/postgres.js';
import { replicaOf } from './postgres-replica.js';
import { given, sampleRecord } from './sample-record.js';

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server.end());

describe('PostgreSQL: the tables', () => {
  it('are made once, by whoever comes first', async () => {
    const address = await server.newDatabase();
    const opened = await Promise.allSettled(['one', 'two', 'three'].map((host) => replicaOf(address, host)));
    const refused = opened.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    assert.equal(refused.length, 2);
    for (const error of refused) assert.ok(error instanceof StandbyError, String(error));
    for (const one of opened) if (one.status === 'fulfilled') await one.value.journal.close();
  });

  it('hold no operation under what a database cannot hold, and whoever asks at the same time is answered', async () => {
    const { journal } = await replicaOf(await server.newDatabase());
    const record = sampleRecord();
    await journal.record(record);
    const { operationId } = record;
    const ids = ['\u0000', '\ud800', operationId, 'another', operationId];
    const found = await Promise.all(ids.map((id) => journal.find({ operationId: id })));
    assert.deepEqual(
      found.map(([one]) => one?.operationId),
      [undefined, undefined, operationId, undefined, operationId],
    );
    await journal.close();
  });

  it('of a newer version are left as they are', async () => {
    const address = await server.newDatabase();
    await (await replicaOf(address)).journal.close();
    await server.query(databaseIn(address), (sql) => sql`UPDATE cloud_terminal.form SET version = 99`);
    await assert.rejects(replicaOf(address), /a newer version of this package .* \(form 99, this one knows 6\)/);
  });

  it('that a newer version has changed are led no more by a process that stood by meanwhile', async () => {
    const address = await server.newDatabase();
    const { membership, leave } = await Membership.join(address, {
      clock: systemClock,
      replica: { id: 'a', host: 'a' },
    });
    await server.query(databaseIn(address), (sql) => sql`UPDATE cloud_terminal.form SET version = 99`);
    const row = new PostgresLeaderRow(membership.database);
    await assert.rejects(row.take({ id: 'a', host: 'a' }, 30_000), /a newer version of this package .* \(form 99/);
    await leave();
  });

  it('of a database in another encoding than UTF-8 hold every character', async () => {
    const name = 'in_latin1';
    await server.query('postgres', (sql) =>
      sql.unsafe(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`),
    );
    const { journal } = await replicaOf(server.addressOf(name));
    const operation = sampleRecord({ result: { merchantName: 'Łódź 東京 😀' } });
    await journal.record(operation);
    assert.deepEqual(given(await journal.find({ operationId: operation.operationId })), [operation]);
    await journal.close();
  });

  it('in a database that may lose what it has acknowledged are named', async () => {
    const address = await server.newDatabase();
    const name = databaseIn(address);
    await server.query(name, (sql) => sql.unsafe(`ALTER DATABASE ${name} SET synchronous_commit = off`));
    const { journal, logged } = await replicaOf(address);
    assert.match(logged.join(), /synchronous_commit is off: a power cut may lose payments/);
    await journal.close();
  });

  it('cannot be at an address that is none', async () => {
    for (const address of ['mysql://root:secret@host/db', 'postgresql://root:secret/odd@host/db', 'secret']) {
      await assert.rejects(replicaOf(address), (error: Error) => {
        assert.match(error.message, /expected postgresql:/);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      });
    }
  });
});
