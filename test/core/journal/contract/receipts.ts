import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JournalError } from '../../../../src/core/base/errors.js';
import type { Journal } from '../../../../src/core/journal/journal.js';
import type { ReceiptStore, SealedReceipts } from '../../../../src/core/journal/receipt-store.js';
import { sampleRecord } from '../sample-record.js';
import type { WithJournal } from './with-journal.js';

const sealed = (box: string): SealedReceipts => ({ customer: { key: 'key', nonce: 'nonce', box } });

/** Every sentence of the interface `ReceiptStore`, for journals that keep receipts. */
export function receiptsContract(name: string, withJournal: WithJournal): void {
  const recorded = async (journal: Journal, closed = true): Promise<string> => {
    const record = sampleRecord();
    await journal.record(record);
    if (closed) await journal.advance({ ...record, closed });
    return record.operationId;
  };
  const receiptsOf = ({ receipts }: Journal): ReceiptStore => {
    assert.ok(receipts);
    return receipts;
  };

  describe(`${name}: receipts`, () => {
    it(
      'are found, the latest ones alone, and only of operations that are there',
      withJournal(async (journal) => {
        const receipts = receiptsOf(journal);
        const id = await recorded(journal);
        await receipts.keep(id, sealed('first'), 1_000);
        await receipts.keep(id, sealed('second'), 1_000);
        assert.deepEqual(await receipts.find(id), sealed('second'));
        assert.equal(await receipts.find(await recorded(journal)), undefined);
        await assert.rejects(receipts.keep('nobody', sealed('x'), 1_000), JournalError);
      }),
    );

    it(
      'go when their time is over, and no sooner',
      withJournal(async (journal, pass) => {
        const receipts = receiptsOf(journal);
        const short = await recorded(journal);
        const long = await recorded(journal);
        const renewed = await recorded(journal);
        await receipts.keep(short, sealed('short'), 1_000);
        await receipts.keep(renewed, sealed('old'), 1_000);
        await receipts.keep(renewed, sealed('new'), 5_000);
        await receipts.keep(long, sealed('long'), 5_000);
        pass(1_000);
        assert.equal(await receipts.prune(), 0);
        pass(1);
        assert.equal(await receipts.prune(), 1);
        assert.deepEqual(await Promise.all([short, long, renewed].map((id) => receipts.find(id))), [
          undefined,
          sealed('long'),
          sealed('new'),
        ]);
        pass(5_000);
        assert.equal(await receipts.prune(1), 1);
        assert.equal(await receipts.prune(1), 1);
        assert.equal(await receipts.prune(1), 0);
      }),
    );

    it(
      'go with their record',
      withJournal(async (journal, pass) => {
        const receipts = receiptsOf(journal);
        const id = await recorded(journal);
        const open = await recorded(journal, false);
        for (const one of [id, open]) await receipts.keep(one, sealed(one), 1_000_000);
        pass(10_000);
        assert.equal(await journal.prune(5_000), 1);
        assert.deepEqual([await receipts.find(id), await receipts.find(open)], [undefined, sealed(open)]);
        pass(2_000_000);
        assert.equal(await receipts.prune(), 1, 'nothing is left of the first');
      }),
    );
  });
}
