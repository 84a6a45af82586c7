import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TerminalRecord } from '../../../../src/core/journal/record.js';
import { WATCH_ENDED } from '../../../../src/core/operation/verdict.js';
import { given, sampleRecord } from '../sample-record.js';
import type { WithJournal } from './with-journal.js';

/** What `prune` deletes. */
export function pruningContract(name: string, withJournal: WithJournal): void {
  describe(`${name}: pruning`, () => {
    it(
      'deletes closed operations that were kept long enough, and nothing else',
      withJournal(async (journal, pass) => {
        const old = sampleRecord({ closed: true, resultId: 'old' });
        const kept = [sampleRecord(), sampleRecord({ closed: true })];
        for (const operation of [old, kept[0] as TerminalRecord]) await journal.record(operation);
        pass(1);
        await journal.record(kept[1] as TerminalRecord);
        pass(100);
        assert.equal(await journal.prune(100), 1);
        assert.deepEqual(given(await journal.find({ operationId: old.operationId })), []);
        assert.deepEqual(given(await journal.find({ resultId: 'old' })), []);
        for (const operation of kept) {
          assert.deepEqual(given(await journal.find({ operationId: operation.operationId })), [operation]);
        }
        assert.equal(await journal.prune(100), 0);
      }),
    );

    it(
      'keeps what nobody can say the end of, however old it is',
      withJournal(async (journal, pass) => {
        const { state, ...record } = sampleRecord();
        const latest = { sequence: 1, verdict: WATCH_ENDED, source: 'recovery' as const };
        const operation = { ...record, closed: true, state: { ...state, reported: WATCH_ENDED.outcome, latest } };
        await journal.record(operation);
        pass(1000);
        assert.equal(await journal.prune(100), 0);
        assert.equal((await journal.find({ operationId: operation.operationId })).length, 1);
      }),
    );

    it(
      'deletes first what was changed last the longest ago, at most as many as told',
      withJournal(async (journal, pass) => {
        const operations = ['third', 'first', 'second'].map((resultId) => sampleRecord({ resultId }));
        const [third, first, second] = operations as [TerminalRecord, TerminalRecord, TerminalRecord];
        for (const operation of operations) await journal.record(operation);
        for (const operation of [first, second, third]) {
          await journal.advance({ ...operation, closed: true });
          pass(10);
        }
        const left = async (): Promise<unknown[]> =>
          (await journal.find({ terminal: '0821234567' })).map(({ resultId }) => resultId).sort();
        // On a slow disk it may delete fewer at once, but never none.
        const pruned = await journal.prune(0, 2);
        assert.ok(pruned === 1 || pruned === 2);
        assert.deepEqual(await left(), ['first', 'second', 'third'].slice(pruned).sort());
        while ((await journal.prune(10)) > 0);
        assert.deepEqual(await left(), ['third']);
      }),
    );

    for (const [what, clock] of [
      ['stood at 1970', 60_000],
      ['stood far in the future', Date.UTC(2199, 0)],
    ] as const) {
      it(
        `keeps what is new although the computer's clock ${what} when it was recorded, and deletes it in its time`,
        withJournal(async (journal, pass) => {
          const operation = sampleRecord({ closed: true, createdAt: clock, updatedAt: clock });
          await journal.record(operation);
          pass(100);
          assert.equal(await journal.prune(100), 0);
          assert.equal((await journal.find({ operationId: operation.operationId })).length, 1);
          pass(1);
          assert.equal(await journal.prune(100), 1);
        }),
      );
    }
  });
}
