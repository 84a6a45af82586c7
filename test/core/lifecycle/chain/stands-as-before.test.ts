import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTransactionResult } from '../../../../src/core/api/schema/transaction-result.js';
import { baselineOf, proofIn } from '../../../../src/core/lifecycle/chain/chain-evidence.js';
import type { Sought } from '../../../../src/core/lifecycle/chain/sought.js';

/** After a lost answer "not there" counts only where the payment stands as it did before. */

type Fields = Record<string, unknown>;

const SALE = { transactionID: 'sale', type: 'SALE', finStatus: 'AUTHORISED', totalAmount: 1000, currency: 'EUR' };
const HOLD = { ...SALE, transactionID: 'hold', type: 'PRE_AUTHORIZATION', holdAmount: 1000 };

const read = (entries: readonly Fields[]) => entries.map((entry) => readTransactionResult(entry));

/** What `after` proves of what was sent when the chain was `before`; undefined: nobody had asked for it then. */
function says(
  sought: Omit<Sought, 'original'>,
  before: readonly Fields[] | undefined,
  after: readonly Fields[],
): string {
  const [first] = read(after);
  const original = first?.transactionID ?? '';
  const baseline = before && baselineOf(read(before), original, 0);
  return proofIn(read(after), { ...sought, original }, baseline).says;
}

const REFUND = { what: 'refund', amount: 500, mark: 'mine' } as const;
const CAPTURE = { what: 'capture', amount: 1000, mark: 'mine' } as const;

test('a refund that shows as the state of its sale alone is a question, whoever had asked before', () => {
  assert.equal(says(REFUND, [SALE], [SALE]), 'absent');
  for (const finStatus of ['REFUNDED', 'CANCELLED']) {
    assert.equal(says(REFUND, [SALE], [{ ...SALE, finStatus }]), 'unclear', finStatus);
    assert.equal(says(REFUND, undefined, [{ ...SALE, finStatus }]), 'unclear', finStatus);
  }
  const again = { ...SALE, finStatus: 'REFUNDED' };
  assert.equal(says(REFUND, [again], [again]), 'unclear', 'a second part does not show either');
});

test('a state that an entry explains is no question', () => {
  const earlier = { ...SALE, transactionID: 'b', type: 'REFUND', totalAmount: 300, originalEFTTransactionID: 'sale' };
  const refunded = [{ ...SALE, finStatus: 'REFUNDED' }, earlier];
  assert.equal(says(REFUND, refunded, refunded), 'absent');
});

test('the reversal of a transaction that the chain does not list explains no state: what it took back is hidden', () => {
  const reversal = {
    ...SALE,
    transactionID: 'r',
    type: 'REVERSAL',
    totalAmount: 500,
    originalEFTTransactionID: 'hidden',
  };
  const after = [{ ...SALE, finStatus: 'REFUNDED' }, reversal];
  assert.equal(says(REFUND, [SALE], after), 'unclear');
  assert.equal(says(REFUND, undefined, after), 'unclear');
  assert.equal(says(REFUND, after, after), 'absent', 'it was there before');
  assert.equal(says(CAPTURE, [HOLD], [HOLD, reversal]), 'unclear', 'of a capture, too');
});

test('a capture that shows on its hold alone is a question', () => {
  assert.equal(says(CAPTURE, [HOLD], [HOLD]), 'absent');
  assert.equal(says(CAPTURE, undefined, [{ ...HOLD, finStatus: 'CAPTURED', holdAmount: 0 }]), 'unclear');
  assert.equal(says(CAPTURE, [HOLD], [{ ...HOLD, capturedAmount: 1000 }]), 'absent', 'it did not say how much before');
  assert.equal(says(CAPTURE, [{ ...HOLD, capturedAmount: 0 }], [{ ...HOLD, capturedAmount: 1000 }]), 'unclear');
});

test('an amount of the payment that has changed without an entry is a question, and a tip that is named is none', () => {
  const tip = { what: 'tip', amount: 200 } as const;
  const listed = { ...SALE, tipAmount: 0 };
  assert.equal(says(tip, [listed], [listed]), 'absent');
  assert.equal(says(tip, [SALE], [SALE]), 'unclear', 'where no tip is listed');
  assert.equal(says(tip, [listed], [{ ...listed, totalAmount: 1200 }]), 'unclear');
  const part = { what: 'reversal', amount: 300 } as const;
  assert.equal(says(part, [SALE], [SALE]), 'absent');
  assert.equal(says(part, [SALE], [{ ...SALE, totalAmount: 700 }]), 'unclear');
  assert.equal(says(REFUND, [SALE], [{ ...SALE, totalAmount: 1200, tipAmount: 200 }]), 'absent');
});

