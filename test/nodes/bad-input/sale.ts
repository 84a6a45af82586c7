import { type BadInput, badChoice, badMerchants, badTerminals, badWaits, fromMessage, type Row } from './row.js';

const AMOUNT = 'msg.payload.amount';
const right = { payload: { amount: '1' } };

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

/** The `amount` of an earlier result, with what a row replaces. */
const dollars = (more: object = {}): object => ({ total: '5.00', currency: 'USD', minor: { total: 500 }, ...more });

const MONEY: Row[] = [
  [{ payload: { amount: dollars(), currency: 'EUR' } }, 'msg.payload.currency', /the currency of msg.*, USD/, '"EUR"'],
  [{ payload: { amount: dollars({ minor: { total: 700 } }) } }, `${AMOUNT}.minor.total`, /500, which is/, '700'],
  [{ payload: {} }, AMOUNT, /a decimal/, 'nothing'],
  [{ payload: { amount: '' } }, AMOUNT, /a decimal/, 'nothing'],
  [{ payload: { amount: null } }, AMOUNT, /a decimal/, 'nothing'],
  [{}, AMOUNT, /a decimal/, 'nothing'],
  [{ payload: '10.00' }, AMOUNT, /a decimal/, 'nothing'],
  [{ payload: { amount: '9999999999.99' } }, AMOUNT, /below 9999999999\.99 EUR/, '"9999999999.99"'],
  [{ payload: { amount: '1234567890123' } }, AMOUNT, /below 9999999999\.99 EUR/, '"1234567890123"'],
  [{ payload: { amount: '0' } }, 'msg.payload.amount', /above 0 and below 999999999999 minor units/, '"0"'],
  [{ payload: { amount: 0 } }, 'msg.payload.amount', /above 0/, 'got 0'],
  [{ payload: { amount: '12.505' } }, AMOUNT, /at most 2 decimals for EUR/, '"12.505"'],
  [{ payload: { amount: '-5' } }, AMOUNT, /not negative/, '"-5"'],
  [{ payload: { amount: '0.00' } }, 'msg.payload.amount', /above 0/, '"0.00"'],
  [{ payload: { amount: '0.5', currency: 'JPY' } }, AMOUNT, /whole amount of JPY/, '"0.5"'],
  [{ payload: { amount: '1.2345', currency: 'KWD' } }, AMOUNT, /decimal/, '"1.2345"'],
  [{ payload: { amount: '1', currency: 'XXX' } }, 'currency', /ISO 4217/, '"XXX"'],
  [{ payload: { amount: '1', currency: 'eu' } }, 'currency', /ISO 4217/, '"eu"'],
  [{ payload: { amount: '1', currency: 'EURO' } }, 'currency', /ISO 4217/, '"EURO"'],
  [{ payload: { amount: '1', currency: 978.5 } }, 'msg.payload.currency', /text/, '978.5'],
  [{ payload: { amount: '12.50' }, unit: 'minor' }, AMOUNT, /minor units such as 1250/, '"12.50"'],
  [
    { payload: { amount: { total: 1250, currency: 'EUR' } }, unit: 'minor' },
    AMOUNT,
    /minor units such as 1250/,
    '{"total":1250,"currency":"EUR"}',
  ],
  ...badChoice('unit', 'major, minor', 'cents', right),
];

const OPTIONS: Row[] = [
  ...badChoice('operation', 'sale, saleAndTokenizeCard', 'steal', right),
  [{ ...right, operation: 'saleAndTokenizeCard', tips: [10] }, 'msg.tips', /no tip screen/, '[10]'],
  [{ ...right, meta: 'with space' }, 'metadata1', /no spaces/, '"with space"'],
  [{ ...right, meta: 'umlaut-ä' }, 'metadata1', /only letters/, '"umlaut-ä"'],
  [{ ...right, meta: 'a<b' }, 'metadata1', /only letters/, '"a<b"'],
  [{ ...right, meta: 'x'.repeat(251) }, 'metadata1', /250/, 'xxx'],
  [{ ...right, tips: 'ten' }, 'msg.tips', /whole numbers/, '"ten"'],
  [{ ...right, tips: '10.5' }, 'msg.tips', /whole numbers/, '"10.5"'],
  [{ ...right, tips: [] }, 'msg.tips', /whole numbers/, '[]'],
  [{ ...right, tips: [101] }, 'msg.tips', /100/, '101'],
  [{ ...right, tips: [10], tipBase: '1.234' }, 'msg.tipBase', /decimal/, '"1.234"'],
  [{ ...right, tips: [10], tipSkip: 'often' }, 'msg.tipSkip', /true or false/, '"often"'],
  [{ ...right, duplicateCheck: 'maybe' }, 'msg.duplicateCheck', /true or false/, '"maybe"'],
  [{ ...right, duplicateCheck: 1 }, 'msg.duplicateCheck', /true or false/, '1'],
  [{ ...right, bypassPin: 'yes' }, 'msg.bypassPin', /true or false/, '"yes"'],
  [{ ...right, bypassSignature: {} }, 'msg.bypassSignature', /true or false/, '{}'],
  [{ ...right, tokenize: 'please' }, 'msg.tokenize', /true or false/, '"please"'],
  [{ ...right, deadline: 5 }, 'msg.deadline', /from 10 to 360/, '5'],
  [{ ...right, deadline: 361 }, 'msg.deadline', /from 10 to 360/, '361'],
  ...badChoice('lateApproval', 'report, reverse', 'keep', right),
  ...badChoice('partialApproval', 'accept, reverse', 'maybe', right),
  [{ ...right, street: 'High Street 1' }, 'billingZip', /expected/, 'nothing'],
  [{ ...right, recipient: 'Jane Doe' }, 'remittanceName', /acquirer group B/, '"Jane Doe"'],
  [{ ...right, merchantAuth: { mid: '1' } }, 'merchantAuth', /a list/, '{"mid":"1"}'],
  [{ ...right, merchantAuth: [{}] }, 'merchantAuth', /at least one of mid, tid and mcc/, '{}'],
  [{ ...right, merchantAuth: [{ externalId: 'x'.repeat(24) }] }, 'externalId', /23/, 'xxx'],
  [{ ...right, merchantAuth: [{ externalId: 'a', mid: 'b' }] }, 'merchantAuth', /externalId alone/, '"a"'],
  [{ ...right, merchantAuth: [{ acquirer: 'NOBODY', mid: '1' }] }, 'acquirer', /one of AMEX/, '"NOBODY"'],
];

export const SALE: BadInput = {
  type: 'payment-sale',
  config: {
    ...fromMessage('operation', 'unit', 'tipSkip', 'tipBase', 'duplicateCheck', 'bypassPin', 'bypassSignature'),
    ...fromMessage('tokenize', 'deadline', 'lateApproval', 'partialApproval', 'busyWait', 'merchantAuth'),
    tipPercentages: 'tips',
    tipPercentagesType: 'msg',
    metadata1: '{{meta}}',
    billingAddress: '{{street}}',
    remittanceName: '{{recipient}}',
  },
  also: { unit: 'major', operation: 'sale', lateApproval: 'report', partialApproval: 'accept' },
  rows: [...AMOUNTS, ...MONEY, ...OPTIONS, ...badTerminals(right), ...badWaits(right), ...badMerchants(right)],
};
