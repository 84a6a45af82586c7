import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JournalError } from '../../../../src/core/base/errors.js';
import type { TerminalRecord } from '../../../../src/core/journal/record.js';
import { given, sampleRecord } from '../sample-record.js';
import type { WithJournal } from './with-journal.js';

/** What `record` and `advance` do. */
export function recordingContract(name: string, withJournal: WithJournal): void {
  describe(`${name}: recording`, () => {
    it(
      'gives back exactly what was recorded',
      withJournal(async (journal) => {
        const operation = sampleRecord({
          resultId: 'r-1',
          result: { receipt: 'ümlaut \u{1f4b3}', empty: '', list: [1] },
        });
        await journal.record(operation);
        assert.deepEqual(given(await journal.find({ operationId: operation.operationId })), [operation]);
      }),
    );

    it(
      'numbers the records in the order in which they came, and a later version keeps the number',
      withJournal(async (journal) => {
        const operations = Array.from({ length: 3 }, () => sampleRecord());
        await Promise.all(operations.map((operation) => journal.record(operation)));
        const [first] = operations as [TerminalRecord];
        await journal.advance({ ...first, sequence: 77, fence: 9, updatedAt: 2_000 });
        const stored = await Promise.all(operations.map(({ operationId }) => journal.find({ operationId })));
        const [one, two, three] = stored.flat().map(({ sequence }) => sequence ?? Number.NaN);
        assert.ok(one !== undefined && two !== undefined && three !== undefined && one < two && two < three);
        assert.deepEqual(
          stored.flat().map(({ fence }) => fence),
          [1, 1, 1],
        );
      }),
    );

    it(
      'rejects an operation that is there already, and keeps the first one',
      withJournal(async (journal) => {
        const operation = sampleRecord();
        await journal.record(operation);
        await assert.rejects(journal.record({ ...operation, owner: 'engine-2' }), JournalError);
        assert.deepEqual(given(await journal.find({ operationId: operation.operationId })), [operation]);
        assert.equal(await journal.claim(operation.operationId, 'engine-2', 0), false, 'the lease has moved');
      }),
    );

    it(
      'takes one of two records with the same id that come at once',
      withJournal(async (journal) => {
        const operation = sampleRecord();
        const outcomes = await Promise.allSettled([journal.record(operation), journal.record(operation)]);
        assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
      }),
    );

    it(
      'keeps a copy: later changes to the object, or to one it handed out, do not reach it',
      withJournal(async (journal) => {
        const operation = sampleRecord();
        const recorded = structuredClone(operation);
        const writing = journal.record(operation);
        operation.origin.message.payload = 'changed';
        await writing;
        const [found] = await journal.find({ operationId: operation.operationId });
        assert.deepEqual(given(found === undefined ? [] : [found]), [recorded]);
        found?.timeline.push({ at: 2, event: 'changed' });
        assert.deepEqual(given(await journal.find({ operationId: operation.operationId })), [recorded]);
      }),
    );

    it(
      'replaces a record by a later one, the last of several at once',
      withJournal(async (journal) => {
        const operation = sampleRecord();
        await journal.record(operation);
        const steps = Array.from({ length: 20 }, (_, step) => ({ ...operation, updatedAt: 2_000 + step }));
        await Promise.all(steps.map((step) => journal.advance(step)));
        assert.deepEqual(given(await journal.find({ operationId: operation.operationId })), [steps.at(-1)]);
      }),
    );

    it(
      'rejects to advance what it does not have, and shows no trace of it',
      withJournal(async (journal) => {
        const operation = sampleRecord();
        await assert.rejects(journal.advance(operation), JournalError);
        assert.deepEqual(given(await journal.find({ operationId: operation.operationId })), []);
        assert.deepEqual(given(await journal.open(operation.environment)), []);
      }),
    );
  });
}
