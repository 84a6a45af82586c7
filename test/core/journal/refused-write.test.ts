import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { PageFile } from '../../../src/core/journal/lmdb/check/page-file.js';
import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';
import type { OperationRecord } from '../../../src/core/journal/record.js';
import { checkJournal } from '../../../src/journal-tool/check.js';
import { compactJournal } from '../../../src/journal-tool/compact.js';
import { sampleRecord } from './sample-record.js';

const base = mkdtemp(join(tmpdir(), 'refused-write-'));
after(async () => rm(await base, { recursive: true }));

const PAGE = 4096;
/** Where a first page has its last page and its transaction: 24 bytes of every page come before. */
const [LAST_PAGE, TRANSACTION] = [24 + 120, 24 + 128];

/** Records one sale after the other, each in a transaction of its own. */
async function record(folder: string, count: number): Promise<OperationRecord[]> {
  const sales = Array.from({ length: count }, () => sampleRecord());
  const journal = await openLmdbJournal(folder);
  for (const sale of sales) await journal.record(sale);
  await journal.close();
  return sales;
}

async function opened(folder: string): Promise<OperationRecord[]> {
  const journal = await openLmdbJournal(folder);
  const found = await journal.open('environment-1');
  await journal.close();
  return found;
}

function lastTransaction(file: string): number {
  const pages = new PageFile(file);
  const transactions = pages.metas()?.map(({ transaction }) => transaction) ?? [];
  pages.close();
  return Math.max(...transactions);
}

/**
 * Records one more sale, and leaves the file as LMDB does where the disk refuses the last write of that transaction: the first
 * page has its old transaction and its old last page again, and everything else is new.
 */
async function refuseLast(folder: string): Promise<void> {
  const file = join(folder, 'journal.mdb');
  const before = await readFile(file);
  await record(folder, 1);
  const bytes = await readFile(file);
  const page = (lastTransaction(file) % 2) * PAGE;
  for (const place of [LAST_PAGE, TRANSACTION]) before.copy(bytes, page + place, page + place, page + place + 8);
  await writeFile(file, bytes);
}

async function assertGoesOn(folder: string, sales: readonly OperationRecord[], reports: string[]): Promise<void> {
  const journal = await openLmdbJournal(folder, (report) => reports.push(report));
  const later = sampleRecord();
  await journal.record(later);
  await journal.close();
  const again = await openLmdbJournal(folder, (report) => reports.push(report));
  const ids = (await again.open('environment-1')).map(({ operationId }) => operationId);
  await again.close();
  assert.deepEqual(
    ids,
    [...sales, later].map(({ operationId }) => operationId),
  );
  assert.ok(reports.every((report) => LOST.test(report)));
  assert.deepEqual((await readdir(folder)).sort(), ['journal.mdb', 'journal.mdb-lock']);
  assert.deepEqual((await checkJournal(folder)).damage, []);
}

const LOST = /^the last change to the journal's file before it was closed is not there/;

describe('embedded: a disk that refused the last write of a change', () => {
  // Each second time, one bit would make a sound first page look the same.
  for (const count of [4, 5, 6, 7]) {
    it(`leaves a sound journal: what was recorded before is taken up (${count} payments)`, async () => {
      const folder = await mkdtemp(join(await base, 'f-'));
      const sales = await record(folder, count);
      await refuseLast(folder);
      await assertGoesOn(folder, sales, []);
    });
  }

  it('leaves a sound journal also where it was compacted just before', async () => {
    const folder = await mkdtemp(join(await base, 'c-'));
    const sales = await record(folder, 2);
    while (lastTransaction(join(folder, 'journal.mdb')) % 2 === 0) sales.push(...(await record(folder, 1)));
    await compactJournal(folder);
    await refuseLast(folder);
    await assertGoesOn(folder, sales, []);
  });

  it('leaves a sound journal also where the next process was killed while it wrote over what is left', async () => {
    const folder = await mkdtemp(join(await base, 'k-'));
    const sales = await record(folder, 3);
    await refuseLast(folder);
    const file = join(folder, 'journal.mdb');
    const refused = await readFile(file);
    const next = await mkdtemp(join(await base, 'n-'));
    await copyFile(file, join(next, 'journal.mdb'));
    const journal = await openLmdbJournal(next);
    await journal.record(sampleRecord({ origin: { node: 'n', message: { filler: 'x'.repeat(50_000) } } }));
    await journal.close();
    // All pages of the next process, and the first pages as they were.
    const bytes = await readFile(join(next, 'journal.mdb'));
    refused.copy(bytes, 0, 0, 2 * PAGE);
    await writeFile(file, bytes);
    await assertGoesOn(folder, sales, []);
  });
});

describe('embedded: a disk that refuses the first page of the file', () => {
  it('is an error for whatever is asked of the journal from then on, and the next start goes on', async () => {
    const folder = await mkdtemp(join(await base, 'd-'));
    const script = join(__dirname, 'refused-writer.ts');
    const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', script, folder], { encoding: 'utf8' });
    assert.notEqual(stdout, '', stderr);
    const said: Record<string, string> = JSON.parse(stdout);
    const { first, second, third, close, ...rest } = said;
    assert.deepEqual({ first, second, close }, { first: 'done', second: 'done', close: 'done' });
    for (const text of [third, ...Object.values(rest)])
      assert.match(
        text ?? '',
        /^JournalError: the journal in .* cannot be used any more: its disk refused .* Check the disk, and restart Node-RED$/,
      );
    assert.deepEqual(Object.keys(rest), ['meanwhile', 'later', 'list', 'again']);
    const sales = await opened(folder);
    assert.equal(sales.length, 2);
    await assertGoesOn(folder, sales, []);
  });
});

describe('embedded: one bit of the number of the last change', () => {
  it('is reported: a payment may have been recorded then', async () => {
    const folder = await mkdtemp(join(await base, 'b-'));
    const file = join(folder, 'journal.mdb');
    const sales = await record(folder, 3);
    while (lastTransaction(file) % 4 < 2) sales.push(...(await record(folder, 1)));
    const bytes = await readFile(file);
    const at = (lastTransaction(file) % 2) * PAGE + TRANSACTION;
    bytes[at] = (bytes[at] ?? 0) ^ 2;
    await writeFile(file, bytes);
    assert.match((await checkJournal(folder)).damage.join(), LOST);
    const reports: string[] = [];
    await assertGoesOn(folder, sales.slice(0, -1), reports);
    assert.equal(reports.length, 1);
    assert.match(reports.join(), LOST);
  });
});
