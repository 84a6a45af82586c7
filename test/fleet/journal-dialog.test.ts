import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Membership } from '../../src/core/journal/postgres/lease/membership.js';
import { systemClock } from '../../src/core/platform/system-clock.js';
import type { CheckResult } from '../../src/nodes/admin/contract.js';
import { type RunningNodeRed, startNodeRed } from '../harness/node-red.js';
import { databaseIn, PostgresServer } from '../harness/postgres.js';

/** What "Test connection" of a journal finds, in a real Node-RED with a real database. */

describe('the test of a journal in its dialog', () => {
  let server: PostgresServer;
  let nodeRed: RunningNodeRed;
  let address: string;

  before(async () => {
    server = await PostgresServer.start();
    address = await server.newDatabase();
    nodeRed = await startNodeRed({
      flows: [
        { id: 'tab', type: 'tab', label: 'till' },
        { id: 'journal', type: 'payment-journal', store: 'postgresql', keepDays: 400 },
        { id: 'environment', type: 'payment-environment', kind: 'simulator', group: 'B', journal: 'journal' },
      ],
      credentials: { journal: { address } },
      env: { DATABASE: address },
    });
    while (!(await isTaken()));
  });
  after(async () => {
    await nodeRed?.stop();
    await server.end();
  });

  /** Node-RED opens its journal right after it has started the flows. */
  async function isTaken(): Promise<boolean> {
    const count = 'SELECT 1 FROM cloud_terminal.leader';
    const [table] = await server.query(
      databaseIn(address),
      (sql) => sql`SELECT to_regclass('cloud_terminal.leader') AS name`,
    );
    return table?.name !== null && (await server.query(databaseIn(address), (sql) => sql.unsafe(count))).length > 0;
  }

  async function found(draft: { address?: string; directAddress?: string }): Promise<Record<string, string>> {
    const answer = await fetch(`${nodeRed.url}/payment-admin/journals/journal/test`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ draft }),
    });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    assert.doesNotMatch(text, /secret/);
    const { findings } = JSON.parse(text) as { findings: CheckResult[] };
    return Object.fromEntries(findings.map(({ check, state, reason }) => [check, `${state}: ${reason}`]));
  }

  const SOUND = { database: 'ok: connected', tables: 'ok: tables-ready', durability: 'ok: durable' };

  it('names who has the deployed one', async () => {
    assert.deepEqual(await found({}), { ...SOUND, leader: 'ok: taken' });
  });

  it('takes an address that is typed, or the name of a variable', async () => {
    const other = await server.newDatabase();
    assert.deepEqual(await found({ address: other }), { ...SOUND, tables: 'ok: tables-none', leader: 'ok: free' });
    assert.deepEqual(await found({ address: `\${DATABASE}` }), { ...SOUND, leader: 'ok: taken' });
    const tables = await server.query(
      databaseIn(other),
      (sql) => sql`SELECT to_regnamespace('cloud_terminal') AS name`,
    );
    assert.equal(tables[0]?.name, null, 'it changes nothing');
  });

  it('checks that a direct address hears what the other one notifies', async () => {
    const notifications = async (directAddress: string) => (await found({ directAddress })).notifications;
    assert.equal(await notifications(address), 'ok: heard');
    assert.equal(await notifications(await server.newDatabase()), 'bad: unheard', 'of another database');
    assert.equal(await notifications(address.replace(/:\d+\//, ':1/')), 'bad: database-away');
    assert.equal(await notifications(`\${DATABASE}`), 'ok: heard');
    assert.equal(await notifications(''), undefined);
    assert.deepEqual(await found({ directAddress: 'mysql://root:secret@host/db' }), { database: 'bad: database-away' });
  });

  it('names settings that may lose payments, and tables of a newer version', async () => {
    const other = await server.newDatabase();
    const name = databaseIn(other);
    await server.query(name, (sql) => sql.unsafe(`ALTER DATABASE ${name} SET synchronous_commit = off`));
    await server.query(name, async (sql) => {
      await sql`CREATE SCHEMA cloud_terminal`;
      await sql`CREATE TABLE cloud_terminal.form AS SELECT 99 AS version`;
      await sql`CREATE TABLE cloud_terminal.leader (host text, until timestamptz)`;
    });
    const { tables, durability } = await found({ address: other });
    assert.deepEqual([tables, durability], ['bad: tables-newer', 'bad: not-durable']);
  });

  it('says where a user may not write, and where the database only reads', async () => {
    const other = await server.newDatabase();
    const name = databaseIn(other);
    const tables = async (user: string) => (await found({ address: other.replace('payments:', `${user}:`) })).tables;
    await server.query(name, (sql) => sql.unsafe('CREATE ROLE reader LOGIN; CREATE ROLE stranger LOGIN'));
    await server.query(name, (sql) => sql.unsafe(`GRANT CREATE ON DATABASE ${name} TO reader`));
    await server.query(name, (sql) => sql.unsafe('ALTER ROLE reader SET default_transaction_read_only = on'));
    assert.equal(await tables('reader'), 'bad: tables-unwritable', 'it could not make them');
    const { leave } = await Membership.join(other, { clock: systemClock, replica: { id: 'a', host: 'a' } });
    await leave();
    await server.query(name, (sql) => sql.unsafe('GRANT USAGE ON SCHEMA cloud_terminal TO PUBLIC'));
    const grant = (what: string): Promise<unknown> =>
      server.query(name, (sql) => sql.unsafe(`GRANT ${what} IN SCHEMA cloud_terminal TO PUBLIC`));
    await grant('SELECT ON ALL TABLES');
    assert.equal(await tables('stranger'), 'bad: tables-unwritable');
    await grant('ALL ON ALL TABLES');
    assert.equal(await tables('stranger'), 'bad: tables-unwritable', 'it may not number what it writes');
    await grant('USAGE ON ALL SEQUENCES');
    assert.equal(await tables('stranger'), 'ok: tables-ready');
    assert.equal(await tables('reader'), 'bad: tables-unwritable');
  });

  it('says what is wrong with an address, and shows no password', async () => {
    for (const wrong of ['mysql://root:secret@host/db', address.replace(/:\d+\//, ':1/'), '']) {
      assert.deepEqual(await found({ address: wrong }), { database: 'bad: database-away' });
    }
  });
});
