import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '../../../src/core/api/client.js';
import type { TransactionResult } from '../../../src/core/api/schema/transaction-result.js';
import { RateLimiterRegistry } from '../../../src/core/api/transport/rate-limiter.js';
import { RefusedError, UnreadableAnswerError } from '../../../src/core/base/errors.js';
import type { SimulatorOptions } from '../../../src/simulator/index.js';
import { DEFAULT_KEY } from '../../../src/simulator/index.js';
import { simulate } from '../../harness/simulated.js';

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
