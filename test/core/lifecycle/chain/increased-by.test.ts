import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTransactionResult } from '../../../../src/core/api/schema/transaction-result.js';
import { baselineOf } from '../../../../src/core/lifecycle/chain/chain-evidence.js';
import { increasedBy } from '../../../../src/core/lifecycle/chain/increased-by.js';

/** Which entry may be an increase of 4.00 that the service has approved, and that has no mark. */

type Fields = Record<string, unknown>;

const HOLD = {
  transactionID: 'hold',
  type: 'PRE_AUTHORIZATION',
  finStatus: 'AUTHORISED',
  totalAmount: 1000,
  holdAmount: 1000,
  currency: 'EUR',
};
const CHANGE = {
  ...HOLD,
  transactionID: 'change',
  type: 'PRE_AUTHORIZATION_INCREASE',
  totalAmount: 400,
  holdAmount: 1400,
  originalEFTTransactionID: 'hold',
};

const read = (entries: readonly Fields[]) => entries.map((entry) => readTransactionResult(entry));

function found(after: readonly Fields[], amount = 400): string | undefined {
  const sought = { what: 'hold-change', original: 'hold', amount } as const;
  return increasedBy(read(after), sought, baselineOf(read([HOLD]), 'hold', 0), new Set())?.transactionID;
}

test('what alone came, and is as much, is it by whichever type', () => {
  for (const type of ['PRE_AUTHORIZATION_INCREASE', 'PRE_AUTHORIZATION', 'UNDEFINED'])
    assert.equal(found([HOLD, { ...CHANGE, type }]), 'change', type);
  assert.equal(found([HOLD, { ...CHANGE, originalEFTTransactionID: '' }]), 'change');
});

const OTHERS: [name: string, chain: Fields[]][] = [
  ['came with another', [HOLD, CHANGE, { ...CHANGE, transactionID: 'other' }]],
  ['is of another amount', [HOLD, { ...CHANGE, totalAmount: 800 }]],
  ['is in another currency', [HOLD, { ...CHANGE, currency: 'USD' }]],
  ['was declined', [HOLD, { ...CHANGE, finStatus: 'DECLINED' }]],
  ['is a capture', [HOLD, { ...CHANGE, type: 'PRE_AUTHORIZATION_CAPTURE' }]],
  ['is about something else', [HOLD, { ...CHANGE, originalEFTTransactionID: 'another' }]],
  ['came while the hold itself changed by as much or more', [{ ...HOLD, holdAmount: 1800 }, CHANGE]],
];

for (const [name, chain] of OTHERS) {
  test(`what ${name} may be something else`, () => assert.equal(found(chain), undefined));
}

test('a decrease is not found without its mark', () => assert.equal(found([HOLD, CHANGE], -400), undefined));
