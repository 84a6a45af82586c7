import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTransactionResult } from '../../../../src/core/api/schema/transaction-result.js';
import { meaningOfChain } from '../../../../src/core/lifecycle/chain/chain-meaning.js';

const DECLINED = { transactionID: 'first', type: 'SALE', finStatus: 'DECLINED', totalAmount: 1000 };
const APPROVED = { transactionID: 'second', type: 'SALE', finStatus: 'AUTHORISED', totalAmount: 1000 };

const chain = (...entries: Record<string, unknown>[]) => entries.map((entry) => readTransactionResult(entry));

const backTo = (amount: number) => ({
  transactionID: 'back',
  type: 'REVERSAL',
  finStatus: 'AUTHORISED',
  originalEFTTransactionID: 'second',
  totalAmount: amount,
});

test('an approval after a decline counts', () => {
  const found = meaningOfChain('sale', chain(DECLINED, APPROVED), { amount: '1000', currency: 'EUR' });
  assert.equal(found?.meaning, 'approved');
});

test('an approval after a decline that the terminal took back has gone back, though only the first entry shows a state', () => {
  const found = meaningOfChain('sale', chain(DECLINED, APPROVED, backTo(1000)), { amount: '1000', currency: 'EUR' });
  assert.deepEqual([found?.meaning, found?.net, found?.entry.transactionID], ['returned', 0, 'second']);
});

test('an approval of which a part went back is told as what is left, whatever its status says', () => {
  const found = meaningOfChain('sale', chain(DECLINED, APPROVED, backTo(400)), { amount: '1000', currency: 'EUR' });
  assert.deepEqual([found?.meaning, found?.net], ['returned', 600]);
});

test('a refund of which another system took a part back was made all the same', () => {
  const given = { ...APPROVED, type: 'REFUND' };
  assert.equal(meaningOfChain('refund', chain(given, backTo(400)), { amount: '1000' })?.meaning, 'approved');
  assert.equal(meaningOfChain('refund', chain(given, backTo(1000)), { amount: '1000' })?.meaning, 'returned');
});

test('a hold after a decline that was released is not held any more', () => {
  const hold = { ...APPROVED, type: 'PRE_AUTHORIZATION' };
  const release = { ...backTo(0), type: 'PRE_AUTHORIZATION_REVERSAL' };
  const requested = { amount: '1000', currency: 'EUR' };
  assert.equal(meaningOfChain('preAuthorization', chain(DECLINED, hold, release), requested)?.meaning, 'returned');
});

const SALE = { transactionID: 'sale', type: 'SALE', finStatus: 'REFUNDED', totalAmount: 1000 };
const refund = (amount?: number) => ({
  transactionID: 'refund',
  type: 'REFUND',
  finStatus: 'AUTHORISED',
  originalEFTTransactionID: 'sale',
  totalAmount: amount,
});

test('a sale that shows as refunded says how much is left, where its chain does', () => {
  const read = (...entries: Record<string, unknown>[]) => {
    const { meaning, net } = meaningOfChain('sale', chain(...entries), { amount: '1000', currency: 'EUR' }) ?? {};
    return [meaning, net];
  };
  assert.deepEqual(read(SALE, refund(1000)), ['returned', 0]);
  assert.deepEqual(read(SALE, refund(100)), ['returned', 900]);
  assert.equal(read(SALE)[0], 'undefined');
  assert.equal(read(SALE, refund())[0], 'undefined');
  assert.equal(read({ ...SALE, totalAmount: undefined }, refund(100))[0], 'undefined');
  assert.equal(read({ ...SALE, type: undefined }, refund(100))[0], 'undefined');
});

test('two approvals of one reference are a double charge, unless one of them has gone back', () => {
  const first = { ...APPROVED, transactionID: 'first' };
  const read = (...entries: Record<string, unknown>[]) => {
    const found = meaningOfChain('sale', chain(...entries), { amount: '1000', currency: 'EUR' });
    return [found?.meaning, found?.isTwice, found?.net, found?.amountDiffers];
  };
  assert.deepEqual(read(first, APPROVED), ['approved', true, 2000, true]);
  assert.deepEqual(read(first, APPROVED, backTo(1000)), ['approved', undefined, undefined, undefined]);
});

test('what contradicts the request beside an approval leaves it open', () => {
  const other = { ...APPROVED, transactionID: 'first', currency: 'USD' };
  assert.equal(
    meaningOfChain('sale', chain(other, APPROVED), { amount: '1000', currency: 'EUR' })?.meaning,
    'undefined',
  );
});

test('two holds of one reference are told with another amount', () => {
  const hold = { ...APPROVED, type: 'PRE_AUTHORIZATION' };
  const found = meaningOfChain('preAuthorization', chain(hold, { ...hold, transactionID: 'other' }), {
    amount: '1000',
  });
  assert.deepEqual([found?.meaning, found?.amountDiffers, found?.net], ['approved', true, undefined]);
});

test('the token of a card is no second entry of its sale', () => {
  const sold = { ...APPROVED, type: 'SALE_AND_TOKENIZE_CARD' };
  const token = { transactionID: 'token', type: 'TOKENIZE_CARD', finStatus: 'PROCESSED', issuerResponseCode: '00' };
  const found = meaningOfChain('saleAndTokenizeCard', chain(sold, token), { amount: '1000', currency: 'EUR' });
  assert.deepEqual([found?.meaning, found?.entry.transactionID], ['approved', 'second']);
});

test('an approval that names the declined try before it as its original counts', () => {
  const second = { ...APPROVED, originalEFTTransactionID: 'first' };
  assert.equal(meaningOfChain('sale', chain(DECLINED, second), { amount: '1000' })?.meaning, 'approved');
});
