import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, simulate } from '../harness/simulated.js';

const ACCEPTED: Json[] = [
  {},
  { amount: '1' },
  { amount: '999999999998' },
  { customerReference: 'order 7', duplicate_check: false },
  { callbackUrl: 'https://till.example/cb', token: 't' },
  { callbackUrl: 'http://127.0.0.1:1880/cb', token: 't' },
  { bypassOptions: { signatureBypass: true, pinBypass: false } },
  { tipConfiguration: { tipPercentages: [10], baseAmount: '900', headerName: 'T', footer: 'f', skipEnabled: false } },
  { metadata: { metadata1: 'a-(b)@:%_\\+.~#?&/={}\',"', metadata5: '' } },
  { billing: { zipCode: '12345' } },
  { merchantAuth: [{ externalId: 'STORE-1' }] },
  {
    merchantAuth: [
      { acquirer: 'TSYS', mid: '1' },
      { acquirer: 'VANTIV', tid: '2' },
    ],
  },
  { merchantAuth: [{ mid: '1' }] },
  { moneyRemittanceOptions: { fullName: 'José Núñez', countryCode: 'ESP' } },
  { tokenize: true },
];

const REFUSED_422: [string, Json][] = [
  ['/amount', { amount: 1000 }],
  ['/amount', { amount: '10.00' }],
  ['/amount', { amount: '1234567890123' }],
  ['/amount', { amount: '-5' }],
  ['', { amount: undefined }],
  ['', { currency: undefined }],
  ['/currency', { currency: 'eur' }],
  ['/operation', { operation: 'steal' }],
  ['', { serial_number: undefined }],
  ['', { terminal_type: undefined }],
  ['', { externalId: 'x' }],
  ['/callbackUrl', { callbackUrl: 'http://till.example/cb' }],
  ['/duplicate_check', { duplicate_check: 'yes' }],
  ['/bypassOptions', { bypassOptions: { pinBypass: true } }],
  ['/tipConfiguration', { tipConfiguration: {} }],
  ['/tipConfiguration/tipPercentages', { tipConfiguration: { tipPercentages: [] } }],
  ['', { operation: 'saleAndTokenizeCard', tipConfiguration: { tipPercentages: [10] } }],
  ['/metadata/metadata1', { metadata: { metadata1: 'two words' } }],
  ['/metadata/metadata1', { metadata: { metadata1: 'x'.repeat(251) } }],
  ['/metadata', { metadata: { metadata6: 'x' } }],
  ['/billing', { billing: { address: '1 Street' } }],
  ['/merchantAuth', { merchantAuth: [] }],
  ['/merchantAuth', { merchantAuth: [{ acquirer: 'TSYS' }] }],
  ['/merchantAuth', { merchantAuth: [{ externalId: 'x', mid: '1' }] }],
  ['/merchantAuth', { merchantAuth: [{ mid: '1' }, { mid: '2' }] }],
  ['/merchantAuth/0/externalId', { merchantAuth: [{ externalId: 'x'.repeat(24) }] }],
  ['/moneyRemittanceOptions/fullName', { moneyRemittanceOptions: { fullName: 'R2 D2', countryCode: 'ESP' } }],
  ['', { operation: 'refund', originalTransactionId: 'some-id' }],
  ['', { operation: 'saleReversal', transactionReference: undefined }],
  ['', { operation: 'printReceipt', transactionReference: undefined }],
  ['', { returnDeviceInfo: true }],
  ['', { cardToken: 'x' }],
];

for (const more of ACCEPTED) {
  test(`accepts a sale with ${JSON.stringify(more).slice(0, 70)}`, async () => {
    const world = simulate({ cardholder: 'none' });
    const { status, text } = await world.post('/transactions', world.sale(more));
    assert.equal(status, 202, text);
  });
}

for (const [path, more] of REFUSED_422) {
  test(`refuses ${JSON.stringify(more).slice(0, 70)} and names the field`, async () => {
    const world = simulate({ cardholder: 'none' });
    const { status, json, text } = await world.post('/transactions', world.sale(more));
    assert.equal(status, 422, text);
    const { code, details } = json.error as { code: string; details: { path: string }[] };
    assert.equal(code, 'VALIDATION_FAILED');
    assert.ok(
      details.some((detail) => detail.path === path),
      text,
    );
    assert.equal(world.terminal.screen.stage, 'idle');
  });
}

test('answers 400 to an amount out of range and to a reference that is no UUID v4', async () => {
  const world = simulate();
  for (const more of [
    { amount: '0' },
    { amount: '999999999999' },
    { transactionReference: 'e3b0c442-98fc-11ee-b9d1-0242ac120002' },
    { transactionReference: 'order-7' },
  ]) {
    const { status, json } = await world.post('/transactions', world.sale(more));
    assert.equal(status, 400);
    assert.match(String((json.error as Json).message), /amount|uuidv4/);
  }
});

test('shows a wrong remittance country as a device that does not listen', async () => {
  const world = simulate();
  const moneyRemittanceOptions = { fullName: 'Ann Lee', countryCode: 'Spain' };
  assert.equal((await world.post('/transactions', world.sale({ moneyRemittanceOptions }))).json.error, 1002);
});
