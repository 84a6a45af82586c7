import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnreadableAnswerError } from '../../../src/core/base/errors.js';
import { scriptedService } from './scripted-service.js';

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
  assert.equal(await answered({ issuerResponseCode: '00', approvalCode: 123456, guid, error: null }), true);
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
    { issuerResponseCode: '05', approvalCode: 123456 },
    { issuerResponseCode: '00', approvalCode: '123456', guid, error: { statusCode: 400, code: '3209' } },
    { issuerResponseCode: '00', approvalCode: '123456', guid, error: 'no' },
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
    { finStatus: 'FAILED', issuerResponseCode: '00', reversalGuid: guid },
    { finStatus: 'UNDEFINED', issuerResponseCode: '00', reversalGuid: guid },
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
  const close = () => client.batch.close({ serialNumber: '1', deviceType: 'A' });
  const cases: [ask: () => Promise<{ approved: boolean }>, body: object, says: boolean | 'open'][] = [
    [tip, { statusMessage: 'Tip was adjusted' }, true],
    [tip, { statusMessage: 'Declined', finStatus: 'DECLINED' }, false],
    [tip, { statusMessage: 'x', finStatus: 'IN_PROGRESS' }, 'open'],
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
    [refund, { guid: 'g', issuerResponseCode: { text: '30' } }, 'open'],
    [refund, { guid: 'g', finStatus: ['DECLINED'] }, 'open'],
    [tip, { statusMessage: 'Tip was adjusted', issuerResponseCode: {} }, 'open'],
    [tip, { statusMessage: 'No access', errorMessage: 'No access' }, 'open'],
    [tip, { statusMessage: 'Declined', errorMessage: 'Do not honour', finStatus: 'DECLINED' }, false],
    [close, { closeBatchGuid: 'g' }, true],
    [close, { batchStatus: 'CLOSED' }, true],
    [close, { batchStatus: 'CLOSED', batchNumber: '9' }, true],
    [close, {}, 'open'],
    [close, { issuerResponseCode: '05' }, 'open'],
    [close, { closeBatchGuid: 'g', issuerResponseCode: '05' }, 'open'],
    [close, { closeBatchGuid: 'g', finStatus: 'DECLINED' }, 'open'],
    [close, { closeBatchGuid: 'g', batchStatus: 'OPEN' }, 'open'],
    [close, { closeBatchGuid: 'g', batchStatus: {} }, 'open'],
    [close, { closeBatchGuid: 'g', httpStatus: '500' }, 'open'],
    [close, { closeBatchGuid: 'g', error: {} }, 'open'],
    [close, { closeBatchGuid: 'g', errorMessage: 'No access' }, 'open'],
  ];
  for (const [ask, body, says] of cases) {
    answers([200, body]);
    if (says === 'open') await assert.rejects(ask(), UnreadableAnswerError, JSON.stringify(body));
    else assert.equal((await ask()).approved, says, JSON.stringify(body));
  }
});
