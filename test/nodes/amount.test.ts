import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { amountReport } from '../../src/core/delivery/result-payload.js';
import { moneyIn } from '../../src/nodes/input/amount.js';
import type { Reading } from '../../src/nodes/input/reading.js';

const AMOUNT = 'msg.payload.amount';
const CONSTANT: Reading = { value: 'EUR', source: 'currency' };
const MESSAGE: Reading = { value: 'EUR', source: 'msg.payload.currency' };
const NOTHING: Reading = { value: undefined, source: 'msg.payload.currency' };

/** What a node makes of an earlier result's `amount`, where the environment has a currency of its own. */
function moneyOf(value: object, currency = NOTHING, only?: string) {
  const amount = { value, source: AMOUNT };
  return moneyIn({ amount, currency, unit: { value: 'major', source: 'unit' } }, 'GBP', { only });
}

const dollars = amountReport('USD', { requested: 500, total: 500 });
const withMinor = (total: unknown): object => ({ ...dollars, minor: { requested: 500, total } });

describe('an amount that is an earlier result', () => {
  for (const [currency, total, minor] of [
    ['JPY', '1250', 1250n],
    ['EUR', '12.50', 1250n],
    ['KWD', '1.250', 1250n],
    ['JPY', '0', 0n],
    ['KWD', '0.001', 1n],
    ['EUR', '9999999999.97', 999_999_999_997n],
  ] as const) {
    test(`is what the result says: ${total} ${currency}`, () => {
      const report = amountReport(currency, { requested: 0, total: Number(minor), tip: 7 });
      assert.equal(report.total, total);
      assert.deepEqual(moneyOf(report), { minor, currency, source: AMOUNT });
      // Through a function node, a database or a broker.
      assert.deepEqual(moneyOf(JSON.parse(JSON.stringify(report))), { minor, currency, source: AMOUNT });
    });
  }

  for (const total of [500, 500n, '500', undefined]) {
    test(`may say its minor units as ${typeof total}`, () => {
      assert.equal(moneyOf(withMinor(total))?.minor, 500n);
    });
  }

  for (const [total, got] of [
    [700, '700'],
    [700n, '700'],
    ['700', '"700"'],
    [-500, '-500'],
    [500.5, '500.5'],
    [1e21, '1e+21'],
    [Number.NaN, 'NaN'],
    ['5.00', '"5.00"'],
    ['', '""'],
    [null, 'null'],
    [[500], '[500]'],
    [true, 'true'],
  ] as [unknown, string][]) {
    test(`is refused where its minor units are ${typeof total} ${got}, and its total is another`, () => {
      const message = `${AMOUNT}.minor.total: expected 500, which is the USD 5.00 of ${AMOUNT}.total, got ${got}`;
      assert.throws(() => moneyOf(withMinor(total)), { code: 'INVALID_INPUT', message });
    });
  }

  for (const currency of [CONSTANT, MESSAGE, { ...MESSAGE, value: 'eur' }, { ...MESSAGE, value: 'euro' }]) {
    const { value, source } = currency;
    test(`is refused where ${source} names another currency, ${value}`, () => {
      const got = value === 'euro' ? 'euro' : 'EUR';
      const message = `${source}: expected the currency of ${AMOUNT}, USD, got "${got}"`;
      assert.throws(() => moneyOf(dollars, currency), { code: 'INVALID_INPUT', message });
    });
  }

  test('is refused where what should name its currency is no text', () => {
    const message = 'msg.payload.currency: expected text, got ["USD"]';
    assert.throws(() => moneyOf(dollars, { ...MESSAGE, value: ['USD'] }), { message });
  });

  for (const value of ['USD', 'usd']) {
    test(`may have its currency named again, as ${value}`, () => {
      assert.deepEqual(moneyOf(dollars, { ...CONSTANT, value }), { minor: 500n, currency: 'USD', source: AMOUNT });
    });
  }

  test('has to be in the currency of the original, and so has the currency that is named', () => {
    assert.throws(() => moneyOf(dollars, NOTHING, 'EUR'), {
      message: `${AMOUNT}.currency: expected the currency of the original, EUR, got "USD"`,
    });
    assert.throws(() => moneyOf(dollars, MESSAGE, 'USD'), {
      message: 'msg.payload.currency: expected the currency of the original, USD, got "EUR"',
    });
    assert.equal(moneyOf(dollars, { ...MESSAGE, value: 'USD' }, 'USD')?.minor, 500n);
  });
});
