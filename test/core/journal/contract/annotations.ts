import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JournalError } from '../../../../src/core/base/errors.js';
import type { Annotation } from '../../../../src/core/journal/annotation.js';
import { recorded, sampleId, sampleRecord } from '../sample-record.js';
import type { WithJournal } from './with-journal.js';

/** What people say of an operation. */
export function annotationsContract(name: string, withJournal: WithJournal): void {
  describe(`${name}: what people say`, () => {
    const said = (note: string): Annotation => ({ event: 'handled', at: 5, by: 'ann', note, known: 'unknown' });

    it(
      'keeps every row, in the order in which it was said, whatever the clock says, and whoever has the lease',
      withJournal(async (journal) => {
        const { operationId } = await recorded(journal);
        const rows: Annotation[] = [said('first'), { ...said(''), event: 'handled-withdrawn', at: 4 }, said('last')];
        for (const row of rows) await journal.annotate(operationId, row);
        assert.deepEqual(await journal.annotations([operationId]), new Map([[operationId, rows]]));
        const found = await journal.find({ operationId });
        assert.equal(found.length, 1, 'the record is as it was');
      }),
    );

    it(
      'keeps what is said at once about one operation, and apart from what is said about another',
      withJournal(async (journal) => {
        const [one, other, silent] = [await recorded(journal), await recorded(journal), await recorded(journal)];
        const notes = Array.from({ length: 20 }, (_, place) => `note ${place}`);
        await Promise.all([
          ...notes.map((note) => journal.annotate(one.operationId, said(note))),
          journal.annotate(other.operationId, said('other')),
        ]);
        const ids = [one, other, silent].map(({ operationId }) => operationId);
        const found = await journal.annotations(ids);
        assert.deepEqual([...found.keys()], ids.slice(0, 2));
        assert.deepEqual(
          found.get(one.operationId)?.map(({ note }) => note),
          notes,
        );
        assert.deepEqual(found.get(other.operationId), [said('other')]);
      }),
    );

    it(
      'rejects what is said about an operation that it does not have, and forgets it with the operation',
      withJournal(async (journal, pass) => {
        await assert.rejects(journal.annotate(sampleId(), said('nobody')), JournalError);
        const operation = sampleRecord({ closed: true });
        await journal.record(operation);
        await journal.annotate(operation.operationId, said('old'));
        pass(101);
        await journal.prune(100);
        assert.deepEqual(await journal.annotations([operation.operationId]), new Map());
      }),
    );
  });
}
