import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Journal } from '../../../../src/core/journal/journal.js';
import type { TerminalRecord } from '../../../../src/core/journal/record.js';
import { orderKey } from '../../../../src/core/operation/order-key.js';
import { WATCH_ENDED } from '../../../../src/core/operation/verdict.js';
import { given, sampleRecord, sampleRepeat } from '../sample-record.js';
import type { WithJournal } from './with-journal.js';

/** A refund of a transaction, over. */
function refundOf(originalTransactionId: string, changes: Partial<TerminalRecord> = {}): TerminalRecord {
  const { request, ...record } = sampleRecord({ closed: true, operation: 'refund', ...changes });
  return { ...record, request: { ...request, operation: 'refund', originalTransactionId } };
}

/** Prunes until nothing more goes. Returns how many went. */
async function pruneAll(journal: Journal, keep: number): Promise<number> {
  let count = 0;
  for (let last = 1; last > 0; count += last) last = await journal.prune(keep);
  return count;
}

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
      'keeps a refund for as long as the journal has its sale, and deletes what stands behind it',
      withJournal(async (journal, pass) => {
        const sale = sampleRecord({ transactionId: 'sale-1' });
        const refund = refundOf('sale-1', { transactionId: 'refund-1' });
        const reversal = refundOf('refund-1', { transactionId: 'reversal-1' });
        const others = [sampleRecord({ closed: true }), refundOf('unknown here')];
        for (const operation of [sale, refund, reversal]) await journal.record(operation);
        pass(1);
        for (const operation of others) await journal.record(operation);
        pass(101);
        assert.equal(await pruneAll(journal, 100), 2);
        for (const { operationId } of [sale, refund, reversal])
          assert.equal((await journal.find({ operationId })).length, 1);
        for (const { operationId } of others) assert.equal((await journal.find({ operationId })).length, 0);
        assert.deepEqual(
          given(await journal.find({ original: 'sale-1' })),
          [refund],
          'it still counts against the sale',
        );
        await journal.advance({ ...sale, closed: true });
        pass(50);
        assert.equal(await pruneAll(journal, 100), 0);
        pass(151);
        assert.equal(await pruneAll(journal, 100), 3);
        assert.deepEqual(await journal.find({ environment: 'environment-1' }), []);
      }),
    );

    it(
      'deletes what names itself, and two that name each other',
      withJournal(async (journal, pass) => {
        for (const [own, original] of [
          ['a', 'a'],
          ['b', 'c'],
          ['c', 'b'],
        ] as const)
          await journal.record(refundOf(original, { transactionId: own }));
        pass(101);
        await pruneAll(journal, 100);
        pass(101);
        await pruneAll(journal, 100);
        assert.deepEqual(await journal.find({ environment: 'environment-1' }), []);
      }),
    );

    it(
      'keeps the first of an order while a message that repeats it waits, and its key',
      withJournal(async (journal, pass) => {
        const key = orderKey('4711', 'key');
        assert.ok(key);
        const first = sampleRecord({ closed: true, origin: { node: 'node-1', message: {}, key } });
        const others = [sampleRecord({ closed: true }), sampleRecord({ closed: true })];
        const repeat = sampleRepeat({ first: first.operationId });
        for (const operation of [first, ...others]) await journal.record(operation);
        await journal.recordRepeat(repeat);
        pass(101);
        assert.equal(await pruneAll(journal, 100), 2);
        assert.equal((await journal.holder('environment-1', key.hash))?.operationId, first.operationId);
        await journal.recordRepeat({ ...repeat, told: 1 });
        pass(101);
        assert.equal(await pruneAll(journal, 100), 0);
        await journal.forgetRepeat(repeat);
        pass(101);
        assert.equal(await pruneAll(journal, 100), 1);
        assert.equal(await journal.holder('environment-1', key.hash), undefined);
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
