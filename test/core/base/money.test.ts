import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exponentOf } from '../../../src/core/base/currencies.js';
import { InputError } from '../../../src/core/base/errors.js';
import {
  fromMajorString,
  parseAmount,
  toMajorNumber,
  toMajorString,
  toMinorDigits,
} from '../../../src/core/base/money.js';

const CURRENCIES = ['EUR', 'USD', 'JPY', 'ISK', 'KWD', 'TND', 'CLF', 'UYW'] as const;
const MAX = 999_999_999_998n;
const amounts = fc.bigInt({ min: 0n, max: MAX });
const currencies = fc.constantFrom(...CURRENCIES);

test('knows how many decimals each currency has', () => {
  const expected = { EUR: 2, USD: 2, JPY: 0, ISK: 0, KWD: 3, BHD: 3, CLF: 4, UYW: 4 };
  for (const [currency, exponent] of Object.entries(expected)) assert.equal(exponentOf(currency), exponent, currency);
});

test('knows nothing of codes that are not active, not upper case, or no currency', () => {
  for (const code of ['eur', 'EURO', 'XXX', 'XAU', 'DEM', 'HRK', '', 'toString']) {
    assert.equal(exponentOf(code), undefined, code);
  }
});

test('reads what a person means by an amount', () => {
  const rows: [value: unknown, currency: string, unit: 'major' | 'minor', minor: bigint][] = [
    ['12.50', 'EUR', 'major', 1250n],
    ['12.5', 'EUR', 'major', 1250n],
    ['12', 'EUR', 'major', 1200n],
    [12.5, 'EUR', 'major', 1250n],
    [0.29, 'EUR', 'major', 29n],
    [1.005, 'KWD', 'major', 1005n],
    ['0.001', 'KWD', 'major', 1n],
    ['1250', 'JPY', 'major', 1250n],
    [1250, 'JPY', 'minor', 1250n],
    ['1250', 'EUR', 'minor', 1250n],
    ['0', 'EUR', 'major', 0n],
    ['9999999999.98', 'EUR', 'major', MAX],
    ['999999999998', 'EUR', 'minor', MAX],
  ];
  for (const [value, currency, unit, minor] of rows) {
    assert.equal(parseAmount(value, currency, unit, 'amount'), minor, `${value} ${currency} ${unit}`);
  }
});

test('refuses what is no exact amount, naming field, expectation and value', () => {
  const rows: [value: unknown, currency: string, unit: 'major' | 'minor', expected: RegExp][] = [
    ['12,50', 'EUR', 'major', /a decimal such as 12\.50, got "12,50"/],
    ['-1', 'EUR', 'major', /a decimal such as 12\.50, not negative, got "-1"/],
    [-1, 'EUR', 'major', /got -1/],
    ['1e3', 'EUR', 'major', /got "1e3"/],
    [1e21, 'EUR', 'major', /got 1e\+21/],
    [1e-7, 'EUR', 'major', /got 1e-7/],
    ['NaN', 'EUR', 'major', /got "NaN"/],
    [Number.NaN, 'EUR', 'major', /got NaN/],
    [Number.POSITIVE_INFINITY, 'EUR', 'major', /got Infinity/],
    ['12.345', 'EUR', 'major', /a decimal such as 12\.50, with at most 2 decimals for EUR, got "12.345"/],
    ['-12.345', 'EUR', 'major', /a decimal such as 12\.50, not negative, got "-12.345"/],
    ['12.500', 'EUR', 'major', /got "12.500"/],
    [0.1 + 0.2, 'EUR', 'major', /got 0.30000000000000004/],
    ['0.5', 'JPY', 'major', /a whole amount of JPY such as 1250, got "0.5"/],
    ['0.0001', 'KWD', 'major', /a decimal such as 12\.500, with at most 3 decimals for KWD, got "0.0001"/],
    ['', 'EUR', 'major', /got ""/],
    [' 12', 'EUR', 'major', /got " 12"/],
    ['1 200', 'EUR', 'major', /got "1 200"/],
    ['1,200.00', 'EUR', 'major', /got "1,200.00"/],
    ['0x10', 'EUR', 'major', /got "0x10"/],
    ['12.', 'EUR', 'major', /got "12."/],
    ['.5', 'EUR', 'major', /got ".5"/],
    ['+1', 'EUR', 'major', /got "\+1"/],
    ['١٢', 'EUR', 'major', /a decimal/],
    ['€12', 'EUR', 'major', /a decimal/],
    ['1234567890123', 'EUR', 'minor', /got "1234567890123"/],
    ['999999999999', 'EUR', 'minor', /below 999999999999 minor units/],
    ['9999999999.99', 'EUR', 'major', /below 9999999999\.99 EUR/],
    ['99999999999999.00', 'EUR', 'major', /below 9999999999\.99 EUR/],
    ['9999999999999', 'JPY', 'minor', /below 999999999999 minor units/],
    ['12.5', 'EUR', 'minor', /a whole number of minor units such as 1250, got "12.5"/],
    [12.5, 'EUR', 'minor', /a whole number of minor units/],
    [undefined, 'EUR', 'major', /got nothing/],
    [null, 'EUR', 'major', /got null/],
    [true, 'EUR', 'major', /got true/],
    [['12'], 'EUR', 'major', /a decimal/],
    [{ amount: 12 }, 'EUR', 'major', /a decimal/],
  ];
  for (const [value, currency, unit, expected] of rows) {
    assert.throws(
      () => parseAmount(value, currency, unit, 'msg.payload.amount'),
      (error) => error instanceof InputError && error.field === 'msg.payload.amount' && expected.test(error.message),
      `${String(value)} ${currency} ${unit}`,
    );
  }
});

