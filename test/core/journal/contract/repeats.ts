import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleRepeat } from '../sample-record.js';
import type { WithJournal } from './with-journal.js';

/** Messages that repeat an order. */
export function repeatsContract(name: string, withJournal: WithJournal): void {
  describe(`${name}: repeats`, () => {
    it(
      'keeps the latest state of each until it is forgotten, by environment, oldest first',
      withJournal(async (journal) => {
        const [second, first, other] = [
          sampleRepeat({ createdAt: 20 }),
          sampleRepeat({ createdAt: 10 }),
          sampleRepeat({ environment: 'x' }),
        ];
        for (const one of [second, first, other]) await journal.recordRepeat(one);
        assert.deepEqual(await journal.repeats('environment-1'), [first, second]);
        await journal.recordRepeat({ ...first, told: 1 });
        assert.deepEqual(await journal.repeats('environment-1'), [{ ...first, told: 1 }, second]);
        await journal.forgetRepeat(first);
        await journal.forgetRepeat(first);
        assert.deepEqual(await journal.repeats('environment-1'), [second]);
        assert.deepEqual(await journal.find({ environment: 'environment-1' }), [], 'they are no operations');
      }),
    );
  });
}
