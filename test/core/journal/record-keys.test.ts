import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { openDatabases, openRoot } from '../../../src/core/journal/lmdb/file/databases.js';
import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';
import { poolStore } from '../../../src/core/journal/lmdb/store-pool.js';
import type { OperationRecord } from '../../../src/core/journal/record.js';
import { checkJournal } from '../../../src/journal-tool/check.js';
import { sampleRecord } from './sample-record.js';

const base = mkdtemp(join(tmpdir(), 'record-keys-'));
after(async () => rm(await base, { recursive: true }));

const idsOf = (records: readonly OperationRecord[]): string[] => records.map(({ operationId }) => operationId).sort();

async function threeSales(): Promise<{ folder: string; sales: OperationRecord[] }> {
  const folder = await mkdtemp(join(await base, 'f-'));
  const journal = await openLmdbJournal(folder);
  const sales = [sampleRecord(), sampleRecord(), sampleRecord()];
  for (const sale of sales) await journal.record(sale);
  await journal.close();
  return { folder, sales };
}

/** Flips one bit of the key of the newest record. */
async function spoilNewest(folder: string, place: number, bit: number): Promise<void> {
  const file = join(folder, 'journal.mdb');
  const bytes = await readFile(file);
  for (let at = bytes.indexOf('00000003'); at >= 0; at = bytes.indexOf('00000003', at + 1)) {
    // A node of a record: behind the key follow the checksum, whether it is open, and the JSON.
    const isRecord = bytes.readUInt16LE(at - 2) === 8 && bytes.toString('latin1', at + 12, at + 25) === 'o{"sequence":';
    if (isRecord) bytes[at + place] = (bytes[at + place] ?? 0) ^ bit;
  }
  await writeFile(file, bytes);
}

async function checked(folder: string): Promise<void> {
  const { store, leave } = await poolStore(folder);
  await store.checked;
  await leave();
}

/** What becomes of the digit: another one; none; a byte that is no text. */
const FLIPS = [
  [7, 0x40],
  [7, 0x08],
  [3, 0x80],
  [0, 0x40],
  [0, 0x80],
] as const;

describe('embedded: one bit of the key of the newest record', () => {
  for (const [place, bit] of FLIPS) {
    it(`lets no new payment replace another one, and is reported (digit ${place}, bit ${bit})`, async () => {
      const { folder, sales } = await threeSales();
      await spoilNewest(folder, place, bit);
      const { damage } = await checkJournal(folder);
      assert.match(
        damage[0] ?? '',
        new RegExp(`is damaged. .*, probably ${sales[2]?.operationId}, and check the disk`),
      );
      const reports: string[] = [];
      const journal = await openLmdbJournal(folder, (report) => reports.push(report));
      const later = [sampleRecord(), sampleRecord()];
      for (const sale of later) await journal.record(sale);
      await checked(folder);
      await journal.close();
      assert.ok(reports.some((report) => report.includes(sales[2]?.operationId ?? '')));
      const again = await openLmdbJournal(folder);
      const expected = idsOf([...sales.slice(0, 2), ...later]);
      assert.deepEqual(idsOf(await again.open('environment-1')), expected);
      // Read through, from the newest to the oldest: the damaged one ends it nowhere.
      assert.deepEqual(idsOf(await again.find({ terminal: '0821234567' })), expected);
      assert.equal(
        (await again.open('environment-1')).at(-1)?.operationId,
        later[1]?.operationId,
        'the last is the newest',
      );
      await again.close();
    });
  }

  it('lets no new payment replace another one where the newest record itself is damaged too', async () => {
    const { folder, sales } = await threeSales();
    await spoilNewest(folder, 7, 0x08);
    const file = join(folder, 'journal.mdb');
    const id = sales[2]?.operationId ?? '';
    await writeFile(file, (await readFile(file, 'latin1')).replaceAll(id, id.replace('-4', '-5')), 'latin1');
    const journal = await openLmdbJournal(folder);
    const later = sampleRecord();
    await journal.record(later);
    assert.deepEqual(idsOf(await journal.open('environment-1')), idsOf([...sales.slice(0, 2), later]));
    await journal.close();
  });
});

describe('embedded: a record in the place of the next one', () => {
  it('is not replaced: the payment is refused, and the one after it is recorded', async () => {
    const { folder, sales } = await threeSales();
    const journal = await openLmdbJournal(folder);
    const root = openRoot(join(folder, 'journal.mdb'));
    const { records } = openDatabases(root);
    await records.put('00000004', records.get('00000003') ?? Buffer.alloc(0));
    const [refused, next] = [sampleRecord(), sampleRecord()];
    await assert.rejects(
      journal.record(refused),
      /a new payment would replace record 4 of the journal: check the disk/,
    );
    await journal.record(next);
    assert.deepEqual(idsOf(await journal.open('environment-1')), idsOf([...sales, next]));
    await root.close();
    await journal.close();
  });
});

describe('embedded: a key of the index whose time has changed', () => {
  it('lists its payment once, though the right key was given back beside it', async () => {
    const { folder, sales } = await threeSales();
    const root = openRoot(join(folder, 'journal.mdb'));
    const { index } = openDatabases(root);
    const key = [...index.getKeys()].find((one) => one.startsWith('e') && one.endsWith('00000002')) ?? '';
    await index.remove(key);
    await index.put(`${key.slice(0, -17)}z${key.slice(-16)}`, '');
    await root.close();
    await checked(folder);
    const journal = await openLmdbJournal(folder);
    assert.deepEqual(idsOf(await journal.find({ environment: 'environment-1' })), idsOf(sales));
    await journal.close();
  });
});
