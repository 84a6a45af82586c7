import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { JournalError } from '../../../src/core/base/errors.js';
import { type Annotation, isLeftToPerson } from '../../../src/core/journal/annotation.js';
import type { Journal } from '../../../src/core/journal/journal.js';
import { openPostgresDoor } from '../../../src/core/journal/postgres/postgres-door.js';
import { openPostgresJournal } from '../../../src/core/journal/postgres/postgres-journal.js';
import { orderKey } from '../../../src/core/operation/order-key.js';
import { systemClock } from '../../../src/core/platform/system-clock.js';
import { databaseIn, PostgresServer } from '../../harness/postgres.js';
import { damageContract, threeRecords } from './contract/damage.js';
import { given, sampleRecord, sampleRepeat } from './sample-record.js';

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server.end());

interface Opened {
  journal: Journal;
  reports: string[];
  address: string;
  /** What a person or a fault does to rows. */
  spoil(statement: string): Promise<void>;
}

async function opened(address?: string): Promise<Opened> {
  const place = address ?? (await server.newDatabase());
  const reports: string[] = [];
  const journal = await openPostgresJournal(place, {
    clock: systemClock,
    replica: { id: randomUUID(), host: 'here' },
    onLost: () => assert.fail('nobody else takes it'),
    log: (text) => assert.fail(text),
    onDamage: (damage) => reports.push(damage),
  });
  const spoil = async (statement: string): Promise<void> => {
    const { count } = await server.query(databaseIn(place), (sql) => sql.unsafe(statement));
    assert.equal(count, 1, statement);
  };
  return { journal, reports, address: place, spoil };
}

const ROW = 'UPDATE cloud_terminal.operation SET';
const SPOILT: Record<string, string> = {
  'an amount': `record = replace(record, '"amount":"1000"', '"amount":"9000"')`,
  'a record that is no JSON': `record = '{'`,
  'a record that is empty': `record = ''`,
  'the record of another': `record = (SELECT record FROM cloud_terminal.operation WHERE operation_id = 'first')`,
  'when it was changed': 'age = age + 1000',
};

for (const [what, change] of Object.entries(SPOILT))
  damageContract(`PostgreSQL, ${what}`, async (closed) => {
    const { journal, reports, spoil } = await opened();
    for (const record of threeRecords()) await journal.record(record);
    if (closed) for (const record of threeRecords()) await journal.advance({ ...record, closed: true });
    await spoil(`${ROW} ${change} WHERE operation_id = 'second'`);
    return { journal, reports };
  });

