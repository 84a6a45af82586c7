import assert from 'node:assert/strict';
import { type Connected, connected } from '../harness/connected.js';
import { without } from './errors.js';
import { chapter, refused } from './row.js';

/** Every code of the back office, at every endpoint that answers with it. */

const EUR = 'EUR';
const sale = { operation: 'sale', amount: '1000', currency: EUR } as const;
const DAY = 24 * 3600 * 1000;
const BATCH = { serialNumber: '10000001', deviceType: 'SIMULATEDT1', batchNumber: '123' };
const NOBODY = 'e58ed763-928c-4155-bee9-fdbaaadc15f3';

const capture = ({ client }: Connected, originalGuid: string, capturedAmount = '1.00') =>
  client.preauthorization.capture({ originalGuid, capturedAmount });
const increase = ({ client }: Connected, originalGuid: string, increaseAmount = '1.00', subtract?: '1') =>
  client.preauthorization.increase({ originalGuid, increaseAmount, ...(subtract === undefined ? {} : { subtract }) });
const reverse = ({ client }: Connected, originalGuid: string, part?: string) =>
  client.reversal.reverse({ originalGuid, ...(part === undefined ? {} : { amount: part, currency: EUR }) });

async function captured(world: Connected): Promise<string> {
  const { transactionID } = await world.held();
  await capture(world, transactionID);
  return transactionID;
}

async function released(world: Connected): Promise<string> {
  const { transactionID } = await world.held();
  await reverse(world, transactionID);
  return transactionID;
}

export const CODES = chapter('Back-office error codes', {
  '3051 reversal: already reversed': async () => {
    const world = connected();
    const { transactionID } = await world.sold();
    await reverse(world, transactionID);
    await refused(reverse(world, transactionID), '3051');
    assert.equal(world.simulator.bank.netMoved(), 0);
  },
  '3052 reversal: already completed': async () => {
    const world = connected();
    await refused(reverse(world, await captured(world)), '3052');
  },
  '3052 capture': async () => {
    const world = connected();
    await refused(capture(world, await captured(world)), '3052');
  },
  '3052 increase': async () => {
    const world = connected();
    await refused(increase(world, await captured(world)), '3052');
  },
  '3153 reversal: a bad id': async () => {
    await refused(reverse(connected(), NOBODY), '3153');
  },
  '3153 reversal: not in the open batch': async () => {
    const world = connected();
    const { transactionID } = await world.sold();
    await world.client.batch.close(BATCH);
    await refused(reverse(world, transactionID), '3153');
  },
  '3153 moto reversal': async () => {
    const { client } = connected();
    await refused(client.moto.reversal({ originalGuid: NOBODY, amount: '1.00', currency: EUR }), '3153');
  },
  '4066 reversal: the part exceeds the original': async () => {
    const world = connected();
    await refused(reverse(world, (await world.sold()).transactionID, '10.01'), '4066');
  },
  '3109 reversal: partial reversals not supported': async () => {
    const world = without('partialReversalAllowed');
    await refused(reverse(world, (await world.sold()).transactionID, '1.00'), '3109');
    assert.equal(world.simulator.bank.netMoved(), 1000);
  },
  '3156 capture (404): no pre-authorisation for the id': async () => {
    await refused(capture(connected(), NOBODY), '3156', 404);
  },
  '3156 increase (404)': async () => {
    await refused(increase(connected(), NOBODY), '3156', 404);
  },
  '3207 capture: not a pre-authorisation': async () => {
    const world = connected();
    await refused(capture(world, (await world.sold()).transactionID), '3207');
  },
  '3207 increase': async () => {
    const world = connected();
    await refused(increase(world, (await world.sold()).transactionID), '3207');
  },
  '3211 capture: declined, captured or reversed': async () => {
    const world = connected();
    await refused(capture(world, await released(world)), '3211');
  },
  '3211 increase': async () => {
    const world = connected();
    await refused(increase(world, await released(world)), '3211');
  },
  '3211: of a declined pre-authorisation': async () => {
    const world = connected();
    const { transactionID = '' } = await world.perform({ ...sale, operation: 'preAuthorization', amount: '3779' });
    await refused(capture(world, transactionID), '3211');
  },
  '3212 increase (403): the decrease would reach zero or below': async () => {
    const world = connected();
    await refused(increase(world, (await world.held('100')).transactionID, '1.00', '1'), '3212', 403);
  },
  '3215 capture: exceeds the current hold (403 in details)': async () => {
    const world = connected();
    const { transactionID } = await world.held('10000');
    await refused(capture(world, transactionID, '100.01'), '3215');
    const { json } = await world.post('/preauthorization/capture', {
      originalGuid: transactionID,
      capturedAmount: '100.01',
    });
    const { details } = json.error as { details: { httpStatus: number } };
    assert.equal(details.httpStatus, 403);
  },
  '5001 capture: internal error for an unknown id': async () => {
    await refused(capture(connected(), 'nonsense'), '5001');
  },
  '5001 increase': async () => {
    await refused(increase(connected(), 'nonsense'), '5001');
  },
  '3107 moto sale: CVV required': async () => {
    const world = connected({ merchants: [{ capabilities: { cvvRequired: true } }] });
    const cardToken = await world.stored();
    await refused(world.client.moto.sale({ amount: '1.00', currency: EUR, cardToken }), '3107');
  },
  '5252 moto sale: card token failure': async () => {
    const { client } = connected();
    await refused(client.moto.sale({ amount: '1.00', currency: EUR, cardToken: 'unknown' }), '5252');
  },
  '3209 moto refund: exceeds the original': async () => {
    const { client, sold } = connected();
    const { transactionID: originalGuid } = await sold();
    await refused(client.moto.refund({ amount: '10.01', currency: EUR, originalGuid }), '3209');
  },
  '3210 moto refund: currency differs': async () => {
    const { client, sold } = connected();
    const { transactionID: originalGuid } = await sold();
    await refused(client.moto.refund({ amount: '1.00', currency: 'USD', originalGuid }), '3210');
  },
  '3112 token: transaction type not eligible': async () => {
    const { client, held } = connected();
    await refused(client.token.fetch((await held()).transactionID), '3112');
  },
  'TOKENIZATION_NOT_ENABLED token': async () => {
    const { client, sold } = without('deferredTokenization');
    await refused(client.token.fetch((await sold()).transactionID), 'TOKENIZATION_NOT_ENABLED');
  },
  BATCH_ALREADY_CLOSED: async () => {
    const { client, sold } = connected();
    await sold();
    await client.batch.close(BATCH);
    await refused(client.batch.close(BATCH), 'BATCH_ALREADY_CLOSED');
  },
  NO_TRANSACTIONS: async () => {
    await refused(connected().client.batch.close(BATCH), 'NO_TRANSACTIONS');
  },
  'BATCH_NUM_ERR_005: a daily close was missed': async () => {
    const { client, clock, sold } = connected({ merchants: [{ demo: false, capabilities: { mustCloseDaily: true } }] });
    await sold();
    await clock.advance(DAY);
    await sold('500');
    await refused(client.batch.close({ ...BATCH, batchNumber: '2' }), 'BATCH_NUM_ERR_005');
  },
});
