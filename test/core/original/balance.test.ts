import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryJournal } from '../../../src/core/journal/memory.js';
import type { TerminalRecord } from '../../../src/core/journal/record.js';
import type { Outcome } from '../../../src/core/operation/outcome.js';
import { balanceOf } from '../../../src/core/original/balance.js';
import { reversedKindOf, withOriginal } from '../../../src/core/original/reversal.js';
import { sampleId, sampleRecord } from '../journal/sample-record.js';

/** More than a search of the journal gives unless it is told otherwise. */
const MANY = 100;

const ended = (operation: TerminalRecord['operation'], reported: Outcome, changes = {}) => {
  const { state, request, ...rest } = sampleRecord({ transactionId: sampleId(), closed: true });
  return {
    ...rest,
    operation,
    request: { ...request, operation, ...changes },
    state: { ...state, operation, phase: 'closed' as const, reported },
  };
};

test('what was refunded cannot be refunded again, however many refunds were declined since', async () => {
  const journal = new MemoryJournal();
  const sale = ended('sale', 'approved');
  await journal.record({ ...sale, result: { totalAmount: 100_000 } });
  const about = { amount: '1000', originalTransactionId: sale.transactionId };
  for (let made = 0; made < 30; made++) await journal.record(ended('refund', 'approved', about));
  for (let made = 0; made < MANY; made++) await journal.record(ended('refund', 'declined', about));
  const balance = await balanceOf((query, limit) => journal.find(query, limit), sale.transactionId ?? '');
  assert.equal(balance?.refundable, 70_000n);
});

test('what was given back beyond a payment leaves nothing of it, not less', async () => {
  const journal = new MemoryJournal();
  const sale = ended('sale', 'approved');
  await journal.record({ ...sale, result: { totalAmount: 1500 } });
  const about = { amount: '1000', originalTransactionId: sale.transactionId };
  for (let made = 0; made < 2; made++) await journal.record(ended('refund', 'approved', about));
  const balance = await balanceOf((query, limit) => journal.find(query, limit), sale.transactionId ?? '');
  assert.equal(balance?.refundable, 0n);
});

test('a hold that was captured is money, however many follow-ups were declined since', async () => {
  const journal = new MemoryJournal();
  const hold = ended('preAuthorization', 'approved');
  await journal.record(hold);
  const about = { originalTransactionId: hold.transactionId };
  await journal.record(ended('preAuthorizationCapture', 'approved', about));
  for (let made = 0; made < MANY; made++) await journal.record(ended('refund', 'declined', about));
  assert.equal(await reversedKindOf(journal, hold.transactionId ?? '', Number.MAX_SAFE_INTEGER), 'money');
});

const noMoney = { amount: undefined, currency: undefined };

test('a hold whose capture has gone back, or may have, is a hold or money: only its chain knows', async () => {
  for (const reported of ['approved', 'unknown'] as const) {
    const journal = new MemoryJournal();
    const hold = ended('preAuthorization', 'approved');
    const capture = ended('preAuthorizationCapture', 'approved', { originalTransactionId: hold.transactionId });
    await journal.record(hold);
    await journal.record(capture);
    const about = { ...noMoney, originalTransactionId: capture.transactionId };
    await journal.record(ended('preAuthorizationReversal', 'declined', about));
    const kind = () => reversedKindOf(journal, hold.transactionId ?? '', Number.MAX_SAFE_INTEGER);
    assert.equal(await kind(), 'money', 'a reversal that was declined took nothing back');
    await journal.record(ended('preAuthorizationReversal', reported, about));
    assert.equal(await kind(), undefined);
  }
});

test('of two partial reversals of a capture the later one counts, whichever id it names and whatever the clock said', async () => {
  for (const [laterNames, later, earlier] of [
    ['hold', '600', '200'],
    ['capture', '600', '200'],
    ['hold', '200', '600'],
    ['capture', '200', '600'],
  ] as const) {
    const journal = new MemoryJournal();
    const hold = ended('preAuthorization', 'approved');
    const capture = ended('preAuthorizationCapture', 'approved', { originalTransactionId: hold.transactionId });
    await journal.record(hold);
    await journal.record({ ...capture, result: { totalAmount: 1000 } });
    const reverse = (named: 'hold' | 'capture', amount: string, createdAt: number) => {
      const { transactionId } = named === 'hold' ? hold : capture;
      const about = { amount, originalTransactionId: transactionId };
      return journal.record({ ...ended('preAuthorizationReversal', 'refunded', about), createdAt });
    };
    await reverse(laterNames === 'hold' ? 'capture' : 'hold', earlier, 2000);
    await reverse(laterNames, later, 1000);
    const balance = await balanceOf((query, limit) => journal.find(query, limit), capture.transactionId ?? '');
    assert.equal(balance?.refundable, 1000n - BigInt(later), `the later one names the ${laterNames}`);
  }
});

test('a release that waited while the capture went back asks what was released', () => {
  const release = { ...ended('preAuthorizationReversal', 'approved', noMoney), reverses: 'money' as const };
  assert.equal(withOriginal(release, {}).state.mayBeHold, 'unknown');
  assert.equal(withOriginal(release, { reverses: 'money' }).state.mayBeHold, undefined);
});
