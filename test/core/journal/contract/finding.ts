import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_LIMIT } from '../../../../src/core/journal/query.js';
import type { OperationRecord } from '../../../../src/core/journal/record.js';
import { given, sampleId, sampleRecord } from '../sample-record.js';
import type { WithJournal } from './with-journal.js';

/** What `find` and `open` give, and in which order. */
export function findingContract(name: string, withJournal: WithJournal): void {
  describe(`${name}: finding`, () => {
    it(
      'finds by the reference of any attempt, by result id, by transaction id and by terminal',
      withJournal(async (journal) => {
        const operation = sampleRecord({ references: [sampleId(), sampleId()], resultId: 'r-2', transactionId: 't-2' });
        await journal.record(operation);
        await journal.record(sampleRecord({ terminal: { serial_number: 'other', terminal_type: 'A920' } }));
        const queries = [
          ...operation.references.map((reference) => ({ reference })),
          { resultId: 'r-2' },
          { transactionId: 't-2' },
          { terminal: operation.terminal.serial_number },
        ];
        for (const query of queries)
          assert.deepEqual(given(await journal.find(query)), [operation], JSON.stringify(query));
        assert.deepEqual(given(await journal.find({ reference: sampleId() })), []);
      }),
    );

    it(
      'finds by what an advance added, and no longer by what it took away',
      withJournal(async (journal) => {
        const operation = sampleRecord({ resultId: 'first' });
        await journal.record(operation);
        const advanced = { ...operation, resultId: 'second', references: [...operation.references, sampleId()] };
        await journal.advance(advanced);
        assert.deepEqual(given(await journal.find({ resultId: 'first' })), []);
        assert.deepEqual(given(await journal.find({ resultId: 'second' })), [advanced]);
        for (const reference of advanced.references)
          assert.deepEqual(given(await journal.find({ reference })), [advanced]);
      }),
    );

    it(
      'gives the newest first, at most as many as asked for, and 100 unless told; or all',
      withJournal(async (journal) => {
        const recorded = Array.from({ length: 103 }, () => sampleRecord());
        await Promise.all(recorded.map((operation) => journal.record(operation)));
        const operations = recorded.toReversed();
        const terminal = '0821234567';
        assert.deepEqual(given(await journal.find({ terminal }, 3)), operations.slice(0, 3));
        assert.deepEqual(given(await journal.find({ terminal })), operations.slice(0, 100));
        assert.deepEqual(given(await journal.find({ terminal }, NO_LIMIT)), operations);
      }),
    );

    it(
      'names each environment with an operation once, and each with an open one',
      withJournal(async (journal) => {
        const [first, second, third] = ['environment-1', 'environment-2', 'environment-3'].map((environment) => [
          sampleRecord({ environment }),
          sampleRecord({ environment }),
        ]) as [OperationRecord[], OperationRecord[], OperationRecord[]];
        for (const operation of [first, second, third].flat()) await journal.record(operation);
        for (const operation of second) await journal.advance({ ...operation, closed: true });
        assert.deepEqual((await journal.openEnvironments()).toSorted(), ['environment-1', 'environment-3']);
        const all = ['environment-1', 'environment-2', 'environment-3'];
        assert.deepEqual((await journal.environments()).toSorted(), all);
      }),
    );

    it(
      'orders what refers to a payment as it was recorded, though the clock was set back meanwhile',
      withJournal(async (journal) => {
        const request = { ...sampleRecord().request, originalTransactionId: 'original' };
        const operations = [30, 10, 20].map((createdAt) => sampleRecord({ createdAt, request, transactionId: 't-9' }));
        for (const operation of operations) await journal.record(operation);
        const newest = operations.toReversed();
        assert.deepEqual(given(await journal.find({ original: 'original' })), newest);
        assert.deepEqual(given(await journal.find({ transactionId: 't-9' })), newest);
        assert.deepEqual(given(await journal.find({ terminal: '0821234567' })), newest);
      }),
    );

    it(
      'finds no more by a value that only begins the same, or that stands elsewhere in the record',
      withJournal(async (journal) => {
        const operation = sampleRecord({ transactionId: 't-10', resultId: 'r-10' });
        await journal.record(operation);
        const queries = [
          { transactionId: 't-1' },
          { transactionId: 'r-10' },
          { resultId: 't-10' },
          { terminal: 'r-10' },
        ];
        for (const query of queries) assert.deepEqual(await journal.find(query), [], JSON.stringify(query));
      }),
    );

    it(
      'tells long and odd values apart: a shared start, a zero character, an empty one',
      withJournal(async (journal) => {
        const start = 'x'.repeat(3_000);
        const values = [`${start}1`, `${start}2`, 'a\0b', 'a b', '', 'ß'.repeat(2_000)];
        for (const resultId of values) {
          const operation = sampleRecord({ resultId });
          await journal.record(operation);
          assert.deepEqual(given(await journal.find({ resultId })), [operation]);
        }
      }),
    );
  });

  describe(`${name}: looking through an environment`, () => {
    it(
      'gives all of it newest first, from any moment back',
      withJournal(async (journal) => {
        const operations = [10, 20, 30].map((createdAt) => sampleRecord({ createdAt, environment: 'till' }));
        for (const operation of [...operations, sampleRecord({ createdAt: 20 })]) await journal.record(operation);
        const newest = operations.toReversed();
        assert.deepEqual(given(await journal.find({ environment: 'till' })), newest);
        assert.deepEqual(given(await journal.find({ environment: 'till', until: 20 })), newest.slice(1));
        assert.deepEqual(given(await journal.find({ environment: 'till', until: 30 }, 2)), newest.slice(0, 2));
        await journal.advance({ ...newest[0], closed: true } as (typeof newest)[0]);
        assert.equal((await journal.find({ environment: 'till' })).length, 3, 'closed or not');
      }),
    );
  });

  describe(`${name}: open operations`, () => {
    it(
      'lists what is not closed, of one environment, oldest first, though the clock was set back meanwhile',
      withJournal(async (journal) => {
        const [first, second, other] = [
          sampleRecord({ createdAt: 20 }),
          sampleRecord({ createdAt: 10 }),
          sampleRecord({ environment: 'environment-2' }),
        ];
        for (const operation of [first, second, other]) await journal.record(operation);
        assert.deepEqual(given(await journal.open('environment-1')), [first, second]);
        await journal.advance({ ...first, closed: true });
        assert.deepEqual(given(await journal.open('environment-1')), [second]);
        assert.deepEqual(given(await journal.open('environment-2')), [other]);
        assert.deepEqual(given(await journal.open('nowhere')), []);
      }),
    );
  });
}
