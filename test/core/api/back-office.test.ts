import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '../../../src/core/api/client.js';
import type { TransactionResult } from '../../../src/core/api/schema/transaction-result.js';
import { RateLimiterRegistry } from '../../../src/core/api/transport/rate-limiter.js';
import { InputError, RefusedError, UnreadableAnswerError } from '../../../src/core/base/errors.js';
import type { SimulatorOptions } from '../../../src/simulator/index.js';
import { DEFAULT_KEY } from '../../../src/simulator/index.js';
import { simulate } from '../../harness/simulated.js';
import { scriptedService } from './scripted-service.js';

/** The client connected to the simulated service, and a helper that makes sales for the back office to work on. */
function backOffice(options: Partial<SimulatorOptions> = {}) {
  const { clock, simulator, newId } = simulate(options);
  const { baseUrl, statusUrl, send } = simulator;
  const rateLimiters = new RateLimiterRegistry(clock);
  const client = new Client({
    baseUrl,
    statusUrl,
    send,
    clock,
    rateLimiters,
    apiKey: DEFAULT_KEY,
    requestsPerSecond: 0,
  });
  const terminal = { serial_number: '10000001', terminal_type: 'SIMULATEDT1' };

  async function pay(operation: 'sale' | 'preAuthorization', amount = '10000'): Promise<TransactionResult> {
    const transactionReference = newId();
    const order = { operation, ...terminal, amount, currency: 'EUR', transactionReference, duplicate_check: false };
    const { transactionResultId = '' } = await ended(client.transactions.start(order));
    await clock.runUntilIdle(400_000);
    const answer = await ended(client.transactions.result(transactionResultId));
    assert.ok(answer.state === 'result' && answer.result.finStatus === 'AUTHORISED');
    return answer.result;
  }

  /** Moves the clock until the response is there, because the simulated network takes time. */
  async function ended<T>(asked: Promise<T>): Promise<T> {
    let done = false;
    const end = (): void => {
      done = true;
    };
    asked.then(end, end);
    await clock.runUntil(() => done, 400_000);
    return asked;
  }

  return { client, simulator, clock, newId, terminal, pay, ended };
}

function refusedWith(code: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof RefusedError, String(error));
    assert.equal(error.serviceCode, code);
    return true;
  };
}

test('reverses a sale once, and is told when it was reversed already', async () => {
  const { client, ended, pay } = backOffice();
  const { transactionID = '' } = await pay('sale');
  const reversal = await ended(
    client.reversal.reverse({
      originalGuid: transactionID,
      messageReasonCode: 'CUSTOMER_CANCELLATION',
      timestamp: '20260131120000000',
    }),
  );
  assert.equal(reversal.approved, true);
  assert.equal(reversal.amount, '100.00');
  assert.equal(reversal.httpStatus, '200');
  assert.ok(reversal.reversalGuid !== undefined && reversal.reversalGuid !== transactionID);
  assert.ok(reversal.customFields?.some(({ key }) => key === 'messageReasonCode'));
  await assert.rejects(ended(client.reversal.reverse({ originalGuid: transactionID })), refusedWith('3051'));
});

test('reverses a part, and never more than there was', async () => {
  const { client, ended, pay, simulator } = backOffice();
  const { transactionID: originalGuid = '' } = await pay('sale');
  const part = await ended(client.reversal.reverse({ originalGuid, amount: '40.00', currency: 'EUR' }));
  assert.equal(part.approved, true);
  assert.equal(
    simulator.bank.entries().reduce((sum, { moved }) => sum + moved, 0),
    6000,
  );
  const tooMuch = client.reversal.reverse({ originalGuid, amount: '100.01', currency: 'EUR' });
  await assert.rejects(ended(tooMuch), refusedWith('4066'));
});

