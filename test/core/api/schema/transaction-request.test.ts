import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { TRANSACTION_OPERATIONS, type TransactionOperation } from '../../../../src/core/api/schema/operation-rules.js';
import {
  checkTransactionOrder,
  checkTransactionRequest,
  honoursReference,
  isTraceable,
} from '../../../../src/core/api/schema/transaction-request.js';
import { InputError } from '../../../../src/core/base/errors.js';

type Body = Record<string, unknown>;

const terminal = { serial_number: '10000001', terminal_type: 'MODELT1' };
const sale: Body = { operation: 'sale', ...terminal, amount: '1000', currency: 'EUR' };
const reference = '3f2b8c1e-7a4d-4e6f-9b0a-1c2d3e4f5a6b';
const linked = { originalTransactionId: reference };
const tip = { tipPercentages: [10, 15] };
const UNLINKED_WITH_AMOUNT: TransactionOperation[] = [
  'sale',
  'refund',
  'saleAndTokenizeCard',
  'preAuthorization',
  'moToSale',
  'moToRefund',
  'moToPreAuthorization',
];

/** The required fields of each operation. */
function leastOf(operation: TransactionOperation): Body {
  const body: Body = { operation, ...terminal };
  const moneyless = ['tokenizeCard', 'printReceipt', 'cardPan', 'pingDevice', 'stopCurrentTransaction'];
  if (operation === 'printReceipt') body.receipt = '<p>Thank you</p>';
  if (moneyless.includes(operation)) return body;
  if (!UNLINKED_WITH_AMOUNT.includes(operation)) Object.assign(body, linked);
  return operation === 'preAuthorizationReversal' ? body : { ...body, amount: '1000', currency: 'EUR' };
}

function refusal(body: unknown): InputError {
  try {
    checkTransactionRequest(body);
  } catch (error) {
    assert.ok(error instanceof InputError, String(error));
    return error;
  }
  assert.fail(`accepted ${JSON.stringify(body)}`);
}

test('takes the least that each of the 18 operations needs, and sends it as it came', () => {
  assert.equal(TRANSACTION_OPERATIONS.length, 18);
  for (const operation of TRANSACTION_OPERATIONS) {
    const body = leastOf(operation);
    assert.deepEqual(checkTransactionOrder(body), body, operation);
    assert.deepEqual(checkTransactionRequest(body), body, operation);
  }
});

test('takes every field where it belongs', () => {
  const bodies: Body[] = [
    {
      ...sale,
      transactionReference: reference,
      callbackUrl: 'https://till.example/callback/1',
      token: 'a secret',
      customerReference: 'order 7, table 3',
      duplicate_check: false,
      bypassOptions: { signatureBypass: true, pinBypass: false },
      tipConfiguration: {
        ...tip,
        baseAmount: '900',
        headerName: 'Tip',
        enterAmountEnabled: true,
        skipEnabled: false,
        footer: '',
      },
      merchantAuth: [
        { acquirer: 'AMEX', mid: '1' },
        { acquirer: 'TSYS', tid: '2', mcc: '5999' },
      ],
      metadata: { metadata1: `aZ9-()@:%_\\+.~#?&/={}',"`, metadata5: '' },
      moneyRemittanceOptions: { fullName: 'Zoë Müller', countryCode: 'DEU' },
      billing: { zipCode: '12345', address: '1 Main St' },
      tokenize: true,
    },
    { ...sale, callbackUrl: 'http://127.0.0.1:1880/callback' },
    { ...sale, callbackUrl: 'http://localhost/callback' },
    { ...sale, callbackUrl: 'http://[::1]:8080/callback' },
    { ...sale, merchantAuth: [{ externalId: 'x'.repeat(23) }] },
    { ...sale, merchantAuth: [{ mid: '1' }] },
    { ...sale, amount: '1' },
    { ...sale, amount: '999999999998' },
    { ...leastOf('moToSale'), cardToken: 'tok', channel: 'MO' },
    { ...leastOf('pingDevice'), returnDeviceInfo: true },
    { ...leastOf('saleReversal'), cardPresent: true },
    { ...leastOf('refund'), ...linked },
    { ...leastOf('preAuthorizationIncrease'), amount: '-500' },
  ];
  for (const body of bodies) assert.deepEqual(checkTransactionRequest(body), body);
});