test('an approved entry that does not say what it is may be what is looked for', () => {
  for (const type of ['UNDEFINED', 'TRANSACTION_STATUS', '']) {
    const odd = { ...SALE, transactionID: 'odd', type, totalAmount: 500, originalEFTTransactionID: 'sale' };
    assert.equal(says(REFUND, [SALE], [SALE, odd]), 'unclear', type);
    assert.equal(says(REFUND, [SALE, odd], [SALE, odd]), 'absent', `${type} before`);
    assert.equal(says(REFUND, [SALE], [SALE, { ...odd, finStatus: 'DECLINED' }]), 'absent', `${type} declined`);
  }
});

test('what goes back may be listed with a sign', () => {
  const refund = { ...SALE, transactionID: 'r', type: 'REFUND', totalAmount: -500, originalEFTTransactionID: 'sale' };
  assert.equal(says(REFUND, [SALE], [SALE, { ...refund, customerReference: 'mine' }]), 'done');
});

test('a change of a hold that went the other way was not done, whichever entry says so', () => {
  const change = (more: Fields) => ({
    ...{ transactionID: 'change', type: 'PRE_AUTHORIZATION_INCREASE', finStatus: 'AUTHORISED', currency: 'EUR' },
    ...{ originalEFTTransactionID: 'hold', customerReference: 'mine', increaseAmount: 400, ...more },
  });
  const decrease = { what: 'hold-change', amount: -400, mark: 'mine' } as const;
  const increase = { ...decrease, amount: 400 };
  const held = (holdAmount: number): Fields => ({ ...HOLD, holdAmount });
  for (const [sought, right, wrong] of [
    [decrease, 600, 1400],
    [increase, 1400, 600],
  ] as const) {
    assert.equal(says(sought, [HOLD], [held(right), change({})]), 'done');
    assert.equal(says(sought, [HOLD], [HOLD, change({ holdAmount: right })]), 'done');
    assert.equal(says(sought, [HOLD], [held(wrong), change({})]), 'unclear');
    assert.equal(says(sought, [HOLD], [HOLD, change({ holdAmount: wrong })]), 'unclear');
    const another = change({ transactionID: 'another', customerReference: 'theirs' });
    assert.equal(
      says(sought, [HOLD], [held(wrong), change({}), another]),
      'done',
      'another one may have changed it since',
    );
    assert.equal(says(sought, [HOLD], [HOLD, another, change({ holdAmount: wrong })]), 'done', 'or before');
  }
});

test('what was processed was done where the issuer agreed, and stays a question where nobody says so', () => {
  const refund = (more: Fields) => ({
    ...{ transactionID: 'refund', type: 'MOTO_REFUND', finStatus: 'PROCESSED', totalAmount: 500, currency: 'EUR' },
    ...{ originalEFTTransactionID: 'sale', customerReference: 'mine', ...more },
  });
  assert.equal(says(REFUND, [SALE], [SALE, refund({ issuerResponseCode: '00' })]), 'done');
  assert.equal(says(REFUND, [SALE], [SALE, refund({ issuerResponseCode: '05' })]), 'absent');
  for (const issuerResponseCode of ['', undefined])
    assert.equal(says(REFUND, [SALE], [SALE, refund({ issuerResponseCode })]), 'unclear');
  const reversal = { what: 'reversal', amount: 1000 } as const;
  const back = { type: 'REVERSAL', totalAmount: 1000, customerReference: '' };
  assert.equal(says(reversal, [SALE], [SALE, refund({ ...back, issuerResponseCode: '00' })]), 'done');
  assert.equal(says(reversal, [SALE], [SALE, refund({ ...back, issuerResponseCode: '05' })]), 'absent');
  assert.equal(says(reversal, [SALE], [SALE, refund(back)]), 'unclear');
  const tip = { what: 'tip', amount: 200 } as const;
  const tipped = { type: 'TIP_ADJUSTMENT', totalAmount: undefined, tipAmount: 200 };
  assert.equal(says(tip, [SALE], [SALE, refund(tipped)]), 'done', 'no issuer is asked for a tip');
  assert.notEqual(says(tip, [SALE], [SALE, refund({ ...tipped, issuerResponseCode: '05' })]), 'done');
});

test('what may have gone back with the agreement of the issuer, or without, explains nothing', () => {
  const refund = { transactionID: 'refund', type: 'REFUND', totalAmount: 1000, originalEFTTransactionID: 'sale' };
  for (const finStatus of ['CANCELLED', 'REFUNDED']) {
    const gone = { ...SALE, finStatus };
    for (const sought of [REFUND, { what: 'reversal', amount: 1000 } as const]) {
      const shown = (more: Fields) => says(sought, [SALE, { ...refund, ...more }], [gone, { ...refund, ...more }]);
      assert.equal(shown({ finStatus: 'AUTHORISED' }), 'absent');
      assert.equal(shown({ finStatus: 'DECLINED' }), 'unclear');
      assert.equal(shown({ finStatus: 'PROCESSED' }), 'unclear');
      assert.equal(shown({ finStatus: 'PROCESSED', issuerResponseCode: '05' }), 'unclear');
    }
  }
});