test('captures a hold with its tip, and reads the amounts as the major units they are', async () => {
  const { client, ended, pay } = backOffice();
  const { transactionID: originalGuid = '' } = await pay('preAuthorization');
  const more = await ended(client.preauthorization.increase({ originalGuid, increaseAmount: '20', currency: 'EUR' }));
  assert.deepEqual([more.approved, more.holdAmount, more.increaseAmount], [true, '120.00', '20.00']);
  const less = await ended(client.preauthorization.increase({ originalGuid, increaseAmount: '30.00', subtract: '1' }));
  assert.equal(less.holdAmount, '90.00');
  const capture = await ended(
    client.preauthorization.capture({ originalGuid, capturedAmount: '90.00', tipAmount: '9.00', currency: 'EUR' }),
  );
  assert.equal(capture.approved, true);
  assert.deepEqual([capture.capturedAmount, capture.tipAmount], ['90.00', '9.00']);
  const { preAuthorizationCaptureGuid = '' } = capture;
  assert.equal((await ended(client.reversal.reverse({ originalGuid: preAuthorizationCaptureGuid }))).approved, true);
});

test('is refused, whatever the HTTP status, what a hold does not allow', async () => {
  const { client, ended, pay, newId } = backOffice();
  const { capture, increase } = {
    capture: (originalGuid: string, capturedAmount: string) =>
      ended(client.preauthorization.capture({ originalGuid, capturedAmount })),
    increase: (originalGuid: string, increaseAmount: string) =>
      ended(client.preauthorization.increase({ originalGuid, increaseAmount, subtract: '1' })),
  };
  const { transactionID: hold = '' } = await pay('preAuthorization');
  const { transactionID: sale = '' } = await pay('sale');
  await assert.rejects(capture(hold, '100.01'), refusedWith('3215'));
  await assert.rejects(increase(hold, '100.00'), refusedWith('3212'));
  await assert.rejects(capture(sale, '1.00'), refusedWith('3207'));
  await assert.rejects(capture(newId(), '1.00'), refusedWith('3156'));
  await assert.rejects(capture('no such id', '1.00'), refusedWith('5001'));
});

test('sells, refunds and reverses with a stored token', async () => {
  const { client, ended, pay, newId } = backOffice();
  const { transactionID = '' } = await pay('sale');
  const token = await ended(client.token.fetch(transactionID));
  assert.equal(token.transactionReference, transactionID);
  const { cardToken } = token;
  const sale = await ended(
    client.moto.sale({
      amount: '25.00',
      currency: 'EUR',
      cardToken,
      transactionReference: newId(),
      billing: { zipCode: '12345' },
      customerReference: 'order 7',
      channel: 'TO',
    }),
  );
  assert.deepEqual([sale.approved, sale.type, sale.amount], [true, 'motoSaleResponse', '25.00']);
  const { guid: originalGuid = '' } = sale;
  const refund = await ended(client.moto.refund({ amount: '5.00', currency: 'EUR', originalGuid }));
  assert.deepEqual([refund.approved, refund.originalGuid], [true, originalGuid]);
  assert.equal((await ended(client.moto.refund({ amount: '1', currency: 'EUR', cardToken }))).approved, true);
  await assert.rejects(
    ended(client.moto.refund({ amount: '25.01', currency: 'EUR', originalGuid })),
    refusedWith('3209'),
  );
  const second = await ended(client.moto.sale({ amount: '7.00', currency: 'EUR', cardToken }));
  const reversal = await ended(
    client.moto.reversal({ amount: '7.00', currency: 'EUR', originalGuid: second.guid ?? '' }),
  );
  assert.equal(reversal.approved, true);
  await assert.rejects(
    ended(client.moto.sale({ amount: '1.00', currency: 'EUR', cardToken: 'unknown' })),
    refusedWith('5252'),
  );
});