test('refuses every mistake, naming field, expectation and value', () => {
  const rows: [body: unknown, field: string, message: RegExp][] = [
    [undefined, 'body', /an object, got nothing/],
    ['sale', 'body', /an object, got "sale"/],
    [{ ...sale, operation: 'Sale' }, 'operation', /one of sale, refund.*got "Sale"/],
    [{ ...sale, operation: undefined }, 'operation', /got nothing/],
    [{ ...sale, serial_number: '' }, 'serial_number', /a text that is not empty, got ""/],
    [{ ...sale, serial_number: 10000001 }, 'serial_number', /a text, got 10000001/],
    [{ ...sale, terminal_type: undefined }, 'terminal_type', /a text, got nothing/],
    [{ ...sale, terminal_type: 'VT' }, 'terminal_type', /VT is the virtual one, got "VT"/],
    [{ ...sale, amount: undefined }, 'amount', /digits in minor units.*got nothing/],
    [{ ...sale, amount: 1000 }, 'amount', /a text, got 1000/],
    [{ ...sale, amount: '10.00' }, 'amount', /digits in minor units, such as 1250, got "10.00"/],
    [{ ...sale, amount: '12,50' }, 'amount', /got "12,50"/],
    [{ ...sale, amount: '1e3' }, 'amount', /got "1e3"/],
    [{ ...sale, amount: 'NaN' }, 'amount', /got "NaN"/],
    [{ ...sale, amount: '-1' }, 'amount', /digits in minor units, such as 1250, got "-1"/],
    [{ ...sale, amount: '' }, 'amount', /got ""/],
    [{ ...sale, amount: '0' }, 'amount', /above 0 and below 999999999999 minor units, got "0"/],
    [{ ...sale, amount: '000' }, 'amount', /above 0/],
    [{ ...sale, amount: '999999999999' }, 'amount', /below 999999999999 minor units, got/],
    [{ ...sale, amount: '1234567890123' }, 'amount', /at most 12 characters, got "1234567890123"/],
    [{ ...leastOf('preAuthorizationIncrease'), amount: '-0' }, 'amount', /above 0/],
    [{ ...sale, currency: undefined }, 'currency', /ISO 4217.*got nothing/],
    [{ ...sale, currency: 'eur' }, 'currency', /ISO 4217 currency code such as EUR, got "eur"/],
    [{ ...sale, currency: 'EURO' }, 'currency', /got "EURO"/],
    [{ ...sale, currency: 'ABC' }, 'currency', /got "ABC"/],
    [{ ...leastOf('pingDevice'), amount: '1' }, 'amount', /no amount with pingDevice, got "1"/],
    [{ ...leastOf('preAuthorizationReversal'), amount: '1' }, 'amount', /no amount with preAuthorizationReversal/],
    [{ ...leastOf('tokenizeCard'), currency: 'EUR' }, 'currency', /no currency with tokenizeCard/],
    [{ ...sale, transactionReference: 'order-7' }, 'transactionReference', /a UUID of version 4, got "order-7"/],
    [
      { ...sale, transactionReference: '3f2b8c1e-7a4d-1e6f-9b0a-1c2d3e4f5a6b' },
      'transactionReference',
      /a UUID of version 4/,
    ],
    [
      { ...sale, transactionReference: '3f2b8c1e-7a4d-4e6f-cb0a-1c2d3e4f5a6b' },
      'transactionReference',
      /a UUID of version 4/,
    ],
    [{ ...leastOf('moToSale'), transactionReference: reference }, 'transactionReference', /no reference with moToSale/],
    [
      { ...leastOf('refund'), ...linked, transactionReference: reference },
      'transactionReference',
      /no reference with refund of an original/,
    ],
    [{ ...sale, callbackUrl: 'http://till.example/x' }, 'callbackUrl', /an https address/],
    [{ ...sale, callbackUrl: 'http://127.0.0.1.evil.example/' }, 'callbackUrl', /an https address/],
    [{ ...sale, callbackUrl: 'till.example' }, 'callbackUrl', /an https address/],
    [{ ...sale, token: '' }, 'token', /a text that is not empty/],
    [{ ...sale, duplicate_check: 'false' }, 'duplicate_check', /true or false, got "false"/],
    [{ ...sale, bypassOptions: { pinBypass: true } }, 'bypassOptions.signatureBypass', /true or false, got nothing/],
    [{ ...sale, bypassOptions: { pinBypass: 1, signatureBypass: true } }, 'bypassOptions.pinBypass', /got 1/],
    [{ ...sale, tipConfiguration: {} }, 'tipConfiguration.tipPercentages', /a list, got nothing/],
    [{ ...sale, tipConfiguration: { tipPercentages: [] } }, 'tipConfiguration.tipPercentages', /a list that is not/],
    [
      { ...sale, tipConfiguration: { tipPercentages: [10, 12.5] } },
      'tipConfiguration.tipPercentages[1]',
      /a whole number, got 12.5/,
    ],
    [{ ...sale, tipConfiguration: { tipPercentages: [-1] } }, 'tipConfiguration.tipPercentages[0]', /at least 0/],
    [{ ...sale, tipConfiguration: { ...tip, baseAmount: '9.00' } }, 'tipConfiguration.baseAmount', /got "9.00"/],
    [
      { ...leastOf('saleAndTokenizeCard'), tipConfiguration: tip },
      'tipConfiguration',
      /no tipConfiguration with saleAndTokenizeCard/,
    ],
    [{ ...sale, metadata: { metadata6: 'x' } }, 'metadata.metadata6', /no such field/],
    [{ ...sale, metadata: { metadata1: 'two words' } }, 'metadata.metadata1', /no spaces\), got "two words"/],
    [{ ...sale, metadata: { metadata2: 'Zoë' } }, 'metadata.metadata2', /only letters/],
    [{ ...sale, metadata: { metadata3: 'x'.repeat(251) } }, 'metadata.metadata3', /at most 250 characters/],
    [{ ...sale, metadata: { metadata4: 5 } }, 'metadata.metadata4', /a text, got 5/],
    [{ ...sale, billing: { address: '1 Main St' } }, 'billing.zipCode', /a text, got nothing/],
    [{ ...sale, billing: { zipCode: '1', city: 'X' } }, 'billing.city', /no such field/],
    [{ ...sale, merchantAuth: [] }, 'merchantAuth', /a list that is not empty/],
    [{ ...sale, merchantAuth: { mid: '1' } }, 'merchantAuth', /a list, got/],
    [{ ...sale, merchantAuth: [{}] }, 'merchantAuth[0]', /externalId alone, or at least one of mid, tid and mcc/],
    [{ ...sale, merchantAuth: [{ acquirer: 'AMEX' }] }, 'merchantAuth[0]', /at least one of/],
    [{ ...sale, merchantAuth: [{ acquirer: 'VISA', mid: '1' }] }, 'merchantAuth[0].acquirer', /one of AMEX/],
    [{ ...sale, merchantAuth: [{ externalId: 'x', mid: '1' }] }, 'merchantAuth[0].externalId', /externalId alone/],
    [{ ...sale, merchantAuth: [{ externalId: 'x'.repeat(24) }] }, 'merchantAuth[0].externalId', /at most 23/],
    [
      { ...sale, merchantAuth: [{ acquirer: 'AMEX', mid: '1' }, { mid: '2' }] },
      'merchantAuth[1].acquirer',
      /a different acquirer.*got nothing/,
    ],
    [
      { ...sale, merchantAuth: ['1', '2'].map((mid) => ({ acquirer: 'AMEX', mid })) },
      'merchantAuth[1].acquirer',
      /a different acquirer.*got "AMEX"/,
    ],
    [{ ...sale, externalId: 'x' }, 'externalId', /no such field/],
    [
      { ...sale, moneyRemittanceOptions: { fullName: 'Jo 2', countryCode: 'DEU' } },
      'moneyRemittanceOptions.fullName',
      /letters only, got "Jo 2"/,
    ],
    [
      { ...sale, moneyRemittanceOptions: { fullName: 'x'.repeat(31), countryCode: 'DEU' } },
      'moneyRemittanceOptions.fullName',
      /at most 30/,
    ],
    [
      { ...sale, moneyRemittanceOptions: { fullName: 'Jo Do', countryCode: 'DE' } },
      'moneyRemittanceOptions.countryCode',
      /ISO 3166-1 alpha-3.*got "DE"/,
    ],
    [
      { ...leastOf('preAuthorizationReversal'), originalTransactionId: undefined },
      'originalTransactionId',
      /preAuthorizationReversal needs it\), got nothing/,
    ],
    [{ ...sale, ...linked }, 'originalTransactionId', /no original with sale/],
    [
      { ...leastOf('saleReversal'), originalTransactionId: '[card ending 1111]' },
      'originalTransactionId',
      /not what stands for one that looked like a card number/,
    ],
    [{ ...sale, returnDeviceInfo: true }, 'returnDeviceInfo', /only with pingDevice/],
    [{ ...sale, cardPresent: true }, 'cardPresent', /no cardPresent with sale/],
    [{ ...leastOf('printReceipt'), receipt: undefined }, 'receipt', /printable HTML or a URL, got nothing/],
    [{ ...sale, channel: 'MO' }, 'channel', /only with moToSale/],
    [{ ...leastOf('moToSale'), channel: 'MAIL' }, 'channel', /one of MO, TO, got "MAIL"/],
    [{ ...sale, Amount: '1' }, 'Amount', /no such field/],
  ];
  for (const [body, field, message] of rows) {
    const error = refusal(body);
    assert.equal(error.field, field, JSON.stringify(body));
    assert.match(error.message, message);
    assert.ok(error.message.startsWith(`${field}: expected `), error.message);
  }
});

