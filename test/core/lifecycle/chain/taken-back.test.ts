import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry } from '../../../../src/core/lifecycle/chain/shape.js';
import { takenBackIn } from '../../../../src/core/lifecycle/chain/taken-back.js';

/** Holds of 100.00, captures of 60.00 plus a tip of 5.00, and the reversal of the hold that comes last. */

const entry = (transactionID: string, type: string, original = '', more: Partial<Entry> = {}): Entry =>
  ({
    transactionID,
    type,
    originalEFTTransactionID: original,
    finStatus: 'AUTHORISED',
    currency: 'EUR',
    ...more,
  }) as Entry;

const HOLD = entry('hold', 'PRE_AUTHORIZATION', '', { totalAmount: 10_000 });
const CAPTURE = entry('capture', 'PRE_AUTHORIZATION_CAPTURE', 'hold', { totalAmount: 6500, tipAmount: 500 });
const RELEASE = entry('release', 'PRE_AUTHORIZATION_REVERSAL', 'hold', { totalAmount: 10_000 });
const TIP = entry('tip', 'TIP_ADJUSTMENT', 'capture', { totalAmount: 900, tipAmount: 900 });
const back = (original: string, totalAmount?: number): Entry =>
  entry('back', 'PRE_AUTHORIZATION_REVERSAL', original, totalAmount === undefined ? {} : { totalAmount });

const CASES: readonly (readonly [string, readonly Entry[], 'hold' | 'money' | undefined])[] = [
  ['a hold', [], 'hold'],
  ['a captured hold', [CAPTURE], 'money'],
  ['a hold whose capture has gone back', [CAPTURE, back('capture', 6500)], 'hold'],
  ['a hold whose capture has gone back, listed with a sign', [CAPTURE, back('capture', -6500)], 'hold'],
  ['a hold of whose capture a part has gone back', [CAPTURE, back('capture', 2000)], 'money'],
  ['a hold of whose capture nobody knows how much has gone back', [CAPTURE, back('capture')], undefined],
  ['a hold whose capture got a tip after it had gone back', [CAPTURE, back('capture', 6500), TIP], undefined],
  ['a hold whose capture got a tip before it went back', [CAPTURE, TIP, back('capture', 6900)], 'hold'],
  ['a captured hold that was reversed before, or its capture', [CAPTURE, back('hold', 6500)], undefined],
  ['a hold beside a capture that names none', [{ ...CAPTURE, originalEFTTransactionID: '' }], undefined],
  ['a hold beside a capture of what is not listed', [{ ...CAPTURE, originalEFTTransactionID: 'increase' }], undefined],
  ['a hold that was captured again', [CAPTURE, back('capture', 6500), { ...CAPTURE, transactionID: 'again' }], 'money'],
];

for (const [what, between, taken] of CASES) {
  test(`the reversal of ${what} took back ${taken ?? 'what nobody knows'}`, () => {
    assert.equal(takenBackIn([HOLD, ...between, RELEASE], RELEASE, 'hold'), taken);
  });
}

test('a capture that went back only after its hold had been reversed was money then', () => {
  assert.equal(takenBackIn([HOLD, CAPTURE, RELEASE, back('capture', 6500)], RELEASE, 'hold'), 'money');
});

for (const type of ['', 'UNDEFINED', 'TRANSACTION_STATUS', undefined]) {
  for (const [by, taken] of [
    ['PRE_AUTHORIZATION_REVERSAL', undefined],
    ['REVERSAL', 'money'],
    ['VOID_SALE', 'money'],
  ] as const)
    test(`a ${by} of what is listed with the type ${type} took back ${taken ?? 'what nobody knows'}`, () => {
      const reversal = { ...RELEASE, type: by };
      assert.equal(takenBackIn([{ ...HOLD, type } as Entry, reversal], reversal, 'hold'), taken);
    });
}
