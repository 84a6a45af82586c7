import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TerminalRecord } from '../../../../src/core/journal/record.js';
import { type OrderKey, orderKey } from '../../../../src/core/operation/order-key.js';
import type { Verdict } from '../../../../src/core/operation/verdict.js';
import { given, sampleRecord } from '../sample-record.js';
import type { WithJournal } from './with-journal.js';

const DECLINED: Verdict = { outcome: 'declined', moneyMoved: 'no', final: true, retry: 'after-cardholder' };
const APPROVED: Verdict = { outcome: 'approved', moneyMoved: 'yes', final: true, retry: 'never' };
const UNKNOWN: Verdict = { outcome: 'unknown', moneyMoved: 'unknown', final: false, retry: 'after-recovery' };

/** Which operation has the key of an order. */
export function orderKeysContract(name: string, withJournal: WithJournal): void {
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
        const dearer = keyed('a', { request: { ...first.request, amount: '1001' } });
        const another = keyed('a', { request: { ...first.request, merchantAuth: [{ externalId: 'tenant-b' }] } });
        for (const other of [dearer, another, patient]) {
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
