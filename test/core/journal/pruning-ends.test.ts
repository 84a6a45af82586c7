import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Key } from 'lmdb';
import { type Databases, openDatabases, openRoot } from '../../../src/core/journal/lmdb/file/databases.js';
import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';
import type { OperationRecord } from '../../../src/core/journal/record.js';
import { sampleRecord, sampleRepeat } from './sample-record.js';

const base = mkdtemp(join(tmpdir(), 'pruning-ends-'));
after(async () => rm(await base, { recursive: true }));
/** Of any age. */
const EVERYTHING = -60_000;
const RECORDS = 30;
/** Far more rounds than there is anything to remove. */
const MANY = 200;

async function filled(): Promise<{ folder: string; records: OperationRecord[] }> {
  const folder = await mkdtemp(join(await base, 'f-'));
  const journal = await openLmdbJournal(folder);
  const records = Array.from({ length: RECORDS }, () => sampleRecord({ closed: true }));
  for (const [number, record] of records.entries()) {
    await journal.record(record);
    const sealed = { customer: { key: 'key', nonce: 'nonce', box: `receipt ${number}` } };
    await journal.receipts?.keep(record.operationId, sealed, 1_000);
  }
  await journal.close();
  return { folder, records };
}

async function keysOf(folder: string, name: 'index' | 'receipts', isMeant: (key: Key) => boolean): Promise<Key[]> {
  const root = openRoot(join(folder, 'journal.mdb'), { readOnly: true });
  const database: Databases[typeof name] = openDatabases(root)[name];
  const keys = [...database.getKeys()].filter(isMeant);
  await root.close();
  return keys;
}

/** Sets the highest bit of one byte wherever a text stands as a key, so that it is no text any more. */
async function spoilKeys(folder: string, texts: readonly string[], place: number): Promise<void> {
  const file = join(folder, 'journal.mdb');
  const bytes = await readFile(file);
  // In the JSON of a record it stands in quotes.
  for (const text of texts)
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1))
      if (bytes[at - 1] !== 0x22) bytes[at + place] = (bytes[at + place] ?? 0) | 0x80;
  await writeFile(file, bytes);
}

async function rounds(prune: () => Promise<number>): Promise<number[]> {
  const removed: number[] = [];
  for (let last = 1; last > 0 && removed.length < MANY; removed.push(last)) last = await prune();
  return removed;
}

describe('embedded: pruning beside damage', () => {
  for (const count of [1, RECORDS / 2]) {
    it(`ends beside ${count} keys that are damaged, removes all else, and calls no record missing`, async () => {
      const { folder, records } = await filled();
      const keys = (await keysOf(folder, 'index', (key) => String(key).startsWith('c'))).map(String);
      // The last ones: the order of the others would show it at the opening.
      await spoilKeys(folder, keys.slice(-count), 9);
      const reports: string[] = [];
      const journal = await openLmdbJournal(folder, (damage) => reports.push(damage));
      const removed = await rounds(() => journal.prune(EVERYTHING));
      const left = await journal.find({ environment: 'environment-1' });
      await journal.close();
      assert.equal(removed.at(-1), 0);
      assert.ok(removed.reduce((sum, one) => sum + one) >= records.length - count);
      assert.ok(left.length <= count, `${left.length} are left`);
      assert.doesNotMatch(reports.join(), /is missing/);
    });
  }

  it('goes on behind records that are damaged', async () => {
    const { folder, records } = await filled();
    const file = join(folder, 'journal.mdb');
    let text = await readFile(file, 'latin1');
    const spoilt = records.slice(0, RECORDS / 2).map(({ operationId }) => operationId);
    for (const id of spoilt) text = text.replaceAll(`"operationId":"${id}"`, `"operationid":"${id}"`);
    await writeFile(file, text, 'latin1');
    const journal = await openLmdbJournal(folder);
    const removed = await rounds(() => journal.prune(EVERYTHING));
    await journal.close();
    assert.equal(
      removed.reduce((sum, one) => sum + one),
      records.length - spoilt.length,
    );
  });

  it('goes on behind what is still needed, after a restart too, and removes it in its time', async () => {
    const folder = await mkdtemp(join(await base, 'f-'));
    let now = 0;
    const open = () =>
      openLmdbJournal(
        folder,
        () => undefined,
        () => now,
      );
    let journal = await open();
    const sale = sampleRecord({ transactionId: 'sale-1' });
    const first = sampleRecord({ closed: true });
    const repeat = sampleRepeat({ first: first.operationId });
    await journal.record(sale);
    await journal.record(first);
    await journal.recordRepeat(repeat);
    // More than one pruning looks at.
    const refunds = Array.from({ length: 250 }, () => {
      const { request, ...record } = sampleRecord({ closed: true, operation: 'refund' });
      return { ...record, request: { ...request, operation: 'refund' as const, originalTransactionId: 'sale-1' } };
    });
    for (const refund of refunds) await journal.record(refund);
    now = 1;
    await journal.record(sampleRecord({ closed: true }));
    await journal.close();
    now = 0;
    journal = await open();
    now = 200;
    // However slow the disk is.
    let removed = 0;
    for (let round = 0; round < refunds.length; round++) removed += await journal.prune(100);
    assert.equal(removed, 1);
    assert.equal((await journal.find({ original: 'sale-1' }, 1_000)).length, refunds.length);
    assert.equal((await journal.find({ operationId: first.operationId })).length, 1);
    await journal.advance({ ...sale, closed: true });
    await journal.forgetRepeat(repeat);
    now = 500;
    removed = (await rounds(() => journal.prune(100, 1_000))).reduce((sum, one) => sum + one);
    assert.equal(removed, refunds.length + 2);
    assert.deepEqual(await journal.find({ environment: 'environment-1' }), []);
    await journal.close();
  });

  it('of receipts ends beside a key that is damaged, and removes the others', async () => {
    const { folder, records } = await filled();
    const last = (await keysOf(folder, 'receipts', (key) => Array.isArray(key) && key[0] === 'until')).at(-1);
    const id = Array.isArray(last) ? String(last[2]) : '';
    await spoilKeys(folder, [id], id.length - 1);
    let now = 0;
    const journal = await openLmdbJournal(
      folder,
      () => undefined,
      () => now,
    );
    now = 1_000_000;
    const removed = await rounds(async () => (await journal.receipts?.prune()) ?? 0);
    await journal.close();
    assert.equal(removed.at(-1), 0);
    assert.equal(
      removed.reduce((sum, one) => sum + one),
      records.length - 1,
    );
  });
});
