import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JournalError } from '../../../src/core/base/errors.js';
import type { Annotation } from '../../../src/core/journal/annotation.js';
import type { Journal } from '../../../src/core/journal/journal.js';
import type { RepeatRecord, TerminalRecord } from '../../../src/core/journal/record.js';
import { type OrderKey, orderKey } from '../../../src/core/operation/order-key.js';
import type { Verdict } from '../../../src/core/operation/verdict.js';
import { given, sampleId, sampleRecord } from './sample-record.js';

const DECLINED: Verdict = { outcome: 'declined', moneyMoved: 'no', final: true, retry: 'after-cardholder' };
const APPROVED: Verdict = { outcome: 'approved', moneyMoved: 'yes', final: true, retry: 'never' };
const UNKNOWN: Verdict = { outcome: 'unknown', moneyMoved: 'unknown', final: false, retry: 'after-recovery' };

/** Lets time pass for the age of a journal, ms. */
type Pass = (ms: number) => void;

/**
 * Every sentence of the Journal interface. `open` gives an empty journal that counts its age by `clock` (ms); the suite closes
 * it.
 */
export function journalContract(name: string, open: (clock: () => number) => Promise<Journal>): void {
  const withJournal = (run: (journal: Journal, pass: Pass) => Promise<void>) => async (): Promise<void> => {
    let now = 0;
    const journal = await open(() => now);
    try {
      await run(journal, (ms) => {
        now += ms;
      });
    } finally {
      await journal.close();
    }
  };

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

  describe(`${name}: keys of orders`, () => {
    it(
      'records one of several at once under a key, and gives the others that one',
      withJournal(async (journal) => {
        const operations = Array.from({ length: 5 }, () => keyed('4711'));
        const recorded = await Promise.all(operations.map((operation) => journal.record(operation)));
        const [holder] = await journal.find({ environment: 'environment-1' });
        assert.deepEqual(
          recorded.map((one) => ('existing' in one ? one.existing.operationId : one.attempt)).sort(),
          [1, ...Array.from({ length: 4 }, () => holder?.operationId)].sort(),
        );
        assert.equal((await journal.find({ environment: 'environment-1' })).length, 1, 'the others left no trace');
        assert.equal((await journal.open('environment-1')).length, 1);
        assert.deepEqual(await journal.holder('environment-1', keyOf('4711').hash), holder);
      }),
    );

    it(
      'keeps keys of other environments and other keys apart',
      withJournal(async (journal) => {
        const operations = [keyed('a'), keyed('b'), keyed('a', { environment: 'environment-2' })];
        for (const operation of operations) assert.deepEqual(await journal.record(operation), { attempt: 1 });
        assert.equal(await journal.holder('environment-2', keyOf('b').hash), undefined);
      }),
    );

    it(
      'counts attempts: the next one takes the key of what was certainly not done',
      withJournal(async (journal) => {
        const first = keyed('a');
        await journal.record(first);
        await journal.advance(told(first, DECLINED));
        const second = keyed('a');
        assert.deepEqual(await journal.record(second), { attempt: 2 });
        const holder = await journal.holder('environment-1', keyOf('a').hash);
        assert.deepEqual(given(holder === undefined ? [] : [holder]), [{ ...second, attempt: 2 }]);
        assert.equal('existing' in (await journal.record(keyed('a'))), true, 'the second is open');
      }),
    );

    for (const [what, verdict] of [
      ['moved', { ...DECLINED, outcome: 'approved', moneyMoved: 'yes' }],
      ['held', { ...DECLINED, outcome: 'approved' }],
      ['may have moved', { ...DECLINED, outcome: 'unknown', moneyMoved: 'unknown' }],
      ['are not final', { ...DECLINED, final: false }],
    ] as const) {
      it(
        `keeps the key with an operation whose money ${what}`,
        withJournal(async (journal) => {
          const first = keyed('a');
          await journal.record(first);
          await journal.advance(told(first, verdict));
          const recorded = await journal.record(keyed('a'));
          assert.equal('existing' in recorded && recorded.existing.operationId, first.operationId);
        }),
      );
    }

    it(
      'lets no other order have the key, and keeps what was not done where the message wants it repeated',
      withJournal(async (journal) => {
        const first = keyed('a');
        await journal.record(first);
        await journal.advance(told(first, DECLINED));
        const patient = keyed('a', {}, { repeatUnsuccessful: true });
        for (const other of [keyed('a', { request: { ...first.request, amount: '1001' } }), patient]) {
          const recorded = await journal.record(other);
          assert.equal('existing' in recorded && recorded.existing.operationId, first.operationId);
        }
        assert.deepEqual(await journal.record(keyed('a')), { attempt: 2 });
      }),
    );

    it(
      'gives the key back to an operation that was contradicted, whoever has it by then',
      withJournal(async (journal) => {
        const first = keyed('a');
        await journal.record(first);
        await journal.advance(told(first, DECLINED));
        const second = keyed('a');
        await journal.record(second);
        await journal.advance(told({ ...second, attempt: 2 }, DECLINED));
        await journal.advance(told({ ...first, attempt: 1 }, UNKNOWN));
        const third = await journal.record(keyed('a'));
        assert.equal('existing' in third && third.existing.operationId, first.operationId);
      }),
    );

    it(
      'forgets a key with its record, and keeps both while nobody knows the end',
      withJournal(async (journal, pass) => {
        const [done, unsettled] = [keyed('done', { closed: true }), keyed('unsettled', { closed: true })];
        for (const operation of [done, unsettled]) await journal.record(operation);
        await journal.advance(told(done, APPROVED));
        await journal.advance(told(unsettled, UNKNOWN));
        pass(101);
        assert.equal(await journal.prune(100), 1);
        assert.deepEqual(await journal.record(keyed('done')), { attempt: 1 });
        const recorded = await journal.record(keyed('unsettled'));
        assert.equal('existing' in recorded && recorded.existing.operationId, unsettled.operationId);
      }),
    );

    it(
      'keeps the key of a later attempt when an earlier one is deleted',
      withJournal(async (journal, pass) => {
        const first = keyed('a');
        await journal.record(first);
        await journal.advance(told(first, DECLINED));
        const second = keyed('a');
        await journal.record(second);
        pass(101);
        assert.equal(await journal.prune(100), 1);
        const recorded = await journal.record(keyed('a'));
        assert.equal('existing' in recorded && recorded.existing.operationId, second.operationId);
      }),
    );
  });

  describe(`${name}: repeats`, () => {
    it(
      'keeps the latest state of each until it is forgotten, by environment, oldest first',
      withJournal(async (journal) => {
        const [second, first, other] = [
          repeat({ createdAt: 20 }),
          repeat({ createdAt: 10 }),
          repeat({ environment: 'x' }),
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
      'gives the newest first, at most as many as asked for, and 100 unless told',
      withJournal(async (journal) => {
        const recorded = Array.from({ length: 103 }, () => sampleRecord());
        await Promise.all(recorded.map((operation) => journal.record(operation)));
        const operations = recorded.toReversed();
        const terminal = '0821234567';
        assert.deepEqual(given(await journal.find({ terminal }, 3)), operations.slice(0, 3));
        assert.deepEqual(given(await journal.find({ terminal })), operations.slice(0, 100));
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

  describe(`${name}: leases`, () => {
    it(
      'keeps an operation for its owner until the lease has run out',
      withJournal(async (journal) => {
        const { operationId } = await recorded(journal);
        await journal.renew('engine-1', 1_000);
        assert.equal(await journal.claim(operationId, 'engine-2', 999), false);
        assert.equal(await journal.claim(operationId, 'engine-1', 999), true, 'the holder may claim again');
        await journal.renew('engine-1', 2_000);
        assert.equal(await journal.claim(operationId, 'engine-2', 1_999), false);
        assert.equal(await journal.claim(operationId, 'engine-2', 2_000), true);
        await journal.renew('engine-2', 3_000);
        assert.equal(await journal.claim(operationId, 'engine-1', 2_999), false, 'the former owner comes too late');
      }),
    );

    it(
      'renews only what the owner still holds',
      withJournal(async (journal) => {
        const { operationId } = await recorded(journal);
        await journal.renew('engine-1', 1_000);
        await journal.renew('engine-2', 2_000);
        assert.equal(await journal.claim(operationId, 'engine-2', 1_500), true);
        await journal.renew('engine-1', 9_000);
        assert.equal(await journal.claim(operationId, 'engine-3', 2_500), true);
      }),
    );

    it(
      'lets one of two engines have it',
      withJournal(async (journal) => {
        const { operationId } = await recorded(journal);
        await journal.release('engine-1');
        const claims = ['engine-2', 'engine-3'].map((owner) => journal.claim(operationId, owner, 0));
        assert.deepEqual((await Promise.all(claims)).sort(), [false, true]);
      }),
    );

    it(
      'gives up everything at a release, and only what is its own',
      withJournal(async (journal) => {
        const mine = [await recorded(journal), await recorded(journal)];
        const other = await recorded(journal, 'engine-9');
        await journal.release('engine-1');
        for (const { operationId } of mine) assert.equal(await journal.claim(operationId, 'engine-2', 0), true);
        assert.equal(await journal.claim(other.operationId, 'engine-2', 0), false);
      }),
    );

    it(
      'gives no lease on what is closed or not there',
      withJournal(async (journal) => {
        const operation = await recorded(journal);
        await journal.advance({ ...operation, closed: true });
        assert.equal(await journal.claim(operation.operationId, 'engine-1', 0), false);
        assert.equal(await journal.claim(sampleId(), 'engine-1', 0), false);
      }),
    );
  });

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

  describe(`${name}: closing`, () => {
    it('finishes what is under way, then rejects every call', async () => {
      const journal = await open(() => 0);
      const operation = sampleRecord();
      const others = Array.from({ length: 50 }, () => sampleRecord());
      const writing = [operation, ...others].map((one) => journal.record(one));
      await journal.close();
      await Promise.all(writing);
      await journal.close();
      const calls = [
        journal.record(sampleRecord()),
        journal.advance(operation),
        journal.find({ operationId: operation.operationId }),
        journal.open(operation.environment),
        journal.openIds(operation.environment),
        journal.claim(operation.operationId, 'engine-1', 0),
        journal.renew('engine-1', 1),
        journal.release('engine-1'),
        journal.prune(1),
        journal.holder(operation.environment, 'hash'),
        journal.recordRepeat(repeat()),
        journal.repeats(operation.environment),
        journal.forgetRepeat(repeat()),
        journal.annotate(operation.operationId, { event: 'handled', at: 1, by: '', note: '', known: '' }),
        journal.annotations([operation.operationId]),
      ];
      for (const call of calls) await assert.rejects(call, JournalError);
    });
  });

  describe(`${name}: the merchants of keys`, () => {
    it(
      'gives back what was noted last of a key, and nothing of another',
      withJournal(async (journal) => {
        assert.equal(await journal.merchantsOf('key-1'), undefined);
        await journal.noteMerchants('key-1', ['merchant-1']);
        await journal.noteMerchants('key-1', ['merchant-2', 'merchant-3']);
        assert.deepEqual(await journal.merchantsOf('key-1'), ['merchant-2', 'merchant-3']);
        assert.equal(await journal.merchantsOf('key-2'), undefined);
      }),
    );
  });
}

async function recorded(journal: Journal, owner = 'engine-1'): Promise<ReturnType<typeof sampleRecord>> {
  const operation = sampleRecord({ owner });
  await journal.record(operation);
  return operation;
}

function keyOf(text: string): OrderKey {
  return orderKey(text, 'key') as OrderKey;
}

/** A sale whose message has a key. */
function keyed(text: string, changes: Partial<TerminalRecord> = {}, options: Partial<OrderKey> = {}): TerminalRecord {
  const record = sampleRecord(changes);
  return { ...record, origin: { ...record.origin, key: { ...keyOf(text), ...options } } };
}

/** Closed, with this verdict. */
function told(record: TerminalRecord, verdict: Verdict): TerminalRecord {
  const { state } = record;
  const latest = { sequence: 1, verdict, source: 'poll' as const };
  return { ...record, closed: true, state: { ...state, phase: 'closed', reported: verdict.outcome, latest } };
}

function repeat(changes: Partial<RepeatRecord> = {}): RepeatRecord {
  const origin = { node: 'node-1', message: { _msgid: 'm2' } };
  return {
    kind: 'repeat',
    id: sampleId(),
    environment: 'environment-1',
    first: 'o-1',
    origin,
    createdAt: 1,
    ...changes,
  };
}
