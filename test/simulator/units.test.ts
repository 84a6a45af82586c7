import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromMajor, toMajor } from '../../src/simulator/model/units.js';
import { run, simulate } from '../harness/simulated.js';

test('writes and reads amounts in the decimals of their currency, and takes no others', () => {
  const rows: [minor: number, currency: string, major: string][] = [
    [1250, 'EUR', '12.50'],
    [5, 'USD', '0.05'],
    [0, 'EUR', '0.00'],
    [1250, 'JPY', '1250'],
    [1250, 'KWD', '1.250'],
    [-700, 'EUR', '-7.00'],
    [999_999_999_998, 'EUR', '9999999999.98'],
  ];
  for (const [minor, currency, major] of rows) {
    assert.equal(toMajor(minor, currency), major);
    if (minor >= 0) assert.equal(fromMajor(major, currency), minor);
  }
  for (const [text, currency] of [
    ['1.234', 'EUR'],
    ['0.5', 'JPY'],
    ['1,00', 'EUR'],
    ['-1.00', 'EUR'],
    ['1e3', 'EUR'],
    ['', 'EUR'],
  ] as const) {
    assert.equal(fromMajor(text, currency), undefined, text);
  }
});

test('reverses a part of an amount in a currency without decimals', async () => {
  const world = simulate();
  const sale = await run(world, world.sale({ currency: 'JPY', amount: '1000' }));
  const body = { originalGuid: sale.transactionID, amount: '400', currency: 'JPY' };
  assert.equal((await world.post('/reversal', body)).json.amount, '400');
  assert.equal(world.simulator.bank.netMoved(), 600);
});