test('does not take HTTP 200 for an approval, and leaves open what says neither yes nor no', async (t) => {
  const { client, answers } = await scriptedService(t);
  const sale = { amount: '1.00', currency: 'EUR', cardToken: 'x' };
  const answered = async (body: object) => {
    answers([200, body]);
    return (await client.moto.sale(sale)).approved;
  };
  const guid = 'g';
  assert.equal(await answered({ httpStatus: 200, issuerResponseCode: '00', approvalCode: '123456', guid }), true);
  assert.equal(await answered({ finStatus: 'AUTHORISED', approvalCode: '123456', guid }), true);
  assert.equal(await answered({ httpStatus: 200, issuerResponseCode: '05', approvalCode: '' }), false);
  assert.equal(await answered({ finStatus: 'DECLINED', issuerResponseCode: '00', approvalCode: '', guid }), false);
  for (const open of [
    { httpStatus: 200 },
    { issuerResponseCode: '00', approvalCode: '', guid },
    { finStatus: 'AUTHORISED', approvalCode: '', guid },
    { finStatus: 'AUTHORISED', issuerResponseCode: '05', approvalCode: '123456', guid },
    { finStatus: 'UNDEFINED', issuerResponseCode: '00', approvalCode: '123456', guid },
    { issuerResponseCode: '00', approvalCode: '123456' },
    { issuerResponseCode: '05', approvalCode: '123456' },
    { finStatus: 'DECLINED', approvalCode: '123456' },
  ]) {
    await assert.rejects(answered(open), UnreadableAnswerError, JSON.stringify(open));
  }

  const reversed = async (body: unknown) => {
    answers([200, body]);
    return (await client.reversal.reverse({ originalGuid: 'a' })).approved;
  };
  assert.equal(await reversed({ finStatus: 'AUTHORISED', type: 'PRE_AUTHORIZATION_REVERSAL' }), true);
  assert.equal(await reversed({ issuerResponseCode: '00', reversalGuid: guid }), true);
  assert.equal(await reversed({ finStatus: 'DECLINED', issuerResponseCode: '00' }), false);
  for (const open of [
    {},
    [],
    'null',
    '{',
    { httpStatus: 500, issuerResponseCode: '00', reversalGuid: guid },
    { finStatus: 'UNDEFINED' },
    { finStatus: 'AUTHORISED' },
    { issuerResponseCode: '00' },
    { issuerResponseCode: '30', reversalGuid: guid },
  ]) {
    await assert.rejects(reversed(open), UnreadableAnswerError, JSON.stringify(open));
  }
});

test('believes a tip, a capture, a change of a hold, a refund and a closed batch only with their proof', async (t) => {
  const { client, answers } = await scriptedService(t);
  const tip = () => client.tip.adjust({ transactionID: 'a', amount: '1.00', currency: 'EUR' });
  const capture = () => client.preauthorization.capture({ originalGuid: 'a', capturedAmount: '1.00' });
  const increase = () => client.preauthorization.increase({ originalGuid: 'a', increaseAmount: '1.00' });
  const refund = () => client.moto.refund({ originalGuid: 'a', amount: '1.00', currency: 'EUR' });
  const close = async () => ({
    approved: Boolean(await client.batch.close({ serialNumber: '1', deviceType: 'A' })),
  });
  const cases: [ask: () => Promise<{ approved: boolean }>, body: object, says: boolean | 'open'][] = [
    [tip, { statusMessage: 'Tip was adjusted' }, true],
    [tip, { statusMessage: 'Declined', finStatus: 'DECLINED' }, false],
    [tip, {}, 'open'],
    [tip, { hello: 1 }, 'open'],
    [tip, { statusMessage: 'x', error: { message: 'no' } }, 'open'],
    [capture, { finStatus: 'AUTHORISED' }, true],
    [capture, { finStatus: 'DECLINED' }, false],
    [capture, { issuerResponseCode: '00' }, 'open'],
    [increase, { holdAmount: '12.00' }, true],
    [increase, { finStatus: 'DECLINED', holdAmount: '11.00' }, false],
    [increase, { finStatus: 'AUTHORISED' }, 'open'],
    [refund, { guid: 'g' }, true],
    [refund, { guid: 'g', finStatus: 'DECLINED' }, false],
    [refund, { finStatus: 'AUTHORISED' }, 'open'],
    [close, { closeBatchGuid: 'g' }, true],
    [close, { batchStatus: 'CLOSED' }, true],
    [close, {}, 'open'],
  ];
  for (const [ask, body, says] of cases) {
    answers([200, body]);
    if (says === 'open') await assert.rejects(ask(), UnreadableAnswerError, JSON.stringify(body));
    else assert.equal((await ask()).approved, says, JSON.stringify(body));
  }
});

