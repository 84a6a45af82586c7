import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTransactionResult } from '../../../../src/core/api/schema/transaction-result.js';
import { baselineOf, proofIn } from '../../../../src/core/lifecycle/chain/chain-evidence.js';
import { meaningOfChain } from '../../../../src/core/lifecycle/chain/chain-meaning.js';
import { ownProof } from '../../../../src/core/lifecycle/chain/own-proof.js';
import { shownNet } from '../../../../src/core/lifecycle/chain/shown-net.js';

/** A payment that shows as cancelled. What the chain shows to have gone back may be less than the whole. */

type Fields = Record<string, unknown>;

const REFERENCE = '0b8f4f0e-52a6-4b7e-9d39-6a7f5a4c1b22';
const SALE = { transactionID: 'a', type: 'SALE', finStatus: 'AUTHORISED', totalAmount: 1000, currency: 'EUR' };
const CANCELLED = { ...SALE, finStatus: 'CANCELLED' };
const back = (type: string, totalAmount?: number, changes: Fields = {}): Fields => {
  return {
    ...SALE,
    transactionID: `${type}${totalAmount}`,
    type,
    totalAmount,
    originalEFTTransactionID: 'a',
    ...changes,
  };
};

const read = (entries: readonly Fields[]) => entries.map((entry) => readTransactionResult(entry));

/** What its terminal's operation is, what one without a terminal is, and the net amount. */
function told(...chain: Fields[]) {
  const entries = read(chain);
  const { meaning } = meaningOfChain('sale', entries, { amount: '1000', currency: 'EUR' }) ?? {};
  return [meaning, ownProof('moto/sale', entries, [REFERENCE]).says, shownNet(entries, REFERENCE)?.minor];
}

const IN_PART: [name: string, later: Fields[]][] = [
  ['a part was reversed', [back('REVERSAL', 400)]],
  ['a part was refunded', [back('REFUND', 400)]],
  ['a part was refunded of something that is not named', [back('REFUND', 400, { originalEFTTransactionID: '' })]],
  [
    'the refund of the whole was taken back',
    [back('REFUND', 1000), back('REVERSAL', 999, { originalEFTTransactionID: 'REFUND1000' })],
  ],
  ['the last of two reversals is of a part', [back('REVERSAL', 300), back('REVERSAL', 700)]],
];

for (const [name, later] of IN_PART) {
  test(`a cancelled payment of which ${name} is a question`, () => {
    assert.deepEqual(told(CANCELLED, ...later), ['undefined', 'unclear', undefined]);
  });
}

const WHOLE: [name: string, later: Fields[]][] = [
  ['nothing went back', []],
  ['the whole was reversed', [back('REVERSAL', 1000)]],
  ['the whole was reversed after a part', [back('REVERSAL', 400), back('REVERSAL', 1000)]],
  ['a reversal was declined', [back('REVERSAL', 400, { finStatus: 'DECLINED' })]],
  [
    'a refund was declined by the issuer',
    [back('MOTO_REFUND', 400, { finStatus: 'PROCESSED', issuerResponseCode: '05' })],
  ],
];

for (const [name, later] of WHOLE) {
  test(`a cancelled payment of which ${name} is cancelled`, () => {
    assert.deepEqual(told(CANCELLED, ...later), ['cancelled', 'declined', 0]);
  });
}

test('a cancelled payment of which as much was reversed as nobody says is cancelled, and no net amount is told', () => {
  assert.deepEqual(told(CANCELLED, back('REVERSAL')), ['cancelled', 'declined', undefined]);
});

test('a cancelled payment of which a part was reversed and the rest refunded is cancelled', () => {
  const [meaning, proof] = told(CANCELLED, back('REVERSAL', 400), back('REFUND', 600));
  assert.deepEqual([meaning, proof], ['cancelled', 'declined']);
});

test('a cancelled refund of which a part was taken back is a question', () => {
  const chain = read([{ ...CANCELLED, type: 'REFUND' }, back('REVERSAL', 400)]);
  assert.equal(meaningOfChain('refund', chain, { amount: '1000', currency: 'EUR' })?.meaning, 'undefined');
});

test('a hold that was let go is let go, whatever amount that names', () => {
  const hold = { ...CANCELLED, type: 'PRE_AUTHORIZATION', holdAmount: 1000 };
  const chain = read([hold, back('PRE_AUTHORIZATION_REVERSAL', 400)]);
  assert.equal(meaningOfChain('preAuthorization', chain, { amount: '1000', currency: 'EUR' })?.meaning, 'cancelled');
});

test('a reversal that does not show beside one of a part is a question where the payment shows as cancelled', () => {
  const before = read([SALE, back('REVERSAL', 400)]);
  const sought = { what: 'reversal', original: 'a' } as const;
  const says = (after: Fields[]) => proofIn(read(after), sought, baselineOf(before, 'a', 0)).says;
  assert.equal(says([CANCELLED, back('REVERSAL', 400)]), 'unclear');
  assert.equal(says([SALE, back('REVERSAL', 400)]), 'absent');
});
