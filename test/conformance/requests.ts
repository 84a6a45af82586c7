import assert from 'node:assert/strict';
import { connected, TERMINAL } from '../harness/connected.js';
import type { Json } from '../harness/simulated.js';
import { chapter, mistaken, type Row } from './row.js';

/**
 * What a request must look like. The client names the field before anything is sent; the same body, sent past the
 * client, is refused by the service: both keep the same rules.
 */

const ORIGINAL = '7d3a5c1e-0b52-4f6e-9c68-1f2e3d4c5b6a';
const linked = (operation: string): Json => ({ operation, originalTransactionId: ORIGINAL });
const moneyless = { amount: undefined, currency: undefined, transactionReference: undefined };
const tip = (more: Json = {}): Json => ({ tipConfiguration: { tipPercentages: [10], ...more } });
const merchantAuth = (...elements: Json[]): Json => ({ merchantAuth: elements });
const remittance = (fullName: string, countryCode = 'ESP'): Json => ({
  moneyRemittanceOptions: { fullName, countryCode },
});

type Rule = [what: string, changes: Json, field: string, status?: number];

const TRANSACTION_RULES: Rule[] = [
  ['operation: one of the 18', { operation: 'steal' }, 'operation'],
  ['serial_number: required', { serial_number: undefined }, 'serial_number'],
  ['terminal_type: required', { terminal_type: undefined }, 'terminal_type'],
  ['amount: required for financial operations', { amount: undefined }, 'amount'],
  ['amount: digits only', { amount: '10.00' }, 'amount'],
  ['amount: a string', { amount: 1000 }, 'amount'],
  ['amount: at most 12 characters', { amount: '1234567890123' }, 'amount'],
  ['amount: above 0', { amount: '0' }, 'amount', 400],
  ['amount: below 999999999999', { amount: '999999999999' }, 'amount', 400],
  ['amount: negative only for preAuthorizationIncrease', { amount: '-1' }, 'amount'],
  ['currency: required with amount', { currency: undefined }, 'currency'],
  ['currency: ISO 4217 alpha-3', { currency: 'eur' }, 'currency'],
  [
    'transactionReference: version digit 4',
    { transactionReference: '7d3a5c1e-0b52-1f6e-9c68-1f2e3d4c5b6a' },
    'transactionReference',
    400,
  ],
  [
    'transactionReference: variant digit 8, 9, a or b',
    { transactionReference: '7d3a5c1e-0b52-4f6e-cc68-1f2e3d4c5b6a' },
    'transactionReference',
    400,
  ],
  ['transactionReference: not on a linked refund', linked('refund'), 'transactionReference'],
  ['transactionReference: not on refundReversal', linked('refundReversal'), 'transactionReference'],
  ['transactionReference: not on saleReversal', linked('saleReversal'), 'transactionReference'],
  ['transactionReference: not on moToReversal', linked('moToReversal'), 'transactionReference'],
  ['transactionReference: not on an increase', linked('preAuthorizationIncrease'), 'transactionReference'],
  ['transactionReference: not on a capture', linked('preAuthorizationCapture'), 'transactionReference'],
  [
    'transactionReference: not on preAuthorizationReversal',
    { ...linked('preAuthorizationReversal'), amount: undefined, currency: undefined },
    'transactionReference',
  ],
  ['callbackUrl: HTTPS', { callbackUrl: 'http://till.example/cb' }, 'callbackUrl'],
  ['token: not empty', { callbackUrl: 'https://till.example/cb', token: '' }, 'token'],
  ['duplicate_check: boolean', { duplicate_check: 'yes' }, 'duplicate_check'],
  ['bypassOptions: both booleans', { bypassOptions: { pinBypass: true } }, 'bypassOptions.signatureBypass'],
  [
    'tipConfiguration: not with saleAndTokenizeCard',
    { ...tip(), operation: 'saleAndTokenizeCard' },
    'tipConfiguration',
  ],
  ['tipPercentages: required', { tipConfiguration: {} }, 'tipConfiguration.tipPercentages'],
  ['tipPercentages: not empty', tip({ tipPercentages: [] }), 'tipConfiguration.tipPercentages'],
  ['tipPercentages: integers', tip({ tipPercentages: [1.5] }), 'tipConfiguration.tipPercentages[0]'],
  ['baseAmount: digits in minor units', tip({ baseAmount: '9.00' }), 'tipConfiguration.baseAmount'],
  ['merchantAuth: not empty', merchantAuth(), 'merchantAuth'],
  ['merchantAuth: acquirer is one of seven', merchantAuth({ acquirer: 'X', mid: '1' }), 'merchantAuth[0].acquirer'],
  ['merchantAuth: acquirer with mid, tid or mcc', merchantAuth({ acquirer: 'TSYS' }), 'merchantAuth[0]'],
  ['merchantAuth: externalId alone', merchantAuth({ externalId: 'a', mid: '1' }), 'merchantAuth[0].externalId'],
  [
    'merchantAuth: externalId at most 23 characters',
    merchantAuth({ externalId: 'x'.repeat(24) }),
    'merchantAuth[0].externalId',
  ],
  [
    'merchantAuth: acquirer required with several',
    merchantAuth({ mid: '1' }, { mid: '2' }),
    'merchantAuth[0].acquirer',
  ],
  ['metadata: only metadata1 to metadata5', { metadata: { metadata6: 'x' } }, 'metadata.metadata6'],
  ['metadata: at most 250 characters', { metadata: { metadata1: 'x'.repeat(251) } }, 'metadata.metadata1'],
  ['metadata: only the allowed characters', { metadata: { metadata5: 'two words' } }, 'metadata.metadata5'],
  ['fullName: required', { moneyRemittanceOptions: { countryCode: 'ESP' } }, 'moneyRemittanceOptions.fullName'],
  ['fullName: letters only', remittance('R2 D2'), 'moneyRemittanceOptions.fullName'],
  ['fullName: at most 30 characters', remittance('x'.repeat(31)), 'moneyRemittanceOptions.fullName'],
  ['countryCode: ISO 3166-1 alpha-3', remittance('Ann Lee', 'Spain'), 'moneyRemittanceOptions.countryCode', 400],
  ['billing: zipCode required', { billing: { address: '1 High Street' } }, 'billing.zipCode'],
  [
    'originalTransactionId: required for preAuthorizationReversal',
    { ...moneyless, operation: 'preAuthorizationReversal' },
    'originalTransactionId',
  ],
  [
    'originalTransactionId: required for saleReversal',
    { operation: 'saleReversal', transactionReference: undefined },
    'originalTransactionId',
  ],
  ['returnDeviceInfo: only with pingDevice', { returnDeviceInfo: true }, 'returnDeviceInfo'],
  ['tokenize: boolean', { tokenize: 'yes' }, 'tokenize'],
  ['receipt: required for printReceipt', { ...moneyless, operation: 'printReceipt' }, 'receipt'],
  ['cardToken: only with moToSale', { cardToken: 'x' }, 'cardToken'],
  ['channel: MO or TO', { operation: 'moToSale', channel: 'WEB', transactionReference: undefined }, 'channel'],
  ['no unknown field: externalId belongs inside merchantAuth', { externalId: 'STORE-1' }, 'externalId'],
];

