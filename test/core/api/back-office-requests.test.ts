import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputError } from '../../../src/core/base/errors.js';
import { scriptedService } from './scripted-service.js';

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
    ['originalGuid', () => reversal.reverse({ originalGuid: '[card ending 1111]' })],
    ['transactionID', () => tip.adjust({ transactionID: '[card ending 1111]', amount: '1', currency: 'EUR' })],
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
