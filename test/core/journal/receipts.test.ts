import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { JournalError } from '../../../src/core/base/errors.js';
import type { Journal } from '../../../src/core/journal/journal.js';
import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';
import type { ReceiptStore, SealedReceipts } from '../../../src/core/journal/receipt-store.js';
import { checkJournal } from '../../../src/journal-tool/check.js';
import { exportLines } from '../../../src/journal-tool/export.js';
import { sampleRecord } from './sample-record.js';

const sealed = (box: string): SealedReceipts => ({ customer: { key: 'key', nonce: 'nonce', box } });

describe('receipts in the journal', () => {
  let folder: string;
  let journal: Journal;
  let receipts: ReceiptStore;
  let now: number;
  let reports: string[];

  const open = async (): Promise<void> => {
    journal = await openLmdbJournal(
      folder,
      (damage) => reports.push(damage),
      () => now,
    );
    receipts = journal.receipts as ReceiptStore;
  };
  const recorded = async (closed = true): Promise<string> => {
    const record = sampleRecord();
    await journal.record(record);
    if (closed) await journal.advance({ ...record, closed });
    return record.operationId;
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'receipts-'));
    now = 0;
    reports = [];
    await open();
  });
  afterEach(async () => {
    await journal.close();
    await rm(folder, { recursive: true });
  });

  it('are there again after an opening, the latest ones alone', async () => {
    const id = await recorded();
    await receipts.keep(id, sealed('first'), 1_000);
    await receipts.keep(id, sealed('second'), 1_000);
    await journal.close();
    await open();
    assert.deepEqual(await receipts.find(id), sealed('second'));
    assert.equal(await receipts.find(await recorded()), undefined);
    await assert.rejects(receipts.keep('nobody', sealed('x'), 1_000), JournalError);
  });

  it('go when their time is over, and no sooner', async () => {
    const [short, long, renewed] = [await recorded(), await recorded(), await recorded()];
    await receipts.keep(short, sealed('short'), 1_000);
    await receipts.keep(renewed, sealed('old'), 1_000);
    await receipts.keep(renewed, sealed('new'), 5_000);
    await receipts.keep(long, sealed('long'), 5_000);
    now = 1_000;
    assert.equal(await receipts.prune(), 0);
    now = 1_001;
    assert.equal(await receipts.prune(), 1);
    assert.deepEqual(await Promise.all([short, long, renewed].map((id) => receipts.find(id))), [
      undefined,
      sealed('long'),
      sealed('new'),
    ]);
    now = 6_000;
    assert.equal(await receipts.prune(1), 1);
    assert.equal(await receipts.prune(1), 1);
    assert.equal(await receipts.prune(1), 0);
  });

  it('go with their record', async () => {
    const id = await recorded();
    const open = await recorded(false);
    for (const one of [id, open]) await receipts.keep(one, sealed(one), 1_000_000);
    now = 10_000;
    assert.equal(await journal.prune(5_000), 1);
    assert.deepEqual([await receipts.find(id), await receipts.find(open)], [undefined, sealed(open)]);
    now = 2_000_000;
    assert.equal(await receipts.prune(), 1, 'nothing is left of the first');
  });

  it('are not exported', async () => {
    await receipts.keep(await recorded(), sealed('the sealed receipt'), 1_000);
    await journal.close();
    const lines = [...exportLines(join(folder, 'journal.mdb'))];
    assert.equal(lines.length, 1);
    assert.doesNotMatch(lines.join(), /sealed/);
    await open();
  });

  it('that are damaged are reported, and left out', async () => {
    const id = await recorded();
    await receipts.keep(id, sealed('spoil this'), 1_000);
    await journal.close();
    const file = join(folder, 'journal.mdb');
    const bytes = (await readFile(file)).toString('latin1').replaceAll('spoil this', 'spoiL this');
    await writeFile(file, bytes, 'latin1');
    assert.match((await checkJournal(folder)).damage.join(), /receipts of a payment are damaged/);
    await open();
    assert.equal(await receipts.find(id), undefined);
    assert.match(reports.join(), /receipts of a payment are damaged/);
    now = 1_001;
    assert.equal(await receipts.prune(), 1);
    await receipts.keep(id, sealed('anew'), 1_000);
    assert.deepEqual(await receipts.find(id), sealed('anew'));
  });
});
