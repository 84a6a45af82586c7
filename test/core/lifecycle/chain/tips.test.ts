import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTransactionResult } from '../../../../src/core/api/schema/transaction-result.js';
import { baselineOf, proofIn } from '../../../../src/core/lifecycle/chain/chain-evidence.js';
import { shownNet } from '../../../../src/core/lifecycle/chain/shown-net.js';

/** A tip of 2.00 whose answer was lost, as chains may list it. */

type Fields = Record<string, unknown>;

const REFERENCE = '0b8f4f0e-52a6-4b7e-9d39-6a7f5a4c1b22';
const UNTOLD = { transactionID: 'sale', type: 'SALE', finStatus: 'AUTHORISED', totalAmount: 1000, currency: 'EUR' };
/** As the service lists it: it says that its total has no tip yet. */
const SALE = { ...UNTOLD, tipAmount: 0 };
const RAISED = { ...SALE, totalAmount: 1200, tipAmount: 200 };
const TIP = { ...SALE, transactionID: 'tip', type: 'TIP_ADJUSTMENT', totalAmount: 200, tipAmount: 200 };
const HOLD = { ...SALE, transactionID: 'hold', type: 'PRE_AUTHORIZATION' };
const CAPTURE = {
  ...SALE,
  transactionID: 'capture',
  type: 'PRE_AUTHORIZATION_CAPTURE',
  originalEFTTransactionID: 'hold',
};
const SECOND = { ...SALE, transactionID: 'second' };

const read = (entries: readonly Fields[]) => entries.map((entry) => readTransactionResult(entry));
const net = (...chain: Fields[]) => shownNet(read(chain), REFERENCE)?.minor;

function says(before: readonly Fields[], after: readonly Fields[], original = 'sale'): string {
  return proofIn(read(after), { what: 'tip', original, amount: 200 }, baselineOf(read(before), original, 0)).says;
}

const OF_THE_ONLY_PAYMENT: [name: string, tip: Fields][] = [
  ['names no payment', TIP],
  ['names no payment, with empty text', { ...TIP, originalEFTTransactionID: '' }],
  ['has no id either', { ...TIP, transactionID: '' }],
  ['has the id of its payment', { ...TIP, transactionID: 'sale', totalAmount: 1200 }],
];

for (const [name, tip] of OF_THE_ONLY_PAYMENT) {
  test(`a tip that ${name} is that of the only payment of its chain`, () => {
    assert.equal(says([SALE], [SALE, tip]), 'done');
    assert.equal(net(SALE, tip), 1200);
    const declined = { ...SECOND, finStatus: 'DECLINED' };
    assert.equal(says([declined, SALE], [declined, SALE, tip]), 'done', 'after a try that was declined');
  });
}

test('a tip that names no payment is that of the capture of a hold', () => {
  assert.equal(says([HOLD, CAPTURE], [HOLD, CAPTURE, TIP], 'capture'), 'done');
  assert.equal(net({ ...HOLD, finStatus: 'CAPTURED' }, CAPTURE, TIP), 1200);
  assert.equal(
    says([HOLD, CAPTURE], [HOLD, CAPTURE, TIP], 'hold'),
    'unclear',
    'and perhaps what was asked for by the hold',
  );
});

test('a tip of one of two payments is a question, and no net amount is told', () => {
  assert.equal(says([SALE, SECOND], [SALE, SECOND, TIP]), 'unclear');
  assert.equal(net(SALE, SECOND, TIP), undefined);
  const ofSale = { ...TIP, transactionID: 'sale' };
  assert.equal(says([SALE, SECOND], [SALE, SECOND, ofSale]), 'done', 'unless it has the id of one');
});

test('a tip beside a refund is no part of the refund', () => {
  const refund = {
    ...SALE,
    transactionID: 'refund',
    type: 'REFUND',
    totalAmount: 400,
    originalEFTTransactionID: 'sale',
  };
  assert.equal(net(SALE, TIP, refund), 800);
});

test('a payment that is listed again with a tip is a question, whichever stands first', () => {
  assert.equal(says([SALE], [SALE, RAISED]), 'unclear');
  assert.equal(says([SALE], [RAISED, SALE]), 'unclear');
});

test('a tip that is listed as another sale is a question', () => {
  const asSale = { ...RAISED, transactionID: 'tip' };
  const listed = { ...SALE, tipAmount: 0 };
  assert.equal(says([listed], [listed, { ...asSale, originalEFTTransactionID: 'sale' }]), 'unclear');
  assert.equal(says([listed], [listed, asSale]), 'unclear');
  assert.equal(says([listed, asSale], [listed, asSale]), 'absent', 'it was there before');
  assert.equal(net(SALE, { ...asSale, originalEFTTransactionID: 'sale' }), undefined);
  const again = { ...SECOND, originalEFTTransactionID: 'sale' };
  assert.equal(net(SALE, again), 2000, 'a second charge of the same amount is one');
});

test('an amount that stands alone and may contain the payment is no tip', () => {
  const alone = { ...TIP, tipAmount: undefined, originalEFTTransactionID: 'sale' };
  assert.equal(net(SALE, alone), 1200, 'it is too small to contain it');
  assert.equal(says([SALE], [SALE, alone]), 'done');
  const containing = { ...alone, totalAmount: 1200 };
  assert.equal(net(SALE, containing), undefined);
  assert.equal(net(RAISED, containing), undefined);
  assert.equal(says([SALE], [SALE, containing]), 'unclear');
  assert.equal(net(SALE, { ...containing, tipAmount: 200 }), 1200);
});

test('the total of a payment that does not say its tip may contain that of an entry of its own', () => {
  const alone = { ...TIP, tipAmount: undefined };
  const withTip = { ...UNTOLD, totalAmount: 1200 };
  assert.equal(net(withTip, alone), undefined);
  assert.equal(net(withTip, TIP), undefined);
  assert.equal(net(UNTOLD, { ...TIP, tipAmount: 0, totalAmount: 0 }), undefined, 'a tip may have been removed');
  const capture = { ...CAPTURE, tipAmount: undefined };
  assert.equal(net({ ...HOLD, finStatus: 'CAPTURED' }, capture, TIP), undefined);
  assert.equal(net(UNTOLD, { ...TIP, totalAmount: 1200 }), 1200, 'unless the tip says what both make');
  assert.equal(net(withTip, { ...alone, finStatus: 'DECLINED' }), 1200, 'or was declined');
});
