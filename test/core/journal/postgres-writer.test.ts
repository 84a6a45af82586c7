import assert from 'node:assert/strict';
import { it } from 'node:test';
import { JournalError } from '../../../src/core/base/errors.js';
import {
  type Sql,
  type TransactionSql,
  UnknownEndError,
} from '../../../src/core/journal/postgres/connection/database.js';
import { Writer } from '../../../src/core/journal/postgres/writer.js';
import { VirtualClock } from '../../harness/virtual-clock.js';

const LEASE = { hold: async () => ({ fence: 1, age: 0 }) };
const PATIENCE = 8000;

/** What the driver throws where the server answers with an error. */
function answered(code: string): JournalError {
  return new JournalError(code, { cause: Object.assign(new Error(code), { severity: 'ERROR', code }) });
}

it('a database that is far away takes many changes in transactions that it can end in time', async () => {
  const clock = new VirtualClock();
  const wait = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));
  const lengths: number[] = [];
  const database = {
    place: 'far away',
    read: () => assert.fail('nothing is in doubt'),
    transaction: async <T>(work: (sql: TransactionSql) => Promise<T>): Promise<T> => {
      const begun = clock.now();
      const done = work(undefined as unknown as TransactionSql).then(async (value) => [value, await wait(25)] as const);
      const late = wait(PATIENCE).then(() => Promise.reject(new JournalError('no answer')));
      const [value] = await Promise.race([done, late]).finally(() => lengths.push(clock.now() - begun));
      return value;
    },
  };
  const writer = new Writer(database, LEASE, clock);
  let written = 0;
  const changes = Array.from({ length: 400 }, () =>
    writer.change({ takesSteps: true, write: () => wait(75).then(() => written++) }),
  );
  await clock.advance(60_000);
  await Promise.all(changes);
  assert.equal(written, 400);
  assert.ok(Math.max(...lengths) < 4000, `the lease could not be renewed for ${Math.max(...lengths)} ms`);
});

it('what was committed without an answer is found out from a database that can be written, not from a standby', async () => {
  const clock = new VirtualClock();
  let server: 'lost' | 'standby' | 'promoted' = 'lost';
  const database = {
    place: 'the database',
    read: <T>(work: (sql: Sql) => Promise<T>): Promise<T> =>
      work((async () => [{ stands_by: server !== 'promoted' }]) as unknown as Sql),
    transaction: async <T>(): Promise<T> => {
      if (server !== 'lost') throw answered('25006');
      server = 'standby';
      throw new UnknownEndError('the connection was lost');
    },
  };
  const writer = new Writer(database, LEASE, clock);
  let outcome = '';
  // The standby has not replayed it yet.
  const change = {
    write: async () => 'written',
    written: async () => (server === 'promoted' ? 'was there' : undefined),
  };
  writer.change(change).then(
    (value) => {
      outcome = value;
    },
    (error) => {
      outcome = String(error);
    },
  );
  await clock.advance(30_000);
  assert.equal(outcome, '', 'nobody can know');
  server = 'promoted';
  await clock.advance(2000);
  assert.equal(outcome, 'was there');
});
