import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meaningOf } from '../../src/core/verdict.js';

const ASKED = { amount: '3757', currency: 'EUR' };
const APPROVED = { finStatus: 'AUTHORISED', issuerResponseCode: '00' };

test('less than was asked for is a partial approval, also where the result does not repeat what was asked for', () => {
  assert.equal(meaningOf('sale', { ...APPROVED, totalAmount: 1100, requestedAmount: 3757 }, ASKED), 'partial');
  assert.equal(meaningOf('sale', { ...APPROVED, totalAmount: 1100 }, ASKED), 'partial');
  assert.equal(meaningOf('sale', { ...APPROVED, totalAmount: 3757 }, ASKED), 'approved');
  assert.equal(meaningOf('sale', APPROVED, ASKED), 'approved');
});

test('an approval in another currency is a question', () => {
  assert.equal(meaningOf('sale', { ...APPROVED, totalAmount: 3757, currency: 'JPY' }, ASKED), 'undefined');
  assert.equal(meaningOf('sale', { ...APPROVED, totalAmount: 3757, currency: 'EUR' }, ASKED), 'approved');
});
