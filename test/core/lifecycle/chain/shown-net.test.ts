import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTransactionResult } from '../../../../src/core/api/schema/transaction-result.js';
import { shownNet } from '../../../../src/core/lifecycle/chain/shown-net.js';

/** The net amount of a chain is told only where the chain shows it. */

type Fields = Record<string, unknown>;

const OURS = '0b8f4f0e-52a6-4b7e-9d39-6a7f5a4c1b22';
const THEIRS = '6f1c9d0e-2f5b-4c57-9d36-0f6f5a4c1b22';

const SALE = { transactionID: 'a', type: 'SALE', finStatus: 'AUTHORISED', totalAmount: 1000, currency: 'EUR' };
const HOLD = { ...SALE, type: 'PRE_AUTHORIZATION' };
const later = (type: string, changes: Fields = {}): Fields => {
  return { ...SALE, transactionID: 'b', originalEFTTransactionID: 'a', type, totalAmount: 400, ...changes };
};

const shown = (...chain: Fields[]) => shownNet(chain.map(readTransactionResult), OURS);

const UNSHOWN: [name: string, chain: Fields[]][] = [
  ['nothing', []],
  ['a first entry without its type', [{ ...SALE, type: undefined }]],
  ['a first entry of the type UNDEFINED', [{ ...SALE, type: 'UNDEFINED' }]],
  ['a first entry without its amount', [{ ...SALE, totalAmount: undefined }]],
  ['a first entry with an empty amount', [{ ...SALE, totalAmount: '' }]],
  ['an approval of nothing', [{ ...SALE, totalAmount: 0 }]],
  ['an approval below nothing', [{ ...SALE, totalAmount: -1000 }]],
  ['a first entry without its currency', [{ ...SALE, currency: undefined }]],
  ['a first entry in no currency', [{ ...SALE, currency: 'XYZ' }]],
  ['a sale that may or may not be approved', [{ ...SALE, type: 'MOTO_SALE', finStatus: 'PROCESSED' }]],
  ['a sale that is under way', [{ ...SALE, finStatus: 'IN_PROGRESS' }]],
  ['a refund that is under way', [SALE, later('REFUND', { finStatus: 'IN_PROGRESS' })]],
  ['a refund in another currency', [SALE, later('REFUND', { currency: 'JPY' })]],
  ['a reversal in another currency', [SALE, later('REVERSAL', { currency: 'JPY' })]],
  ['a tip in another currency', [SALE, later('TIP_ADJUSTMENT', { currency: 'JPY' })]],
  ['a refund without its amount', [SALE, later('REFUND', { totalAmount: undefined })]],
  ['a reversal without its amount', [SALE, later('REVERSAL', { totalAmount: undefined })]],
  ['a tip without its amount', [SALE, later('TIP_ADJUSTMENT', { totalAmount: undefined })]],
  ['a capture without its amount', [HOLD, later('PRE_AUTHORIZATION_CAPTURE', { totalAmount: undefined })]],
  ['a later entry that does not say what it is', [SALE, later('UNDEFINED')]],
  ['a payment under another reference', [{ ...SALE, transactionReference: THEIRS }]],
  ['a decline under another reference', [{ ...SALE, finStatus: 'DECLINED', transactionReference: THEIRS }]],
  ['a second payment under another reference', [SALE, { ...SALE, transactionID: 'b', transactionReference: THEIRS }]],
  ['a sale that was refunded, without an entry', [{ ...SALE, finStatus: 'REFUNDED' }]],
  ['a hold that was captured, without an entry', [{ ...HOLD, finStatus: 'CAPTURED' }]],
  ['more that went back than came', [{ ...SALE, finStatus: 'CANCELLED' }, later('REFUND')]],
  ['a refund of more than was paid', [SALE, later('REFUND', { totalAmount: 1200 })]],
];

for (const [name, chain] of UNSHOWN) {
  test(`no amount is told where the status service shows ${name}`, () => assert.equal(shown(...chain), undefined));
}

const SHOWN: [name: string, minor: number, chain: Fields[]][] = [
  ['a sale', 1000, [SALE]],
  ['a sale under our reference in capitals', 1000, [{ ...SALE, transactionReference: OURS.toUpperCase() }]],
  ['a sale under no reference that can be ours', 1000, [{ ...SALE, transactionReference: '1234567890' }]],
  ['a decline that says no more', 0, [{ finStatus: 'DECLINED', currency: 'EUR' }]],
  ['a cancelled sale', 0, [{ ...SALE, finStatus: 'CANCELLED' }]],
  ['a sale that the issuer declined', 0, [{ ...SALE, finStatus: 'PROCESSED', issuerResponseCode: '05' }]],
  ['a hold without its amount', 0, [{ ...HOLD, totalAmount: undefined }]],
  ['a token', 0, [{ ...SALE, type: 'TOKENIZE_CARD', finStatus: 'PROCESSED', totalAmount: undefined }]],
  ['a refund', -1000, [{ ...SALE, type: 'REFUND' }]],
  ['a refund that shows as refunded', -1000, [{ ...SALE, type: 'REFUND', finStatus: 'REFUNDED' }]],
  ['a refund that does not say its currency', 600, [SALE, later('REFUND', { currency: '' })]],
  ['a sale in the small letters of its currency', 1000, [{ ...SALE, currency: 'eur' }]],
  ['a refund in the small letters of its currency', 600, [SALE, later('REFUND', { currency: 'eur' })]],
  ['a refund under a reference of the service', 600, [SALE, later('REFUND', { transactionReference: THEIRS })]],
  ['a refund of the whole', 0, [{ ...SALE, finStatus: 'REFUNDED' }, later('REFUND', { totalAmount: 1000 })]],
  [
    'a refund in another currency that was declined',
    1000,
    [SALE, later('REFUND', { currency: 'JPY', finStatus: 'DECLINED' })],
  ],
  [
    'a reversal of the whole without its amount',
    0,
    [{ ...SALE, finStatus: 'CANCELLED' }, later('REVERSAL', { totalAmount: undefined })],
  ],
  [
    'a release of a hold without its amount',
    0,
    [{ ...HOLD, finStatus: 'CANCELLED' }, later('PRE_AUTHORIZATION_REVERSAL', { totalAmount: undefined })],
  ],
  [
    'a capture that was cancelled with its hold',
    0,
    [
      { ...HOLD, finStatus: 'CAPTURED' },
      later('PRE_AUTHORIZATION_CAPTURE'),
      { ...later('PRE_AUTHORIZATION_REVERSAL', { totalAmount: undefined }), transactionID: 'c' },
    ],
  ],
  ['a tip of its own', 1400, [SALE, later('TIP_ADJUSTMENT', { finStatus: 'PROCESSED' })]],
];

for (const [name, minor, chain] of SHOWN) {
  test(`the net amount is told where the status service shows ${name}`, () =>
    assert.deepEqual(shown(...chain), { currency: 'EUR', minor }));
}
