import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RECOVERY_LIMIT } from '../../../src/core/base/timings.js';
import { begin, stepTerminal } from '../../../src/core/lifecycle/terminal/lifecycle.js';
import { mayGoOn, meaningOf } from '../../../src/core/operation/result-meaning.js';

const REQUESTED = { amount: '3757', currency: 'EUR' };
const APPROVED = { finStatus: 'AUTHORISED', issuerResponseCode: '00' };

test('less than was asked for is a partial approval, also where the result does not repeat what was asked for', () => {
  assert.equal(meaningOf('sale', { ...APPROVED, totalAmount: 1100, requestedAmount: 3757 }, REQUESTED), 'partial');
  assert.equal(meaningOf('sale', { ...APPROVED, totalAmount: 1100, requestedAmount: 1100 }, REQUESTED), 'partial');
  assert.equal(meaningOf('sale', { ...APPROVED, totalAmount: 1100 }, REQUESTED), 'partial');
  assert.equal(meaningOf('sale', { ...APPROVED, totalAmount: 3757 }, REQUESTED), 'approved');
  assert.equal(meaningOf('sale', APPROVED, REQUESTED), 'approved');
});

test('an approval in another currency is a question', () => {
  assert.equal(meaningOf('sale', { ...APPROVED, totalAmount: 3757, currency: 'JPY' }, REQUESTED), 'undefined');
  assert.equal(meaningOf('sale', { ...APPROVED, totalAmount: 3757, currency: 'EUR' }, REQUESTED), 'approved');
});

test('a decline that asks for the card and its PIN settles only once the terminal has ended', () => {
  const policies = { busyWaitMs: 0, lateApproval: 'report', partialApproval: 'accept' } as const;
  const sent = stepTerminal(begin('sale', policies, true, 0), { type: 'accepted', resultId: 'r' }, 0).state;
  const declined = { type: 'gateway', meaning: 'declined', askedAt: 13_000 } as const;
  assert.equal(stepTerminal(sent, declined, 13_000).transition?.event, 'declined-or-cancelled');
  const again = stepTerminal(
    sent,
    { ...declined, mayGoOn: mayGoOn({ finStatus: 'DECLINED', issuerResponseCode: '65' }) },
    13_000,
  );
  assert.equal(again.transition, undefined);
  const approved = stepTerminal(again.state, { type: 'terminal', meaning: 'approved', via: 'poll' }, 40_000);
  assert.equal(approved.transition?.event, 'approved');
  assert.equal(
    stepTerminal(again.state, { type: 'idle', askedAt: 80_000 }, 80_000).transition?.event,
    'declined-or-cancelled',
  );
  assert.equal(stepTerminal(again.state, { type: 'tick' }, RECOVERY_LIMIT).transition?.event, 'declined-or-cancelled');
});
