import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTransactionResult } from '../../../../src/core/api/schema/transaction-result.js';
import { baselineOf, proofIn } from '../../../../src/core/lifecycle/chain/chain-evidence.js';
import { meaningOfChain } from '../../../../src/core/lifecycle/chain/chain-meaning.js';
import { ownProof } from '../../../../src/core/lifecycle/chain/own-proof.js';
import { shownNet } from '../../../../src/core/lifecycle/chain/shown-net.js';

/** A chain that lists one transaction twice, with two amounts or states: nobody knows which is true. */

type Fields = Record<string, unknown>;

const REFERENCE = '0b8f4f0e-52a6-4b7e-9d39-6a7f5a4c1b22';
const SALE = { transactionID: 'a', type: 'SALE', finStatus: 'AUTHORISED', totalAmount: 1000, currency: 'EUR' };
const HOLD = { ...SALE, type: 'PRE_AUTHORIZATION', holdAmount: 1000 };
const REQUESTED = { amount: '1000', currency: 'EUR' };

const read = (entries: readonly Fields[]) => entries.map((entry) => readTransactionResult(entry));

const PAIRS: [name: string, changes: Fields][] = [
  ['another total', { totalAmount: 1200 }],
  ['a tip', { totalAmount: 1200, tipAmount: 200 }],
  ['the state of what went back', { finStatus: 'CANCELLED' }],
];

for (const [name, changes] of PAIRS) {
  test(`a payment that is listed twice, once with ${name}, is a question`, () => {
    const chain = read([SALE, { ...SALE, ...changes }]);
    assert.equal(meaningOfChain('sale', chain, REQUESTED)?.meaning, 'undefined');
    assert.equal(ownProof('moto/sale', chain, [REFERENCE]).says, 'unclear');
    assert.equal(shownNet(chain, REFERENCE), undefined);
  });
}

test('a hold that is listed twice, once with another amount, is a question', () => {
  const after = read([HOLD, { ...HOLD, holdAmount: 1400 }]);
  assert.equal(meaningOfChain('preAuthorization', after, REQUESTED)?.meaning, 'undefined');
  const sought = { what: 'hold-change', original: 'a', amount: 400, mark: 'mine' } as const;
  assert.equal(proofIn(after, sought, baselineOf(read([HOLD]), 'a', 0)).says, 'unclear');
});

test('a try that was declined and its second under the same id are no contradiction', () => {
  const chain = read([{ ...SALE, finStatus: 'DECLINED' }, SALE]);
  assert.equal(meaningOfChain('sale', chain, REQUESTED)?.meaning, 'approved');
  assert.equal(ownProof('moto/sale', chain, [REFERENCE]).says, 'done');
  assert.equal(shownNet(chain, REFERENCE)?.minor, 1000);
});

test('nor are a hold and the capture that has its id', () => {
  const capture = { ...SALE, type: 'PRE_AUTHORIZATION_CAPTURE', totalAmount: 400, originalEFTTransactionID: 'a' };
  assert.equal(shownNet(read([{ ...HOLD, finStatus: 'CAPTURED' }, capture]), REFERENCE)?.minor, 400);
});

test('no net amount is told where a reversal is listed twice, with two amounts', () => {
  const back = { ...SALE, transactionID: 'r', type: 'REVERSAL', totalAmount: 300, originalEFTTransactionID: 'a' };
  assert.equal(shownNet(read([SALE, back, { ...back, totalAmount: 500 }]), REFERENCE), undefined);
  assert.equal(shownNet(read([SALE, back, { ...back, transactionID: 's', totalAmount: 500 }]), REFERENCE)?.minor, 500);
});