test('takes both spellings of the original, and sends the readable one', () => {
  const { originalTransactionId, ...rest } = leastOf('saleReversal');
  const spelt = { ...rest, originalTransactionID: originalTransactionId };
  assert.deepEqual(checkTransactionOrder(spelt), { ...rest, originalTransactionId });
});

test('takes nothing in an order that belongs to one attempt', () => {
  for (const more of [{ transactionReference: reference }, { callbackUrl: 'https://x.example' }, { token: 't' }]) {
    assert.throws(() => checkTransactionOrder({ ...sale, ...more }), { field: Object.keys(more)[0] });
  }
});

test('never repeats a secret or a card number, under its own name or a wrong one', () => {
  const secret = 'planted-secret-4711';
  const bodies = [
    { ...sale, cardToken: secret },
    { ...leastOf('moToSale'), cardToken: secret.repeat(5) },
    { ...sale, token: [secret] },
    { ...sale, card_token: secret },
    { ...sale, apiKey: secret },
    { ...sale, token: { token: secret } },
    { ...sale, metadata: { metadata1: 'card 4111111111111111' } },
  ];
  for (const body of bodies) {
    const { message } = refusal(body);
    assert.doesNotMatch(message, /planted-secret|4111111111111111/, message);
  }
});

test('knows under which operations the service keeps our reference', () => {
  const honouring = TRANSACTION_OPERATIONS.filter(honoursReference);
  assert.deepEqual(honouring, ['sale', 'refund', 'saleAndTokenizeCard', 'preAuthorization']);
  assert.equal(isTraceable({ operation: 'refund' }), true);
  assert.equal(isTraceable({ operation: 'refund', ...linked }), false);
});

test('takes every amount within the limits and every random UUID v4', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 999_999_999_998n }), (amount) => {
      const body = { ...sale, amount: String(amount), transactionReference: randomUUID() };
      assert.deepEqual(checkTransactionRequest(body), body);
    }),
  );
});

test('refuses whatever else stands in a field, and names that field', () => {
  const fields = ['operation', 'amount', 'currency', 'transactionReference', 'callbackUrl', 'duplicate_check'];
  fc.assert(
    fc.property(fc.constantFrom(...fields), fc.anything(), (field, value) => {
      fc.pre(value !== undefined && typeof value !== 'boolean');
      fc.pre(typeof value !== 'string' || !/^\d+$|^https:/.test(value));
      assert.equal(refusal({ ...sale, [field]: value }).field.split(/[.[]/)[0], field);
    }),
  );
});

test('refuses every field that nobody described', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.anything(), (name, value) => {
      fc.pre(!(name in leastOf('sale')) && name !== '__proto__');
      fc.pre(!/^(tokenize|token|billing|metadata|receipt|channel)$/.test(name));
      assert.equal(refusal({ ...sale, [name]: value }).field, name);
    }),
  );
});
