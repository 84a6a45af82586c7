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
  ['a reversal of the whole', 0, [{ ...SALE, finStatus: 'CANCELLED' }, later('REVERSAL', { totalAmount: 1000 })]],
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
  ['a tip of its own', 1400, [{ ...SALE, tipAmount: 0 }, later('TIP_ADJUSTMENT', { finStatus: 'PROCESSED' })]],
];

for (const [name, minor, chain] of SHOWN) {
  test(`the net amount is told where the status service shows ${name}`, () =>
    assert.deepEqual(shown(...chain), { currency: 'EUR', minor }));
}

/** What may be about something else than the chain shows, or about another part of it. */

const HELD = { ...HOLD, finStatus: 'CAPTURED', totalAmount: 5000 };
const CAPTURE = later('PRE_AUTHORIZATION_CAPTURE');
const REFUND = later('REFUND');
const back = (original: string, changes: Fields = {}): Fields => {
  return later('REVERSAL', { transactionID: 'z', originalEFTTransactionID: original, ...changes });
};
const release = (changes: Fields = {}) => back('a', { type: 'PRE_AUTHORIZATION_REVERSAL', ...changes });

for (const type of ['REVERSAL', 'MOTO_REVERSAL', 'VOID_SALE']) {
  test(`a ${type} that names a hold cancels its capture`, () => {
    const net = (changes: Fields, held = HELD) => shown(held, CAPTURE, back('a', { type, ...changes }))?.minor;
    assert.equal(net({}), 0);
    assert.equal(net({ totalAmount: -400 }), 0, 'with a sign');
    assert.equal(net({ totalAmount: undefined }), 0);
    assert.equal(net({}, { ...HELD, finStatus: 'CANCELLED' }), 0);
    assert.equal(net({ totalAmount: 300 }), undefined, 'of another amount it is a question');
    assert.equal(net({ totalAmount: 5000 }), undefined);
    assert.equal(net({ totalAmount: 0 }), undefined);
    assert.equal(net({ finStatus: 'DECLINED' }), 400);
    assert.equal(
      shown(HOLD, back('a', { type }), { ...CAPTURE, transactionID: 'later' })?.minor,
      400,
      'not a later one',
    );
  });
}

test('the amount of a capture has its tip', () => {
  const tipped = { ...CAPTURE, totalAmount: 500, tipAmount: 100 };
  assert.equal(shown(HELD, tipped, back('a', { totalAmount: 500 }))?.minor, 0);
  assert.equal(shown(HELD, tipped, back('a', { totalAmount: 400 })), undefined);
});

const OPEN: [name: string, chain: Fields[]][] = [
  ['a reversal without its original after a refund', [SALE, REFUND, back('')]],
  [
    'a reversal without its original after a refund that shows on its sale',
    [{ ...SALE, finStatus: 'REFUNDED' }, REFUND, back('')],
  ],
  ['a reversal without its original after a capture', [HELD, CAPTURE, back('')]],
  ['a release without its original after a capture', [HELD, CAPTURE, release({ originalEFTTransactionID: '' })]],
  ['a reversal without its original of one of two sales', [SALE, { ...SALE, transactionID: 'b' }, back('')]],
  [
    'a reversal without its original after a try that was declined',
    [{ ...SALE, finStatus: 'DECLINED' }, { ...SALE, transactionID: 'b' }, back('')],
  ],
  ['a reversal without its original before everything else', [back(''), SALE]],
  ['a reversal in part of what is not listed', [SALE, back('nobody', { finStatus: 'PARTIAL_APPROVAL' })]],
  [
    'a capture of a hold that it does not name, and a release',
    [HELD, { ...CAPTURE, originalEFTTransactionID: '' }, release()],
  ],
  [
    'a capture of a hold that is not listed, and a release without its original',
    [{ ...CAPTURE, originalEFTTransactionID: '' }, release({ originalEFTTransactionID: '', totalAmount: 100 })],
  ],
  [
    'a capture of a change that is listed as a hold, and a release of the hold',
    [
      { ...HELD, finStatus: 'CANCELLED' },
      { ...HELD, transactionID: 'i', originalEFTTransactionID: 'a' },
      { ...CAPTURE, originalEFTTransactionID: 'i' },
      release(),
    ],
  ],
  [
    'a capture of a hold, and a release of a change that is listed as a hold',
    [HELD, { ...HELD, transactionID: 'i', originalEFTTransactionID: 'a' }, CAPTURE, back('i')],
  ],
  ['two captures, and a release', [HELD, CAPTURE, { ...CAPTURE, transactionID: 'c' }, release()]],
  [
    'the reversal of a tip',
    [{ ...SALE, tipAmount: 0 }, later('TIP_ADJUSTMENT', { tipAmount: 400 }), back('b', { totalAmount: 1400 })],
  ],
  ['the reversal of a reversal', [SALE, later('REVERSAL'), back('b')]],
  [
    'a refund that was cancelled, and as much that was reversed of its sale',
    [SALE, { ...REFUND, finStatus: 'CANCELLED' }, back('a')],
  ],
  ['a reversal of nothing', [SALE, back('a', { totalAmount: 0 })]],
  [
    'a reversal of nothing, of a sale that was refunded',
    [{ ...SALE, finStatus: 'REFUNDED' }, back('a', { totalAmount: 0 })],
  ],
  [
    'a cancelled sale, and a reversal that does not say how much',
    [{ ...SALE, finStatus: 'CANCELLED' }, back('a', { totalAmount: undefined })],
  ],
  [
    'a cancelled sale, and a reversal that says neither how much nor of what',
    [{ ...SALE, finStatus: 'CANCELLED' }, back('', { totalAmount: undefined })],
  ],
  [
    'a cancelled sale that does not say how much, and a reversal',
    [{ ...SALE, finStatus: 'CANCELLED', totalAmount: undefined }, back('a')],
  ],
  [
    'a cancelled sale that does not say how much, and a refund that was reversed',
    [{ ...SALE, finStatus: 'CANCELLED', totalAmount: undefined }, REFUND, back('b')],
  ],
];

