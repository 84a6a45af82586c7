import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATION_RULES, TRANSACTION_OPERATIONS } from '../../../src/core/api/schema/operation-rules.js';
import { BACK_OFFICE_OPERATIONS } from '../../../src/core/operation/back-office-order.js';
import { isAboutOriginal, isOperation, movesMoney, startsPayment } from '../../../src/core/operation/kinds.js';
import { exitOf, mayBeDone } from '../../../src/core/operation/verdict.js';
import { verdictOf } from '../../../src/core/operation/verdict-of.js';

test('every operation has a kind, and what is no operation has none', () => {
  for (const operation of [...TRANSACTION_OPERATIONS, ...BACK_OFFICE_OPERATIONS]) {
    assert.equal(isOperation(operation), true, operation);
  }
  for (const other of ['journal', 'constructor', '', undefined]) assert.equal(isOperation(other), false);
});

test('a payment needs an amount and no original, and what changes another operation needs that', () => {
  for (const operation of TRANSACTION_OPERATIONS) {
    const { amount, original } = OPERATION_RULES[operation];
    assert.equal(startsPayment(operation), amount === 'required' && original !== 'required', operation);
    if (isAboutOriginal(operation)) assert.equal(original, 'required', operation);
    assert.equal(movesMoney(operation), amount === 'required' || original === 'required', operation);
  }
});

test('a charge whose money has gone back is not done, and a refund is', () => {
  const returned = verdictOf('sale', 'returned');
  assert.deepEqual([exitOf(returned), mayBeDone(returned)], ['not-done', false]);
  const refunded = verdictOf('refund', 'approved');
  assert.deepEqual([exitOf(refunded), mayBeDone(refunded)], ['done', true]);
  const released = verdictOf('preAuthorizationReversal', 'approved');
  assert.deepEqual([released.outcome, released.moneyMoved, exitOf(released)], ['completed', 'no', 'done']);
});
