import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JournalError } from '../../../../src/core/base/errors.js';
import type { Journal } from '../../../../src/core/journal/journal.js';
import type { OperationRecord } from '../../../../src/core/journal/record.js';
import { given, sampleRecord } from '../sample-record.js';

/** A journal with records, one of which was changed where it lies. */
export interface Spoilt {
  journal: Journal;
  /** What it has reported. */
  reports: string[];
}

/** Of any age. */
const EVERYTHING = -60_000;
const NAMES = ['first', 'second', 'third'];

/** Three sales, each with its name in what its message says: `the first`. */
export function threeRecords(): OperationRecord[] {
  return NAMES.map((operationId) =>
    sampleRecord({
      operationId,
      transactionId: `t-${operationId}`,
      origin: { node: 'n', message: { is: `the ${operationId}` } },
    }),
  );
}

/**
 * What becomes of a record that is not what was written.
 * @param open gives a journal with {@link threeRecords}, of which the second was spoilt after it was written; `closed`: all were
 * closed before that
 */
export function damageContract(name: string, open: (closed: boolean) => Promise<Spoilt>): void {
  describe(`${name}: a record that was changed where it lies`, () => {
    it('is never given out: what needs it is refused, lists go on without it, and it is reported once', async () => {
      const { journal, reports } = await open(false);
      for (const query of [{ operationId: 'second' }, { reference: 'second' }, { transactionId: 't-second' }])
        await assert.rejects(
          journal.find(query),
          (error) => error instanceof JournalError && /record 2 .*damaged.*by its reference/.test(error.message),
        );
      const [first, , third] = threeRecords();
      assert.deepEqual(given(await journal.open('environment-1')), [first, third]);
      assert.deepEqual(await journal.openIds('environment-1'), ['first', 'third']);
      for (const query of [{ environment: 'environment-1' }, { terminal: '0821234567' }])
        assert.deepEqual(given(await journal.find(query)), [third, first]);
      assert.equal(reports.length, 1);
      assert.match(reports[0] ?? '', /^record 2 of the journal is damaged\..*by its reference.*check the disk/);
      await journal.close();
    });

    it('is not pruned, so that a person can look at it, and does not keep others from it', async () => {
      const { journal } = await open(true);
      while ((await journal.prune(EVERYTHING)) > 0);
      await assert.rejects(journal.find({ operationId: 'second' }), /record 2 .*damaged/);
      assert.deepEqual(await journal.find({ operationId: 'third' }), []);
      await journal.close();
    });
  });
}
