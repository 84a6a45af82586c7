import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTransactionResult } from '../../../../src/core/api/schema/transaction-result.js';
import { ownProof } from '../../../../src/core/lifecycle/chain/own-proof.js';

const OWN = '11111111-1111-4111-8111-11111111111a';
const SALE = { transactionID: 'sale', type: 'MOTO_SALE', finStatus: 'AUTHORISED', totalAmount: 1000, currency: 'EUR' };
const BACK = { transactionID: 'back', type: 'MOTO_REFUND', finStatus: 'AUTHORISED', totalAmount: 1000 };

const proofOf = (...entries: Record<string, unknown>[]) => {
  const { says, ...more } = ownProof('moto/sale', entries.map(readTransactionResult), [OWN]);
  return [says, 'left' in more ? more.left : undefined];
};

test('a sale that shows as refunded, without an entry that says how much, stays a question', () => {
  assert.deepEqual(proofOf({ ...SALE, finStatus: 'REFUNDED' }), ['unclear', undefined]);
});

test('a refund in its chain that does not say of what leaves a sale a question', () => {
  assert.deepEqual(proofOf(SALE, BACK), ['unclear', undefined]);
});

test('a sale without a type, of which something went back, stays a question', () => {
  const { type: _, ...untyped } = SALE;
  assert.deepEqual(proofOf(untyped), ['done', undefined]);
  assert.deepEqual(proofOf(untyped, { ...BACK, originalEFTTransactionID: 'sale' }), ['unclear', undefined]);
});

test('a refund that was itself taken back leaves the sale whole', () => {
  const refund = { ...BACK, originalEFTTransactionID: 'sale' };
  const undone = { ...BACK, transactionID: 'undone', type: 'REVERSAL', originalEFTTransactionID: 'back' };
  assert.deepEqual(proofOf(SALE, refund), ['done', 0]);
  assert.deepEqual(proofOf(SALE, refund, undone), ['done', undefined]);
});

test('an unlinked refund that shows as refunded was done, and one that was reversed was not', () => {
  const refund = readTransactionResult({ ...BACK, finStatus: 'REFUNDED' });
  const reversal = readTransactionResult({
    ...BACK,
    transactionID: 'r',
    type: 'REVERSAL',
    originalEFTTransactionID: 'back',
  });
  assert.deepEqual(ownProof('moto/refund', [refund], [OWN]), { says: 'done', by: refund });
  assert.deepEqual(ownProof('moto/refund', [refund, reversal], [OWN]), { says: 'done', by: refund, left: 0 });
});

test('a sale that was sent on twice, and of which one went back, is one sale', () => {
  const second = { ...SALE, transactionID: 'second' };
  const refund = { ...BACK, originalEFTTransactionID: 'sale' };
  assert.deepEqual(proofOf(SALE, second), ['done', 2000]);
  const proof = ownProof('moto/sale', [{ ...SALE, finStatus: 'REFUNDED' }, second, refund].map(readTransactionResult), [
    OWN,
  ]);
  assert.deepEqual([proof.says, 'by' in proof && proof.by?.transactionID, 'left' in proof], ['done', 'second', false]);
  assert.deepEqual(proofOf({ ...SALE, finStatus: 'DECLINED' }, second), ['done', undefined]);
});

test('two sales of which one has no amount stay a question', () => {
  assert.deepEqual(proofOf(SALE, { ...SALE, transactionID: 'second', totalAmount: undefined }), ['unclear', undefined]);
});

test('a sale that was processed without an issuer code stays a question', () => {
  const processed = { ...SALE, finStatus: 'PROCESSED' };
  assert.deepEqual(proofOf({ ...processed, issuerResponseCode: '' }), ['unclear', undefined]);
  assert.deepEqual(proofOf(processed), ['unclear', undefined]);
  assert.deepEqual(proofOf({ ...processed, issuerResponseCode: '05' }), ['declined', undefined]);
  assert.deepEqual(proofOf({ ...processed, issuerResponseCode: '00' }), ['done', undefined]);
});

test('a second try that names the declined first as its original counts', () => {
  const second = { ...SALE, transactionID: 'second', originalEFTTransactionID: 'sale' };
  assert.deepEqual(proofOf({ ...SALE, finStatus: 'DECLINED' }, second), ['done', undefined]);
});

test('what does not say what it is, and names the sale, may have taken it back', () => {
  for (const type of ['UNDEFINED', 'TRANSACTION_STATUS']) {
    assert.deepEqual(proofOf(SALE, { ...BACK, type, originalEFTTransactionID: 'sale' }), ['unclear', undefined]);
  }
});

test('an unlinked refund that is listed with a sign was done once', () => {
  const refund = readTransactionResult({ ...BACK, totalAmount: -1000 });
  assert.deepEqual(ownProof('moto/refund', [refund], [OWN]), { says: 'done', by: refund });
});

test('a record of another reference says nothing of a payment, and one of its own in capitals, or of none, counts', () => {
  const other = '22222222-2222-4222-8222-222222222222';
  for (const finStatus of ['AUTHORISED', 'DECLINED']) {
    assert.deepEqual(proofOf({ ...SALE, finStatus, transactionReference: other }), ['unclear', undefined]);
  }
  for (const transactionReference of [OWN.toUpperCase(), '', '4711']) {
    assert.deepEqual(proofOf({ ...SALE, transactionReference }), ['done', undefined]);
  }
});

test('what may have given a sale back, as nobody says whether the issuer agreed, leaves open how much of it is left', () => {
  const back = { ...BACK, originalEFTTransactionID: 'sale', finStatus: 'PROCESSED' };
  assert.deepEqual(proofOf(SALE, back), ['unclear', undefined]);
  assert.deepEqual(proofOf(SALE, { ...back, issuerResponseCode: '05' }), ['done', undefined]);
});
