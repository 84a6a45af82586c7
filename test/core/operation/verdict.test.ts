import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RECOVERY_LIMIT, SECOND_LOOK, SETTLING_LAG } from '../../../src/core/base/timings.js';
import * as backOffice from '../../../src/core/lifecycle/back-office/verdicts.js';
import { begin, type LifecycleState, stepTerminal } from '../../../src/core/lifecycle/terminal/lifecycle.js';
import { meaningOf, readingOf } from '../../../src/core/operation/result-meaning.js';
import * as verdicts from '../../../src/core/operation/verdict.js';

const REQUESTED = { amount: '3757', currency: 'EUR' };
const APPROVED = { finStatus: 'AUTHORISED', issuerResponseCode: '00' };

test('less than was asked for is a partial approval, also where the result does not repeat what was asked for', () => {
  assert.equal(meaningOf('sale', { ...APPROVED, totalAmount: 1100, requestedAmount: 3757 }, REQUESTED), 'partial');
  assert.equal(meaningOf('sale', { ...APPROVED, totalAmount: 1100, requestedAmount: 1100 }, REQUESTED), 'partial');
  assert.equal(meaningOf('sale', { ...APPROVED, totalAmount: 1100 }, REQUESTED), 'partial');
  assert.equal(meaningOf('sale', { ...APPROVED, totalAmount: 3757 }, REQUESTED), 'approved');
  assert.equal(meaningOf('sale', APPROVED, REQUESTED), 'approved');
});

test('of a partial approval that names no amount nobody knows how much it is', () => {
  const partial = { finStatus: 'PARTIAL_APPROVAL', issuerResponseCode: '10', dueAmount: 600 };
  assert.deepEqual(readingOf('sale', partial, REQUESTED), { meaning: 'undefined', isUnclear: true });
  assert.equal(readingOf('sale', { ...partial, totalAmount: 3157 }, REQUESTED).meaning, 'partial');
});

test('an approval in another currency is a question', () => {
  assert.equal(meaningOf('sale', { ...APPROVED, totalAmount: 3757, currency: 'JPY' }, REQUESTED), 'undefined');
  assert.equal(meaningOf('sale', { ...APPROVED, totalAmount: 3757, currency: 'EUR' }, REQUESTED), 'approved');
});

test('a decline in the status service settles only once the terminal has ended: it may ask for another try', () => {
  const policies = {
    busyWaitMs: 0,
    exclusiveTerminal: true,
    lateApproval: 'report',
    partialApproval: 'accept',
  } as const;
  const sent = stepTerminal(begin('sale', policies, true, 0), { type: 'accepted', resultId: 'r' }, 0).state;
  const declined = (askedAt: number) => ({ type: 'gateway', meaning: 'declined', askedAt }) as const;
  const first = stepTerminal(sent, declined(13_000), 13_000);
  assert.equal(first.transition, undefined);
  const approved = stepTerminal(first.state, { type: 'terminal', meaning: 'approved', via: 'poll' }, 40_000);
  assert.equal(approved.transition?.event, 'approved');
  const ended = stepTerminal(first.state, { type: 'idle', askedAt: 80_000 }, 80_000);
  assert.equal(ended.transition, undefined);
  assert.equal(stepTerminal(ended.state, declined(94_999), 94_999).transition, undefined);
  assert.equal(stepTerminal(ended.state, declined(95_000), 95_000).transition?.event, 'declined-or-cancelled');
  const atTheLimit = RECOVERY_LIMIT + SETTLING_LAG;
  assert.equal(stepTerminal(first.state, declined(atTheLimit), atTheLimit).transition?.event, 'declined-or-cancelled');
});