describe('PostgreSQL: a row that was changed where it lies', () => {
  it('does not keep a process from the lead, and a door neither gives it out', async () => {
    const { journal, spoil, address } = await opened();
    for (const record of threeRecords()) await journal.record(record);
    await journal.close();
    await spoil(`${ROW} record = '{' WHERE operation_id = 'second'`);
    await server.query(databaseIn(address), (sql) => sql`UPDATE cloud_terminal.leader SET until = clock_timestamp()`);
    const next = await opened(address);
    assert.deepEqual(await next.journal.openIds('environment-1'), ['first', 'third']);
    const reports: string[] = [];
    const replica = { id: randomUUID(), host: 'door' };
    const onDamage = (damage: string): void => void reports.push(damage);
    const door = await openPostgresDoor(address, { clock: systemClock, replica, log: assert.fail, onDamage });
    await assert.rejects(door.find({ operationId: 'second' }), JournalError);
    assert.equal((await door.open('environment-1')).length, 2);
    assert.deepEqual(reports, next.reports);
    assert.equal(reports.length, 1);
    for (const one of [door, next.journal]) await one.close();
  });

  it('is noticed where its place among the others was changed', async () => {
    const { journal, spoil } = await opened();
    for (const record of threeRecords()) await journal.record(record);
    await spoil(`${ROW} sequence = DEFAULT WHERE operation_id = 'first'`);
    await assert.rejects(journal.find({ operationId: 'first' }), /record 4 of the journal is damaged/);
    await journal.close();
  });

  it('is none because it holds odd texts', async () => {
    const { journal, reports } = await opened();
    const odd = `\u0001\t\n\\ "'{},$1 é 支 \u{1f4b3} \ud800 \u0000`;
    const origin = { node: odd, message: { is: odd } };
    const record = sampleRecord({ operationId: 'é, "odd"', environment: 'e\t支\u{1f4b3}', createdAt: 1.5, origin });
    await journal.record(record);
    await journal.advance({ ...record, references: ['ä', odd], closed: true });
    assert.equal((await journal.find({ environment: record.environment })).length, 1);
    await journal.recordRepeat(sampleRepeat({ environment: 'é', createdAt: 2.5, origin }));
    assert.equal((await journal.repeats('é')).length, 1);
    await journal.annotate(record.operationId, { event: 'handled', at: 5, by: odd, note: odd, known: '' });
    assert.equal((await journal.annotations([record.operationId])).get(record.operationId)?.[0]?.note, odd);
    assert.deepEqual(reports, []);
    await journal.close();
  });

  it('is written anew by whoever still knows it', async () => {
    const { journal, spoil } = await opened();
    const [record] = threeRecords();
    assert.ok(record);
    await journal.record(record);
    await spoil(`${ROW} record = '{' WHERE operation_id = 'first'`);
    await journal.advance({ ...record, updatedAt: 9 });
    assert.deepEqual(given(await journal.find({ operationId: 'first' })), [{ ...record, updatedAt: 9 }]);
    await journal.close();
  });

  it('lets nobody have the key of its order', async () => {
    const { journal, spoil } = await opened();
    const keyed = () => sampleRecord({ origin: { node: 'n', message: {}, key: orderKey('order', 'test') } as never });
    const record = keyed();
    await journal.record(record);
    await spoil(`${ROW} record = replace(record, '1000', '9000')`);
    await assert.rejects(journal.record(keyed()), /record 1 of the journal is damaged/);
    await assert.rejects(journal.holder('environment-1', record.origin.key?.hash ?? ''), /damaged/);
    await journal.close();
  });

  it('is reported once and left out where it is a message that repeats an order', async () => {
    const { journal, spoil, reports } = await opened();
    const repeats = [1, 2, 3].map((createdAt) => sampleRepeat({ createdAt }));
    for (const repeat of repeats) await journal.recordRepeat(repeat);
    await journal.recordRepeat({ ...repeats[0], told: 1 } as never);
    await spoil("UPDATE cloud_terminal.repeat SET record = replace(record, 'm2', 'm3') WHERE created_at = 2");
    for (let times = 0; times < 2; times++)
      assert.deepEqual(await journal.repeats('environment-1'), [{ ...repeats[0], told: 1 }, repeats[2]]);
    assert.equal(reports.length, 1);
    assert.match(reports[0] ?? '', /^a message in the journal that repeats an order is damaged/);
    await journal.close();
  });

  it('leaves a payment to a person where it is the last thing that was said about it', async () => {
    const { journal, spoil, reports } = await opened();
    await journal.record(sampleRecord({ operationId: 'one' }));
    const said = (note: string): Annotation => ({
      event: 'handled-withdrawn',
      at: 5,
      by: 'ann',
      note,
      known: 'unknown',
    });
    for (const note of ['first', 'last']) await journal.annotate('one', said(note));
    await spoil(
      "UPDATE cloud_terminal.annotation SET annotation = replace(annotation, '-withdrawn', '') WHERE place = 2",
    );
    for (let times = 0; times < 2; times++) {
      const found = (await journal.annotations(['one'])).get('one');
      assert.deepEqual(
        found?.map(({ event }) => event),
        ['handled-withdrawn', 'unreadable'],
      );
      assert.equal(isLeftToPerson(found), true);
    }
    assert.deepEqual(reports, ['what a person said about a payment is damaged in the journal: one 2']);
    await journal.close();
  });
});

describe('PostgreSQL: rows that a version without checksums wrote', () => {
  it('are read, left out where they are no JSON, and guarded once they are written anew', async () => {
    const { journal, spoil, reports } = await opened();
    const records = threeRecords();
    for (const record of records) await journal.record(record);
    for (const name of ['first', 'third']) await spoil(`${ROW} checksum = NULL WHERE operation_id = '${name}'`);
    await spoil(`${ROW} checksum = NULL, record = '{' WHERE operation_id = 'second'`);
    assert.deepEqual(given(await journal.open('environment-1')), [records[0], records[2]]);
    assert.deepEqual(await journal.openIds('environment-1'), ['first', 'third']);
    await assert.rejects(journal.find({ operationId: 'second' }), /record 2 .*damaged/);
    assert.equal(reports.length, 1);
    await journal.advance({ ...records[0], updatedAt: 9 } as never);
    await spoil(`${ROW} record = replace(record, '1000', '9000') WHERE operation_id = 'first'`);
    await assert.rejects(journal.find({ operationId: 'first' }), /record 1 .*damaged/);
    await journal.close();
  });

  it('are kept when the tables are brought up to date', async () => {
    const { journal, address } = await opened();
    await journal.record(sampleRecord({ operationId: 'first', closed: true }));
    await journal.recordRepeat(
      sampleRepeat({ first: 'first', origin: { node: 'n', message: { text: '"first":"x"' } } }),
    );
    await journal.close();
    await server.query(databaseIn(address), async (sql) => {
      await sql`ALTER TABLE cloud_terminal.repeat DROP COLUMN first`;
      for (const table of ['operation', 'repeat', 'annotation'])
        await sql.unsafe(`ALTER TABLE cloud_terminal.${table} DROP COLUMN checksum`);
      await sql`ALTER TABLE cloud_terminal.operation DROP COLUMN changed_at`;
      await sql`UPDATE cloud_terminal.form SET version = 3`;
      await sql`UPDATE cloud_terminal.leader SET until = clock_timestamp()`;
    });
    const again = await opened(address);
    assert.equal(await again.journal.prune(-60_000), 0, 'a message waits for it');
    assert.equal((await again.journal.find({ operationId: 'first' })).length, 1);
    assert.deepEqual(again.reports, []);
    await again.journal.close();
  });
});