test('sets a tip, removes it, and leaves a lost one open', async () => {
  const { client, ended, pay, simulator } = backOffice();
  const { transactionID = '' } = await pay('sale');
  const total = (): number => simulator.bank.entries().reduce((sum, { moved }) => sum + moved, 0);
  const adjust = (amount: string) => ended(client.tip.adjust({ transactionID, amount, currency: 'EUR' }));
  assert.equal((await adjust('8.50')).statusMessage, 'Tip was adjusted');
  assert.equal(total(), 10850);
  await adjust('0');
  assert.equal(total(), 10000);
  await assert.rejects(adjust('37.84'), refusedWith('05'));
  await assert.rejects(adjust('37.68'), UnreadableAnswerError);
});

test('sends a tip as an exact JSON number', async (t) => {
  const { client, answers, received } = await scriptedService(t);
  const adjusted = { statusMessage: 'Tip was adjusted' };
  answers([200, adjusted], [200, adjusted], [200, adjusted]);
  await client.tip.adjust({ transactionID: 'a/b', amount: '8.00', currency: 'EUR' });
  await client.tip.adjust({ transactionID: 'a', amount: '0.29', currency: 'EUR' });
  await client.tip.adjust({ transactionID: 'a', amount: '800', currency: 'JPY' });
  assert.deepEqual(
    received.map(({ body }) => body),
    ['{"amount":8}', '{"amount":0.29}', '{"amount":800}'],
  );
  assert.equal(received[0]?.path, '/api/transactions/a%2Fb/tip-adjustment');
});

test('is refused a token for what cannot be tokenised', async () => {
  const { client, ended, pay } = backOffice();
  const { transactionID = '' } = await pay('preAuthorization');
  await assert.rejects(ended(client.token.fetch(transactionID)), refusedWith('3112'));
});

test('closes a batch, looks into it, and is told when it is closed already', async () => {
  const { client, ended, pay, terminal } = backOffice();
  await pay('sale');
  const device = { serialNumber: terminal.serial_number, deviceType: terminal.terminal_type };
  const batchNumber = '123';
  const closed = await ended(client.batch.close({ ...device, batchNumber }));
  assert.deepEqual([closed.batchStatus, closed.transactionCount, closed.netAmount], ['CLOSED', '1', '100.00']);
  const summary = await ended(client.batch.summary({ ...device, batchNumber }));
  assert.deepEqual(summary.customFields, [{ key: 'transactionCount', value: '1' }]);
  const { details } = await ended(client.batch.detail({ ...device, batchNumber, customerReference: {} }));
  assert.deepEqual(
    details?.map(({ transactionType, amount }) => [transactionType, amount]),
    [['SALE', '100.00']],
  );
  await assert.rejects(ended(client.batch.close({ ...device, batchNumber })), refusedWith('BATCH_ALREADY_CLOSED'));
});

test('sends every device command as it is described', async () => {
  const { client, ended, terminal, simulator } = backOffice();
  const { commands } = client;
  await ended(commands.run(terminal, 'set-unattended-mode', { status: true }));
  await ended(commands.run(terminal, 'set-locale', { locale: 'fr_CA' }));
  await ended(commands.run(terminal, 'set-password-protected', { status: false }));
  await ended(
    commands.run(terminal, 'set-screen-brightness', { minimumBrightnessLevel: 0, maximumBrightnessLevel: 100 }),
  );
  await ended(commands.run(terminal, 'set-reboot-time', { hour: 23 }));
  await ended(commands.run(terminal, 'set-security-policy', { hideTabBar: true }));
  assert.equal(simulator.terminal(terminal.serial_number).settings.size, 6);
  await ended(commands.run(terminal, 'reboot', { force: true }));
  const foreign = commands.run({ ...terminal, serial_number: '999' }, 'reboot', { force: false });
  await assert.rejects(ended(foreign), refusedWith('1004'));
});

