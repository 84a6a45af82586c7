import assert from 'node:assert/strict';
import { type Connected, connected } from '../harness/connected.js';
import { chapter, has, refused } from './row.js';

/** What the back office answers, field by field, as the client reads it. */

const EUR = 'EUR';
const BATCH = { serialNumber: '10000001', deviceType: 'SIMULATEDT1', batchNumber: '123' };

async function motoSale(world: Connected, amount = '5.00') {
  return world.client.moto.sale({ amount, currency: EUR, cardToken: await world.stored() });
}

async function withOneSale(): Promise<Connected> {
  const world = connected();
  await world.sold();
  return world;
}

export const ANSWERS = chapter('Back-office answers', {
  '/reversal of a sale': async () => {
    const { client, sold } = connected();
    const { transactionID: originalGuid } = await sold();
    const { raw, ...answer } = await client.reversal.reverse({ originalGuid });
    has(
      raw,
      'httpStatus acquirerTid agreementNumber amount approvalCode batchNumber cardTypeName currency issuerResponseCode issuerResponseText maskedCardNumber authorizationGuid originalGuid reversalGuid transactionReference customFields',
    );
    assert.deepEqual([answer.issuerResponseCode, answer.originalGuid], ['00', originalGuid]);
    assert.deepEqual(
      answer.customFields?.map(({ key }) => key),
      ['messageReasonCode', 'tenderType', 'issuerResponseCode'],
    );
  },
  '/reversal of a sale: no finStatus, no transactionID': async () => {
    const { client, sold } = connected();
    const { raw, approved } = await client.reversal.reverse({ originalGuid: (await sold()).transactionID });
    assert.deepEqual([raw.finStatus, raw.transactionID, approved], [undefined, undefined, true]);
  },
  '/reversal of a hold: finStatus, type, transactionID, originalEFTTransactionID': async () => {
    const { client, held } = connected();
    const { transactionID: originalGuid } = await held();
    const answer = await client.reversal.reverse({ originalGuid });
    assert.deepEqual([answer.finStatus, answer.type], ['AUTHORISED', 'PRE_AUTHORIZATION_REVERSAL']);
    assert.equal(answer.originalEFTTransactionID, originalGuid);
    assert.notEqual(answer.transactionID, undefined);
  },
  '/reversal: takes messageReasonCode and timestamp': async () => {
    const { client, sold, lastBody, simulator } = connected();
    const { transactionID: originalGuid } = await sold();
    const more = { messageReasonCode: 'CUSTOMER_CANCELLATION', timestamp: '20260131235959000' };
    await client.reversal.reverse({ originalGuid, ...more });
    assert.deepEqual(lastBody(), { originalGuid, ...more });
    assert.equal(simulator.bank.netMoved(), 0);
  },
  '/reversal: a later partial reversal takes the place of an earlier one': async () => {
    const { client, sold, simulator } = connected();
    const { transactionID: originalGuid } = await sold();
    await client.reversal.reverse({ originalGuid, amount: '3.00', currency: EUR });
    await client.reversal.reverse({ originalGuid, amount: '4.00', currency: EUR });
    assert.equal(simulator.bank.netMoved(), 600);
  },
  '/reversal: any type of transaction': async () => {
    const world = connected();
    const { client, perform, simulator } = world;
    const sale = await motoSale(world);
    const keyed = await perform({ operation: 'moToSale', amount: '700', currency: EUR });
    await client.reversal.reverse({ originalGuid: sale.guid ?? '' });
    await client.reversal.reverse({ originalGuid: keyed.transactionID ?? '' });
    assert.equal(simulator.bank.netMoved(), 0);
  },
  '/moto/sale': async () => {
    const world = connected();
    const { raw, approved } = await motoSale(world);
    has(
      raw,
      '@type httpStatus acquirerTid amount approvalCode batchNumber cardTypeName currency expiryDateMMYY guid issuerResponseCode issuerResponseText maskedCardNumber retrievalReferenceNumber serverDateTime terminalDateTime transactionReference',
    );
    assert.match(String(raw.serverDateTime), /^\d{17}$/);
    assert.deepEqual([approved, 'finStatus' in raw], [true, false]);
  },
  '/moto/sale: guid is the originalGuid of what follows': async () => {
    const world = connected();
    const { guid = '' } = await motoSale(world);
    await world.client.reversal.reverse({ originalGuid: guid });
    assert.equal(world.simulator.bank.netMoved(), 0);
  },
  '/moto/sale: found under our transactionReference': async () => {
    const { client, clock, newId, stored } = connected();
    const transactionReference = newId();
    await client.moto.sale({ amount: '5.00', currency: EUR, cardToken: await stored(), transactionReference });
    await clock.advance(1000);
    const found = await client.status.get(transactionReference);
    assert.equal(found !== 'no-record' && found.type, 'MOTO_SALE');
  },
  '/moto/sale: a decline of the simulated acquirer is a 400, of a live one a 200 without approval': async () => {
    const demo = connected();
    const cardToken = await demo.stored();
    await refused(demo.client.moto.sale({ amount: '37.84', currency: EUR, cardToken }), '05');
    const live = connected({ merchants: [{ demo: false }], cardholder: { card: { last4: '0002' } } });
    const answer = await motoSale(live);
    assert.deepEqual([answer.approved, answer.issuerResponseCode], [false, '05']);
  },
  '/moto/refund, linked': async () => {
    const world = connected();
    const { guid: originalGuid = '' } = await motoSale(world);
    const { raw, approved } = await world.client.moto.refund({ amount: '5.00', currency: EUR, originalGuid });
    has(
      raw,
      'type httpStatus amount currency guid originalGuid issuerResponseText maskedCardNumber approvalCode cardTypeName expiryDateMMYY acquirerTid serverDateTime terminalDateTime',
    );
    assert.deepEqual([raw.type, approved], ['motoRefundResponse', true]);
    assert.equal(world.simulator.bank.netMoved(), 0);
  },
  '/moto/refund, unlinked, by a token': async () => {
    const { client, stored, simulator } = connected();
    await client.moto.refund({ amount: '5.00', currency: EUR, cardToken: await stored() });
    assert.equal(simulator.bank.netMoved(), -500);
  },
  '/moto/refund: no reference of ours where it is linked': async () => {
    const world = connected();
    const { guid: originalGuid = '' } = await motoSale(world);
    const asked = { amount: '1.00', currency: EUR, originalGuid, transactionReference: world.newId() };
    await assert.rejects(world.client.moto.refund(asked), { field: 'transactionReference' });
  },
  '/moto/reversal, deprecated': async () => {
    const world = connected();
    const { guid: originalGuid = '' } = await motoSale(world);
    const { raw, approved } = await world.client.moto.reversal({ originalGuid, amount: '5.00', currency: EUR });
    has(
      raw,
      'type httpStatus amount currency guid originalGuid issuerResponseCode issuerResponseText maskedCardNumber f25',
    );
    assert.deepEqual([raw.type, approved], ['motoReversalResponse', true]);
    assert.equal(world.simulator.bank.netMoved(), 0);
  },
  '/preauthorization/capture': async () => {
    const { client, held, simulator } = connected();
    const { transactionID: originalGuid } = await held('10000');
    const asked = {
      originalGuid,
      capturedAmount: '95.00',
      tipAmount: '5.00',
      currency: EUR,
      customerReference: 'room 7',
    };
    const answer = await client.preauthorization.capture(asked);
    assert.deepEqual([answer.finStatus, answer.type], ['AUTHORISED', 'PRE_AUTHORIZATION_CAPTURE']);
    assert.deepEqual([answer.capturedAmount, answer.tipAmount, answer.originalAmount], ['95.00', '5.00', '100.00']);
    has(answer.raw, 'holdAmount preAuthorizationGuid preAuthorizationCaptureGuid');
    assert.equal(simulator.bank.netMoved(), 10_000);
  },
  '/preauthorization/increase: holdAmount, increaseAmount, originalAmount; deltas add up': async () => {
    const { client, held } = connected();
    const { transactionID: originalGuid } = await held('10000');
    const increase = (increaseAmount: string) => client.preauthorization.increase({ originalGuid, increaseAmount });
    await increase('20.00');
    const { holdAmount, increaseAmount, originalAmount } = await increase('5.50');
    assert.deepEqual([holdAmount, increaseAmount, originalAmount], ['125.50', '5.50', '100.00']);
  },
  '/preauthorization/increase: subtract 1 makes it a decrease': async () => {
    const { client, held, lastBody } = connected();
    const { transactionID: originalGuid } = await held('10000');
    const answer = await client.preauthorization.increase({ originalGuid, increaseAmount: '20.00', subtract: '1' });
    assert.deepEqual([answer.holdAmount, lastBody().subtract], ['80.00', '1']);
  },
  '/preauthorization/increase: not for Canadian debit': async () => {
    const canada = { merchants: [{ group: 'S' as const }], cardholder: { card: { scheme: 'INTERAC' as const } } };
    const { client, held } = connected(canada);
    const { transactionID: originalGuid } = await held();
    await refused(client.preauthorization.increase({ originalGuid, increaseAmount: '1.00' }), '3211');
  },
  '/transactions/{transactionID}/tip-adjustment: statusMessage': async () => {
    const { client, sold } = connected();
    const { transactionID } = await sold();
    const { statusMessage } = await client.tip.adjust({ transactionID, amount: '1.00', currency: EUR });
    assert.match(statusMessage ?? '', /adjusted/);
  },
  '/transactions/{transactionID}/token': async () => {
    const { client, sold } = connected();
    const { transactionID } = await sold();
    const { raw } = await client.token.fetch(transactionID);
    has(
      raw,
      'httpStatus cardToken maskedCardNumber expiryDateMMYY cardTokenizationGuid serverDateTime agreementNumber transactionReference',
    );
    assert.deepEqual([raw.httpStatus, raw.transactionReference], ['200', transactionID]);
  },
  '/transactions/{transactionID}/token: of sale, refund, preAuthorizationCapture, moToSale, moToRefund': async () => {
    const { client, perform, sold, held } = connected();
    const money = { amount: '700', currency: EUR } as const;
    const ids = [
      (await sold()).transactionID,
      (await perform({ operation: 'refund', ...money })).transactionID,
      (await perform({ operation: 'moToSale', ...money, amount: '701' })).transactionID,
      (await perform({ operation: 'moToRefund', ...money, amount: '702' })).transactionID,
      (await client.preauthorization.capture({ originalGuid: (await held()).transactionID, capturedAmount: '1.00' }))
        .transactionID,
    ];
    for (const id of ids) assert.notEqual((await client.token.fetch(id ?? '')).cardToken, '');
  },
  '/transactions/{transactionID}/token: within twelve months': async () => {
    const { client, clock, sold } = connected();
    const { transactionID } = await sold();
    await clock.advance(366 * 24 * 3600 * 1000);
    await refused(client.token.fetch(transactionID), '3112');
  },
  '/batch/close': async () => {
    const { client } = await withOneSale();
    const { raw } = await client.batch.close(BATCH);
    has(
      raw,
      'httpStatus batchNumber transactionCount netAmount closedAt issuerResponseCode issuerResponseText closeBatchGuid batchStatus',
    );
    assert.deepEqual([raw.transactionCount, raw.netAmount, raw.batchStatus], ['1', '10.00', 'CLOSED']);
    assert.match(String(raw.closedAt), /^\d{17}$/);
  },
  '/batch/close: without a number the open batch, live': async () => {
    const { client, sold } = connected({ merchants: [{ demo: false }] });
    await sold();
    const { batchNumber: _, ...open } = BATCH;
    assert.equal((await client.batch.close(open)).batchNumber, '1');
  },
  '/batch/summary': async () => {
    const { client } = await withOneSale();
    const { raw, customFields } = await client.batch.summary(BATCH);
    has(
      raw,
      'httpStatus batchNumber transactionCount netAmount closedAt issuerResponseCode issuerResponseText batchSummaryGuid batchStatus customFields customerReference',
    );
    assert.deepEqual(customFields, [{ key: 'transactionCount', value: '1' }]);
  },
  '/batch/detail: details of each transaction': async () => {
    const { client } = await withOneSale();
    const { raw, details = [] } = await client.batch.detail(BATCH);
    has(
      raw,
      'httpStatus batchNumber closedAt issuerResponseCode issuerResponseText batchDetailGuid batchStatus details',
    );
    has(details[0], 'transactionType amount retrievalReferenceNumber batchDetailElementGuid');
    assert.deepEqual([details[0]?.transactionType, details[0]?.amount], ['SALE', '10.00']);
  },
  '/batch/detail: filtered by rrn': async () => {
    const world = connected();
    const [first, second] = [await world.sold(), await world.sold('500')];
    const rrn = second.result.rrn ?? '';
    const { details = [] } = await world.client.batch.detail({ ...BATCH, rrn });
    assert.deepEqual([details.map(({ amount }) => amount), first.result.rrn === rrn], [['5.00'], false]);
  },
});
