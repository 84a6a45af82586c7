import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Journal } from '../../../src/core/journal/journal.js';
import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';
import type { ReceiptStore, SealedReceipts } from '../../../src/core/journal/receipt-store.js';
import { checkJournal } from '../../../src/journal-tool/check.js';
import { exportLines } from '../../../src/journal-tool/export.js';
import { receiptsContract } from './contract/receipts.js';
import { withJournalOf } from './contract/with-journal.js';
import { sampleRecord } from './sample-record.js';

const sealed = (box: string): SealedReceipts => ({ customer: { key: 'key', nonce: 'nonce', box } });

receiptsContract(
  'LMDB',
  withJournalOf(async (clock) => {
    const folder = await mkdtemp(join(tmpdir(), 'receipts-'));
    const journal = await openLmdbJournal(folder, assert.fail, clock);
    const close = journal.close.bind(journal);
    return Object.assign(journal, {
      close: async () => {
        await close();
        await rm(folder, { recursive: true, force: true });
      },
    });
  }),
);

describe('receipts in the embedded journal', () => {
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

  it('are there again after an opening', async () => {
    const id = await recorded();
    await receipts.keep(id, sealed('first'), 1_000);
    await journal.close();
    await open();
    assert.deepEqual(await receipts.find(id), sealed('first'));
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
