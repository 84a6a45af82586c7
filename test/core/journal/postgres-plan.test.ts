import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { oldRows } from '../../../src/core/journal/postgres/old-rows.js';
import { keyedRows } from '../../../src/core/journal/postgres/reads.js';
import { queryKey } from '../../../src/core/journal/postgres/rows.js';
import { databaseIn, PostgresServer } from '../../harness/postgres.js';
import { type Replica, replicaOf } from './postgres-replica.js';
import { given, sampleRecord } from './sample-record.js';

const TERMINAL = { serial_number: 'no longer in use', terminal_type: 'A920' };
const OLD = sampleRecord({ operationId: 'old', closed: true, terminal: TERMINAL });

describe('PostgreSQL: a journal of many payments', () => {
  let server: PostgresServer;
  let address: string;
  let replica: Replica;

  before(async () => {
    server = await PostgresServer.start();
    address = await server.newDatabase();
    replica = await replicaOf(address);
    await replica.journal.record(OLD);
    // Keys of their own, and one of a few terminals, as payments have them.
    await server.query(databaseIn(address), async (sql) => {
      await sql`
        INSERT INTO cloud_terminal.operation
          (operation_id, environment, fence, closed, created_at, prunable, age, keys, record)
        SELECT n::text, 'environment-1', 1, true, n, false, 0, ARRAY['r' || n, 't' || n, 'q' || n, 'd' || n % 5], '{}'
        FROM generate_series(1, 20000) AS n`;
      await sql`VACUUM ANALYZE cloud_terminal.operation`;
    });
  });
  after(async () => {
    await replica.journal.close();
    await server.end();
  });

  it('is looked through by key, and not from the newest payment on, however few are asked for', async () => {
    const key = queryKey({ reference: OLD.references[0] ?? '' });
    const plan = await server.query(databaseIn(address), (sql) => sql`EXPLAIN (FORMAT JSON) ${keyedRows(sql, key, 1)}`);
    const names = [...JSON.stringify(plan).matchAll(/"(?:Index|Node) (?:Name|Type)":"([^"]+)"/g)].map(
      ([, name]) => name,
    );
    assert.ok(names.includes('operation_keys'), names.join());
    assert.ok(!names.includes('operation_sequence_key') && !names.includes('Seq Scan'), names.join());
  });

  it('is pruned by keys, and looks for no original and no message that waits through a whole table', async () => {
    const plan = await server.query(
      databaseIn(address),
      (sql) => sql`EXPLAIN (FORMAT JSON) ${oldRows(sql, 1_000, 10)}`,
    );
    const text = JSON.stringify(plan);
    for (const index of ['operation_prunable', 'operation_keys']) assert.ok(text.includes(`"${index}"`), text);
    assert.doesNotMatch(text, /"Node Type":"Seq Scan","[^}]*"Relation Name":"operation"/);
  });

  it('finds what was paid long ago, at a terminal that is no longer in use too', async () => {
    const reference = OLD.references[0] ?? '';
    for (const query of [{ reference }, { terminal: TERMINAL.serial_number }])
      assert.deepEqual(given(await replica.journal.find(query, 1)), [OLD]);
    assert.deepEqual(await replica.journal.find({ terminal: 'never seen' }), []);
  });
});
