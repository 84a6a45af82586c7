import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isIssuerDecline, needsChange, retryAfterRefusal } from '../../../src/core/operation/retry.js';
import { refusalVerdict, verdictOf } from '../../../src/core/operation/verdict-of.js';

const AFTER_CHANGE = [
  ...['1004', '3051', '3052', '3107', '3109', '3112', '3152', '3153', '3154', '3155', '3156', '3207', '3208', '3209'],
  ...['3210', '3211', '3212', '3213', '3214', '3215', '4066', '5001', '5252', 'TOKENIZATION_NOT_ENABLED'],
];

for (const code of AFTER_CHANGE) {
  test(`a refusal with ${code} is the same again until something is changed`, () => {
    assert.equal(retryAfterRefusal(code), 'after-change');
  });
}

test('a terminal that is busy or offline, and a rate limit, pass by themselves', () => {
  assert.deepEqual(['1001', '1002', '429'].map(retryAfterRefusal), ['safe', 'safe', 'safe']);
});

test('a batch that is closed already is not closed again', () => {
  assert.equal(retryAfterRefusal('BATCH_ALREADY_CLOSED'), 'never');
});

test('a refusal without a known code is not safe to try again', () => {
  assert.deepEqual(['400', 'NO_TRANSACTIONS', undefined].map(retryAfterRefusal), Array(3).fill('after-change'));
});

test('a refusal with the code of an issuer is a decline', () => {
  const { outcome, retry } = refusalVerdict({ code: '05', name: 'BadRequestError', message: 'no' });
  assert.deepEqual([outcome, retry], ['declined', 'after-cardholder']);
  assert.deepEqual(['01', 'N7', '00', '', '3051', '400'].map(isIssuerDecline), [
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test('a decline is up to the cardholder where an issuer was asked', () => {
  assert.equal(needsChange('sale', { finStatus: 'DECLINED', arc: '0010', transactionID: 'id' }), false);
  assert.equal(verdictOf('sale', 'declined').retry, 'after-cardholder');
});

for (const finStatus of ['DECLINED', 'FAILED']) {
  test(`${finStatus} by the gateway, or before there was a transaction, needs a change`, () => {
    assert.equal(needsChange('sale', { finStatus, arc: '1000', transactionID: 'id' }), true);
    assert.equal(needsChange('sale', { finStatus, arc: '0010', transactionID: '' }), true);
    assert.equal(needsChange('sale', { finStatus, arc: '' }), true);
    const meaning = finStatus === 'DECLINED' ? 'declined' : 'failed';
    assert.equal(verdictOf('sale', meaning, { needsChange: true }).retry, 'after-change');
  });
}

test('a failure that nothing explains is safe to try again, but not of a keyed entry', () => {
  const failed = { finStatus: 'FAILED', arc: '', transactionID: 'id' };
  assert.deepEqual([needsChange('sale', failed), needsChange('moToSale', failed)], [false, true]);
  assert.equal(verdictOf('sale', 'failed').retry, 'safe');
});

test('a cancelled payment is safe to try again, even before there was a transaction', () => {
  assert.equal(needsChange('sale', { finStatus: 'CANCELLED', arc: '1000', transactionID: '' }), false);
  assert.equal(verdictOf('sale', 'cancelled').retry, 'safe');
});