for (const [name, chain] of OPEN) {
  test(`no amount is told where the status service shows ${name}`, () => assert.equal(shown(...chain), undefined));
}

const CERTAIN: [name: string, minor: number, chain: Fields[]][] = [
  ['a reversal without its original of the only sale', 600, [SALE, back('')]],
  ['a reversal without its original of the only sale, then a refund', 200, [SALE, back(''), REFUND]],
  ['a reversal without its original of what was declined', 0, [{ ...SALE, finStatus: 'DECLINED' }, back('')]],
  ['a release without its original', 0, [HOLD, release({ originalEFTTransactionID: '' })]],
  [
    'a release of one of two holds without its original',
    0,
    [{ ...HOLD, finStatus: 'DECLINED' }, { ...HOLD, transactionID: 'b' }, release({ originalEFTTransactionID: '' })],
  ],
  [
    'a release of a change of which the hold is not named',
    0,
    [
      HOLD,
      later('PRE_AUTHORIZATION_INCREASE', { originalEFTTransactionID: '' }),
      release({ originalEFTTransactionID: 'b' }),
    ],
  ],
  [
    'a capture, and a release of another hold',
    400,
    [HELD, { ...HOLD, transactionID: 'h' }, CAPTURE, release({ originalEFTTransactionID: 'h' })],
  ],
  ['a capture without its hold, in part reversed', 300, [CAPTURE, back('b', { totalAmount: 100 })].map(unlinked)],
  ['a refund that was reversed', 1000, [SALE, REFUND, back('b')]],
  [
    'a refund that was cancelled, and another reversal',
    700,
    [SALE, { ...REFUND, finStatus: 'CANCELLED' }, back('a', { totalAmount: 300 })],
  ],
  [
    'a refund that was cancelled, and the whole that was reversed',
    0,
    [
      { ...SALE, finStatus: 'CANCELLED' },
      { ...REFUND, finStatus: 'CANCELLED', totalAmount: 1000 },
      back('a', { totalAmount: 1000 }),
    ],
  ],
  [
    'a cancelled sale of which a reversal does not say how much, and the last says all',
    0,
    [
      { ...SALE, finStatus: 'CANCELLED' },
      later('REVERSAL', { totalAmount: undefined }),
      back('a', { totalAmount: 1000 }),
    ],
  ],
];

for (const [name, minor, chain] of CERTAIN) {
  test(`the net amount is told where the status service shows ${name}`, () =>
    assert.equal(shown(...chain)?.minor, minor));
}

/** The hold is not shown. */
function unlinked(entry: Fields): Fields {
  return entry.originalEFTTransactionID === 'a' ? { ...entry, originalEFTTransactionID: '' } : entry;
}