function ruleRows(): Row[] {
  return chapter(
    'Request rules',
    Object.fromEntries(
      TRANSACTION_RULES.map(([what, changes, field, status = 422]) => [
        what,
        async () => {
          const world = connected({ cardholder: 'none' });
          const body = world.sale(changes);
          await mistaken(world.client.transactions.start(body as never), field);
          assert.deepEqual(world.simulator.requests.latest(), []);
          assert.equal((await world.post('/transactions', body)).status, status);
          assert.equal(world.terminal.screen.stage, 'idle');
        },
      ]),
    ),
  );
}

const money = { amount: '5.00', currency: 'EUR' };
const hold = { originalGuid: ORIGINAL };
const address = { serialNumber: '10000001', deviceType: 'SIMULATEDT1' };

type BackOfficeRule = [path: string, what: string, body: Json, field: string];

const BACK_OFFICE_RULES: BackOfficeRule[] = [
  ['/reversal', 'originalGuid required', {}, 'originalGuid'],
  ['/reversal', 'currency required with amount', { ...hold, amount: '1.00' }, 'currency'],
  ['/reversal', 'amount is a major-unit decimal', { ...hold, amount: '1,00', currency: 'EUR' }, 'amount'],
  ['/reversal', 'amount has no more decimals than its currency', { ...hold, amount: '1.5', currency: 'JPY' }, 'amount'],
  ['/reversal', 'messageReasonCode is a name', { ...hold, messageReasonCode: 'too late' }, 'messageReasonCode'],
  ['/reversal', 'timestamp YYYYMMDDHHmmssSSS', { ...hold, timestamp: '2026-01-31' }, 'timestamp'],
  ['/reversal', 'no unknown field', { ...hold, cardToken: 'x' }, 'cardToken'],
  ['/moto/sale', 'amount required', { currency: 'EUR', cardToken: 'x' }, 'amount'],
  ['/moto/sale', 'currency required', { amount: '5.00', cardToken: 'x' }, 'currency'],
  ['/moto/sale', 'cardToken required', money, 'cardToken'],
  ['/moto/sale', 'cardToken at most 64 characters', { ...money, cardToken: 'x'.repeat(65) }, 'cardToken'],
  ['/moto/sale', 'billing zipCode required', { ...money, cardToken: 'x', billing: {} }, 'billing.zipCode'],
  [
    '/moto/sale',
    'customerReference at most 50 characters',
    { ...money, cardToken: 'x', customerReference: 'x'.repeat(51) },
    'customerReference',
  ],
  ['/moto/sale', 'channel MO or TO', { ...money, cardToken: 'x', channel: 'WEB' }, 'channel'],
  ['/moto/refund', 'either originalGuid or cardToken', money, 'originalGuid'],
  ['/moto/refund', 'not both', { ...money, ...hold, cardToken: 'x' }, 'cardToken'],
  ['/moto/reversal', 'originalGuid required', money, 'originalGuid'],
  ['/moto/reversal', 'amount required', { ...hold, currency: 'EUR' }, 'amount'],
  ['/moto/reversal', 'currency required', { ...hold, amount: '5.00' }, 'currency'],
  ['/preauthorization/capture', 'originalGuid required', { capturedAmount: '1.00' }, 'originalGuid'],
  ['/preauthorization/capture', 'capturedAmount required', hold, 'capturedAmount'],
  ['/preauthorization/increase', 'originalGuid required', { increaseAmount: '1.00' }, 'originalGuid'],
  [
    '/preauthorization/increase',
    'increaseAmount required, amount is not it',
    { ...hold, amount: '1.00' },
    'increaseAmount',
  ],
  ['/preauthorization/increase', 'increaseAmount positive', { ...hold, increaseAmount: '-1.00' }, 'increaseAmount'],
  ['/preauthorization/increase', 'subtract only 1', { ...hold, increaseAmount: '1.00', subtract: '2' }, 'subtract'],
  ['/preauthorization/increase', 'no tipAmount', { ...hold, increaseAmount: '1.00', tipAmount: '1.00' }, 'tipAmount'],
  ['/batch/close', 'serialNumber required', { deviceType: 'SIMULATEDT1', batchNumber: '123' }, 'serialNumber'],
  ['/batch/close', 'deviceType required', { serialNumber: '10000001', batchNumber: '123' }, 'deviceType'],
  ['/batch/summary', 'batchNumber required', address, 'batchNumber'],
  ['/batch/detail', 'batchNumber required', address, 'batchNumber'],
  ['/batch/detail', 'rrn is a text', { ...address, batchNumber: '123', rrn: 7 }, 'rrn'],
];