test('refuses an amount in a currency that does not exist, in either unit', () => {
  for (const unit of ['major', 'minor'] as const) {
    assert.throws(() => parseAmount('12', 'EURO', unit, 'amount'), { name: 'InputError', field: 'currency' });
  }
});

test('brings every amount through both text forms unchanged', () => {
  fc.assert(
    fc.property(amounts, currencies, (minor, currency) => {
      const major = toMajorString(minor, currency);
      assert.equal(fromMajorString(major, currency), minor);
      assert.equal(parseAmount(toMinorDigits(minor), currency, 'minor', 'amount'), minor);
      assert.equal(major.split('.')[1]?.length ?? 0, exponentOf(currency));
      assert.equal(parseAmount(major, currency, 'major', 'amount'), minor);
    }),
  );
});

test('brings every amount through JSON as a number unchanged', () => {
  fc.assert(
    fc.property(amounts, currencies, (minor, currency) => {
      const text = JSON.stringify({ amount: toMajorNumber(minor, currency) });
      const [, printed = ''] = /^\{"amount":([\d.]+)\}$/.exec(text) ?? [];
      assert.equal(fromMajorString(printed, currency), minor);
    }),
  );
});

test('refuses every decimal that is finer than its currency', () => {
  fc.assert(
    fc.property(amounts, currencies, fc.integer({ min: 1, max: 9 }), (minor, currency, digit) => {
      const exponent = exponentOf(currency) ?? 0;
      const finer = `${toMajorString(minor, currency)}${exponent === 0 ? '.' : ''}${digit}`;
      assert.throws(() => parseAmount(finer, currency, 'major', 'amount'), InputError);
      assert.throws(() => fromMajorString(finer, currency), InputError);
    }),
  );
});

test('writes negative amounts as the service reports them', () => {
  assert.equal(toMajorString(-5, 'EUR'), '-0.05');
  assert.equal(toMajorString(-1250n, 'JPY'), '-1250');
  assert.equal(fromMajorString('-0.05', 'EUR'), -5n);
});

test('reads an answer with more or fewer zeros than the currency has decimals', () => {
  for (const text of ['12.5', '12.50', '12.500']) assert.equal(fromMajorString(text, 'EUR'), 1250n);
  assert.equal(fromMajorString('1250.00', 'JPY'), 1250n);
  assert.equal(fromMajorString('100', 'EUR'), 10000n);
});
