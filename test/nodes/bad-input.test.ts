import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Flow, type Service, startFlow, startService } from './flow.js';

/** What a message carries, and what its error must name: the source of the value, what was expected, what came. */
type Row = [msg: Record<string, unknown>, names: string, expects: RegExp, got: string];

const AMOUNT = 'msg.payload.amount';

const AMOUNTS: Row[] = (
  [
    ['12,50', '"12,50"'],
    ['-1', '"-1"'],
    [-1, '-1'],
    ['1e3', '"1e3"'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    ['12.345', '"12.345"'],
    [12.345, '12.345'],
    [0.1 + 0.2, '0.30000000000000004'],
    ['1.000.000', '"1.000.000"'],
    ['10 EUR', '"10 EUR"'],
    ['€10', '"€10"'],
    ['0x10', '"0x10"'],
    ['.5', '".5"'],
    ['5.', '"5."'],
    [' ', '" "'],
    [true, 'true'],
    [{ value: 10 }, '{"value":10}'],
    [[10], '[10]'],
  ] as [unknown, string][]
).map(([amount, got]) => [{ payload: { amount } }, AMOUNT, /decimal/, got]);

const ROWS: Row[] = [
  ...AMOUNTS,
  [{ payload: {} }, AMOUNT, /a value/, 'nothing'],
  [{ payload: { amount: '' } }, AMOUNT, /a value/, 'nothing'],
  [{ payload: { amount: null } }, AMOUNT, /a value/, 'nothing'],
  [{}, AMOUNT, /a value/, 'nothing'],
  [{ payload: '10.00' }, AMOUNT, /a value/, 'nothing'],
  [{ payload: { amount: '9999999999.99' } }, AMOUNT, /below 999999999999/, '"9999999999.99"'],
  [{ payload: { amount: '1234567890123' } }, AMOUNT, /decimal/, '"1234567890123"'],
  [{ payload: { amount: '0' } }, 'amount', /above 0/, '"0"'],
  [{ payload: { amount: '0.00' } }, 'amount', /above 0/, '"0"'],
  [{ payload: { amount: '0.5', currency: 'JPY' } }, AMOUNT, /whole amount of JPY/, '"0.5"'],
  [{ payload: { amount: '1.2345', currency: 'KWD' } }, AMOUNT, /decimal/, '"1.2345"'],
  [{ payload: { amount: '1', currency: 'XXX' } }, 'currency', /ISO 4217/, '"XXX"'],
  [{ payload: { amount: '1', currency: 'eur' } }, 'currency', /ISO 4217/, '"eur"'],
  [{ payload: { amount: '1', currency: 'EURO' } }, 'currency', /ISO 4217/, '"EURO"'],
  [{ payload: { amount: '1', currency: 978.5 } }, 'msg.payload.currency', /text/, '978.5'],
  [{ payload: { amount: '1' }, terminal: '10000001' }, 'msg.terminal', /serial_number/, '"10000001"'],
  [
    { payload: { amount: '1' }, terminal: { serial_number: '1' } },
    'msg.terminal',
    /terminal_type/,
    '{"serial_number":"1"}',
  ],
  [
    { payload: { amount: '1' }, terminal: { serial_number: '1', terminal_type: 'VT' } },
    'terminal_type',
    /type of a terminal/,
    '"VT"',
  ],
  [{ payload: { amount: '1' }, meta: 'with space' }, 'metadata1', /no spaces/, '"with space"'],
  [{ payload: { amount: '1' }, meta: 'umlaut-ä' }, 'metadata1', /only letters/, '"umlaut-ä"'],
  [{ payload: { amount: '1' }, meta: 'a<b' }, 'metadata1', /only letters/, '"a<b"'],
  [{ payload: { amount: '1' }, meta: 'x'.repeat(251) }, 'metadata1', /250/, 'xxx'],
  [{ payload: { amount: '1' }, tips: 'ten' }, 'msg.tips', /whole numbers/, '"ten"'],
  [{ payload: { amount: '1' }, tips: '10.5' }, 'msg.tips', /whole numbers/, '"10.5"'],
  [{ payload: { amount: '1' }, tips: [] }, 'msg.tips', /whole numbers/, '[]'],
  [{ payload: { amount: '1' }, tips: [101] }, 'tipPercentages', /100/, '101'],
  [{ payload: { amount: '1' }, tips: [10], tipBase: '1.234' }, 'msg.tipBase', /decimal/, '"1.234"'],
  [{ payload: { amount: '1' }, duplicates: 'maybe' }, 'msg.duplicates', /true or false/, '"maybe"'],
  [{ payload: { amount: '1' }, duplicates: 1 }, 'msg.duplicates', /true or false/, '1'],
  [{ payload: { amount: '1' }, street: 'High Street 1' }, 'zipCode', /expected/, 'nothing'],
  [{ payload: { amount: '1' }, recipient: 'Jane Doe' }, 'remittanceName', /acquirer group B/, '"Jane Doe"'],
  [{ payload: { amount: '1' }, merchant: { mid: '1' } }, 'merchantAuth', /expected/, '{"mid":"1"}'],
  [{ payload: { amount: '1' }, merchant: [{}] }, 'merchantAuth', /expected/, '{}'],
  [{ payload: { amount: '1' }, merchant: [{ externalId: 'x'.repeat(24) }] }, 'externalId', /23/, 'xxx'],
  [{ payload: { amount: '1' }, merchant: [{ externalId: 'a', mid: 'b' }] }, 'merchantAuth', /expected/, '"a"'],
  [{ payload: { amount: '1' }, merchant: [{ acquirer: 'NOBODY', mid: '1' }] }, 'acquirer', /expected/, '"NOBODY"'],
];

const SALE = {
  metadata1: '{{meta}}',
  tipPercentages: 'tips',
  tipPercentagesType: 'msg',
  tipBase: 'tipBase',
  tipBaseType: 'msg',
  duplicateCheck: 'duplicates',
  duplicateCheckType: 'msg',
  billingAddress: '{{street}}',
  remittanceName: '{{recipient}}',
  merchantAuth: 'merchant',
  merchantAuthType: 'msg',
};

describe('bad input', () => {
  let service: Service;
  let flow: Flow;

  before(async () => {
    service = await startService();
    flow = await startFlow({ service, sale: SALE });
  });
  after(async () => {
    await flow.stop();
    await service.stop();
  });

  test('there are rows enough', () => assert.ok(ROWS.length >= 50, String(ROWS.length)));

  for (const [msg, names, expects, got] of ROWS) {
    test(`${JSON.stringify(msg).slice(0, 90)} goes to Catch, names ${names}, and sends nothing`, async () => {
      const count = flow.answers().length;
      flow.send(msg);
      const { output, msg: caught } = await flow.answer(count + 1);
      const error = caught.error as unknown as { message: string; code: string };
      assert.equal(output, 'mistake', JSON.stringify(caught.payload));
      assert.equal(error.code, 'INVALID_INPUT');
      assert.ok(error.message.includes(names), error.message);
      assert.match(error.message, expects);
      assert.ok(error.message.includes(got), error.message);
      assert.deepEqual(service.simulator.requests.latest(), []);
    });
  }

  test('a message that is right is paid by the same node', async () => {
    const count = flow.answers().length;
    flow.send({ payload: { amount: '1' } });
    assert.equal((await flow.answer(count + 1)).output, 'done');
  });
});