test('refuses every back-office mistake before it is sent, naming the field', async (t) => {
  const { client, received } = await scriptedService(t);
  const { reversal, moto, preauthorization, tip, batch, commands, token } = client;
  const sale = { amount: '1.00', currency: 'EUR', cardToken: 'x' };
  const hold = { originalGuid: 'a', capturedAmount: '1.00' };
  const device = { serialNumber: '1', deviceType: 'M' };
  const terminal = { serial_number: '1', terminal_type: 'M' };
  const uuid = '3f2b8c1e-7a4d-4e6f-9b0a-1c2d3e4f5a6b';
  const loose = (value: object): never => value as never;
  const rows: [field: string, asked: () => Promise<unknown>][] = [
    ['originalGuid', () => reversal.reverse({ originalGuid: 'x'.repeat(65) })],
    ['currency', () => reversal.reverse({ originalGuid: 'a', amount: '1.00' })],
    ['amount', () => reversal.reverse({ originalGuid: 'a', amount: '12,50', currency: 'EUR' })],
    ['amount', () => reversal.reverse({ originalGuid: 'a', amount: '0.00', currency: 'EUR' })],
    ['amount', () => reversal.reverse({ originalGuid: 'a', amount: '0.5', currency: 'JPY' })],
    ['messageReasonCode', () => reversal.reverse({ originalGuid: 'a', messageReasonCode: '4021' })],
    ['timestamp', () => reversal.reverse({ originalGuid: 'a', timestamp: '2026-01-31' })],
    ['transactionReference', () => reversal.reverse(loose({ originalGuid: 'a', transactionReference: uuid }))],
    ['cardToken', () => moto.sale({ ...sale, cardToken: 'x'.repeat(65) })],
    ['transactionReference', () => moto.sale({ ...sale, transactionReference: 'order-7' })],
    ['customerReference', () => moto.sale({ ...sale, customerReference: 'x'.repeat(51) })],
    ['channel', () => moto.sale(loose({ ...sale, channel: 'XO' }))],
    ['billing.zipCode', () => moto.sale(loose({ ...sale, billing: {} }))],
    ['merchantAuth[0]', () => moto.sale({ ...sale, merchantAuth: [{}] })],
    ['originalGuid', () => moto.refund({ amount: '1.00', currency: 'EUR' })],
    ['cardToken', () => moto.refund({ ...sale, originalGuid: 'a' })],
    [
      'transactionReference',
      () => moto.refund({ amount: '1', currency: 'EUR', originalGuid: 'a', transactionReference: uuid }),
    ],
    ['amount', () => moto.reversal(loose({ originalGuid: 'a', currency: 'EUR' }))],
    ['capturedAmount', () => preauthorization.capture({ ...hold, capturedAmount: '0' })],
    ['capturedAmount', () => preauthorization.capture({ ...hold, capturedAmount: '1.001', currency: 'EUR' })],
    ['tipAmount', () => preauthorization.capture({ ...hold, tipAmount: '1.001', currency: 'EUR' })],
    ['customerReference', () => preauthorization.capture({ ...hold, customerReference: 'x'.repeat(65) })],
    ['increaseAmount', () => preauthorization.increase({ originalGuid: 'a', increaseAmount: '-5' })],
    ['increaseAmount', () => preauthorization.increase({ originalGuid: 'a', increaseAmount: '1'.repeat(33) })],
    ['increaseAmount', () => preauthorization.increase(loose({ originalGuid: 'a', amount: '5' }))],
    ['subtract', () => preauthorization.increase(loose({ originalGuid: 'a', increaseAmount: '5', subtract: 1 }))],
    ['tipAmount', () => preauthorization.increase(loose({ originalGuid: 'a', increaseAmount: '5', tipAmount: '1' }))],
    ['amount', () => tip.adjust({ transactionID: 'a', amount: '1.001', currency: 'EUR' })],
    ['transactionID', () => tip.adjust({ transactionID: '', amount: '1', currency: 'EUR' })],
    ['transactionID', () => token.fetch('')],
    ['batchNumber', () => batch.summary(loose(device))],
    ['serialNumber', () => batch.close({ ...device, serialNumber: '' })],
    ['customerReference', () => batch.detail(loose({ ...device, batchNumber: '1', customerReference: 7 }))],
    ['settings.locale', () => commands.run(terminal, 'set-locale', { locale: 'en' })],
    ['settings.hour', () => commands.run(terminal, 'set-reboot-time', { hour: 24 })],
    ['settings.status', () => commands.run(terminal, 'set-unattended-mode', loose({ status: 'on' }))],
    ['serial_number', () => commands.run({ ...terminal, serial_number: '' }, 'reboot', { force: true })],
  ];
  for (const [field, asked] of rows) {
    await assert.rejects(asked, (error) => error instanceof InputError && error.field === field, `${field}: ${asked}`);
  }
  assert.equal(received.length, 0);
});