function askAt(client: ReturnType<typeof connected>['client'], path: string, body: Json): Promise<unknown> {
  const asked = body as never;
  switch (path) {
    case '/reversal':
      return client.reversal.reverse(asked);
    case '/moto/sale':
      return client.moto.sale(asked);
    case '/moto/refund':
      return client.moto.refund(asked);
    case '/moto/reversal':
      return client.moto.reversal(asked);
    case '/preauthorization/capture':
      return client.preauthorization.capture(asked);
    case '/preauthorization/increase':
      return client.preauthorization.increase(asked);
    case '/batch/close':
      return client.batch.close(asked);
    case '/batch/summary':
      return client.batch.summary(asked);
    default:
      return client.batch.detail(asked);
  }
}

const BACK_OFFICE = chapter(
  'Request rules, back office',
  Object.fromEntries(
    BACK_OFFICE_RULES.map(([path, what, body, field]) => [
      `${path}: ${what}`,
      async () => {
        const world = connected();
        await mistaken(askAt(world.client, path, body), field);
        assert.deepEqual(world.simulator.requests.latest(), []);
        const { status, text } = await world.post(path, body);
        assert.equal(status, 422, text);
      },
    ]),
  ),
);

const tipNumber = chapter('Request rules, back office', {
  '/transactions/{transactionID}/tip-adjustment: amount is a JSON number': async () => {
    const world = connected();
    const { transactionID } = await world.sold();
    const path = `/transactions/${transactionID}/tip-adjustment`;
    assert.equal((await world.post(path, { amount: '1.00' })).status, 422);
    assert.equal((await world.post(path, {})).status, 422);
    await mistaken(world.client.tip.adjust({ transactionID, amount: '1,00', currency: 'EUR' }), 'amount');
    await world.client.tip.adjust({ transactionID, amount: '1.50', currency: 'EUR' });
    assert.deepEqual(world.lastBody(), { amount: 1.5 });
  },
  'device commands: every field of every body': async () => {
    const { client, simulator } = connected();
    const run = (command: string, settings: object): Promise<void> =>
      client.commands.run(TERMINAL, command as 'reboot', settings as { force: boolean });
    await mistaken(run('set-unattended-mode', {}), 'settings.status');
    await mistaken(run('set-locale', { locale: 'french' }), 'settings.locale');
    await mistaken(run('set-reboot-time', { hour: 24 }), 'settings.hour');
    await mistaken(
      run('set-screen-brightness', { minimumBrightnessLevel: 0, maximumBrightnessLevel: 101 }),
      'settings.maximumBrightnessLevel',
    );
    await mistaken(run('set-security-policy', { other: true }), 'settings.other');
    assert.deepEqual(simulator.requests.latest(), []);
  },
});

export const REQUEST_RULES = ruleRows();
export const BACK_OFFICE_REQUEST_RULES = [...BACK_OFFICE, ...tipNumber];