test('a stop that finds nothing proves the end only once the terminal must have the request', () => {
  const policies = {
    busyWaitMs: 0,
    exclusiveTerminal: true,
    lateApproval: 'report',
    partialApproval: 'accept',
  } as const;
  const lost = stepTerminal(begin('sale', policies, true, 0), { type: 'answer-lost' }, 0).state;
  assert.equal(stepTerminal(lost, { type: 'idle', askedAt: 89_999 }, 89_999).state.endedAt, undefined);
  assert.equal(stepTerminal(lost, { type: 'idle', askedAt: 90_000 }, 90_000).state.endedAt, 90_000);
  const accepted = stepTerminal(begin('sale', policies, true, 0), { type: 'accepted', resultId: 'r' }, 0).state;
  assert.equal(stepTerminal(accepted, { type: 'idle', askedAt: 19_999 }, 19_999).state.endedAt, undefined);
  assert.equal(stepTerminal(accepted, { type: 'idle', askedAt: 20_000 }, 20_000).state.endedAt, 20_000);
});

test('no record proves nothing while the own result is pending, and nothing that an earlier life has measured', () => {
  const policies = {
    busyWaitMs: 0,
    exclusiveTerminal: true,
    lateApproval: 'report',
    partialApproval: 'accept',
  } as const;
  const none = (askedAt: number) => ({ type: 'gateway', meaning: 'none', askedAt }) as const;
  const transitionAfter = (state: LifecycleState, at: number): string | undefined => {
    const once = stepTerminal(state, none(at), at);
    assert.notEqual(once.transition?.event, 'not-charged', 'a record may be missing from one answer');
    return stepTerminal(once.state, none(at + SECOND_LOOK), at + SECOND_LOOK).transition?.event;
  };
  const accepted = stepTerminal(begin('sale', policies, true, 0), { type: 'accepted', resultId: 'r' }, 0).state;
  const pending = stepTerminal(accepted, { type: 'processing' }, 4000).state;
  const after = RECOVERY_LIMIT + SETTLING_LAG;
  assert.notEqual(stepTerminal(pending, none(after), after).transition?.event, 'not-charged');
  assert.equal(transitionAfter(accepted, after), 'not-charged');
  const restored = stepTerminal(accepted, { type: 'restored' }, after).state;
  assert.notEqual(stepTerminal(restored, none(after + 1), after + 1).transition?.event, 'not-charged');
  assert.equal(transitionAfter(restored, 2 * after), 'not-charged');
});

test('a refund that is called REFUNDED was done, and a sale that is called so went back', () => {
  const result = { finStatus: 'REFUNDED', totalAmount: 3757, currency: 'EUR' };
  assert.deepEqual(readingOf('refund', { ...result, type: 'REFUND' }, REQUESTED), { meaning: 'approved' });
  assert.deepEqual(readingOf('sale', { ...result, type: 'SALE' }, REQUESTED), { meaning: 'returned' });
});

test('a sale that stores its card is a sale, by whichever of the two types its result names it', () => {
  for (const operation of ['sale', 'saleAndTokenizeCard'] as const)
    for (const type of ['SALE', 'SALE_AND_TOKENIZE_CARD']) {
      const result = { finStatus: 'AUTHORISED', type, totalAmount: 3757, currency: 'EUR' };
      assert.deepEqual(readingOf(operation, result, REQUESTED), { meaning: 'approved' }, `${operation}: ${type}`);
    }
});

test('a decrease of a hold is what was asked for, whether its result has the sign or not', () => {
  for (const totalAmount of [100, -100]) {
    const result = { finStatus: 'AUTHORISED', type: 'PRE_AUTHORIZATION_INCREASE', totalAmount };
    assert.deepEqual(readingOf('preAuthorizationIncrease', result, { amount: '-100' }), { meaning: 'approved' });
  }
});

test('what reads an error cannot change what the next payment is told', () => {
  const errors = Object.values({ ...verdicts, ...backOffice }).flatMap((told) => {
    if (typeof told !== 'object') return [];
    return 'code' in told ? [told] : [told.error].filter((error) => error !== undefined);
  });
  assert.ok(errors.length > 9);
  assert.deepEqual(
    errors.filter((error) => !Object.isFrozen(error)),
    [],
  );
});
