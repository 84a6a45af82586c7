import assert from 'node:assert/strict';
import { isBadKey } from '../../src/core/api/transport/error-answer.js';
import type { SimulatorOptions } from '../../src/simulator/index.js';
import { type Connected, connected, TERMINAL } from '../harness/connected.js';
import { chapter, refused } from './row.js';

/** What the service is: environments, acquirer groups, amounts, devices, keys. */

const EUR = 'EUR';
const DEVICE = { serialNumber: '10000001', deviceType: 'SIMULATEDT1' };
type Merchant = NonNullable<SimulatorOptions['merchants']>[number];
const merchant = (own: Merchant, options: Partial<SimulatorOptions> = {}): Connected =>
  connected({ merchants: [own], ...options });
const MIKES = { scheme: 'INTERAC' } as const;

export const ENVIRONMENTS = chapter('Environments', {
  'staging and production keys are not interchangeable': async () => {
    const error = await refused(connected({}, 'a-key-of-staging').client.devices.list(), undefined, 403);
    assert.equal(isBadKey(error), true);
  },
  'DEMO merchant: trigger amounts force outcomes': async () => {
    const { perform } = merchant({ demo: true });
    assert.equal((await perform({ operation: 'sale', amount: '3779', currency: EUR })).finStatus, 'DECLINED');
  },
  'live merchant: no amount is special': async () => {
    const { sold } = merchant({ demo: false });
    assert.equal((await sold('3779')).result.totalAmount, 3779);
  },
});

export const AMOUNTS = chapter('Amount formats', {
  'POST /transactions: a string of digits in minor units': async () => {
    const world = connected();
    await world.sold('1000');
    assert.equal(JSON.parse(world.sent[0]?.body ?? '').amount, '1000');
    assert.equal(world.simulator.bank.netMoved(), 1000);
  },
  'POST /reversal, /moto/sale, /moto/refund, /moto/reversal: a decimal string in major units': async () => {
    const { client, stored, lastBody, simulator } = connected();
    const cardToken = await stored();
    const { guid: originalGuid = '' } = await client.moto.sale({ amount: '10.00', currency: EUR, cardToken });
    assert.equal(lastBody().amount, '10.00');
    await client.moto.refund({ amount: '2.50', currency: EUR, originalGuid });
    assert.equal(lastBody().amount, '2.50');
    const other = await client.moto.sale({ amount: '4.00', currency: EUR, cardToken });
    await client.reversal.reverse({ originalGuid: other.guid ?? '', amount: '1.00', currency: EUR });
    assert.equal(lastBody().amount, '1.00');
    await client.moto.reversal({ originalGuid: other.guid ?? '', amount: '4.00', currency: EUR });
    assert.equal(simulator.bank.netMoved(), 1000 - 250);
  },
  'capturedAmount, tipAmount, increaseAmount: a decimal string in major units': async () => {
    const { client, held, lastBody, simulator } = connected();
    const { transactionID: originalGuid } = await held('9000');
    await client.preauthorization.increase({ originalGuid, increaseAmount: '5.00' });
    assert.deepEqual(lastBody(), { originalGuid, increaseAmount: '5.00' });
    await client.preauthorization.capture({ originalGuid, capturedAmount: '95.00', tipAmount: '1.00' });
    assert.deepEqual(lastBody(), { originalGuid, capturedAmount: '95.00', tipAmount: '1.00' });
    assert.equal(simulator.bank.netMoved(), 9600);
  },
  'tip adjustment: a JSON number in major units': async () => {
    const { client, sold, sent, simulator } = connected();
    const { transactionID } = await sold('1000');
    await client.tip.adjust({ transactionID, amount: '8.00', currency: EUR });
    assert.equal(sent.at(-1)?.body, '{"amount":8}');
    assert.equal(simulator.bank.netMoved(), 1800);
  },
  'TransactionResult: integers in minor units': async () => {
    const { result } = await connected().sold('1000');
    assert.deepEqual([result.requestedAmount, result.totalAmount, result.raw.totalAmount], [1000, 1000, 1000]);
  },
  'netAmount and amount of batch and back-office results: strings in major units': async () => {
    const { client, sold } = connected();
    const { transactionID: originalGuid } = await sold('1000');
    assert.equal((await client.reversal.reverse({ originalGuid, amount: '4.00', currency: EUR })).raw.amount, '4.00');
    assert.equal((await client.batch.close({ ...DEVICE, batchNumber: '123' })).raw.netAmount, '6.00');
  },
});

export const GROUPS = chapter('Acquirer groups', {
  'B: batch close, summary, detail': async () => {
    const { client, sold } = merchant({ group: 'B', demo: false });
    await sold();
    assert.equal((await client.batch.close(DEVICE)).batchStatus, 'CLOSED');
    assert.equal((await client.batch.summary({ ...DEVICE, batchNumber: '1' })).transactionCount, '1');
    assert.equal((await client.batch.detail({ ...DEVICE, batchNumber: '1' })).details?.length, 1);
  },
  'B: tip adjustment after the sale': async () => {
    const { client, sold, simulator } = merchant({ group: 'B' });
    const { transactionID } = await sold();
    await client.tip.adjust({ transactionID, amount: '1.00', currency: EUR });
    assert.equal(simulator.bank.netMoved(), 1100);
  },
  'B: partial reversal': async () => {
    const { client, sold, simulator } = merchant({ group: 'B' });
    const { transactionID: originalGuid } = await sold();
    await client.reversal.reverse({ originalGuid, amount: '1.00', currency: EUR });
    assert.equal(simulator.bank.netMoved(), 900);
  },
  'B: remote card-token sale': async () => {
    const { client, stored } = merchant({ group: 'B' });
    assert.equal((await client.moto.sale({ amount: '1.00', currency: EUR, cardToken: await stored() })).approved, true);
  },
  'B: pre-authorisation': async () => {
    const { held, simulator } = merchant({ group: 'B' });
    await held('5000');
    assert.equal(simulator.bank.netHeld(), 5000);
  },
  'B: address verification': async () => {
    const { sold, sent } = merchant({ group: 'B' });
    await sold('1000', { billing: { zipCode: '12345', address: '1 High Street' } });
    assert.match(sent[0]?.body ?? '', /"billing":\{"zipCode":"12345","address":"1 High Street"\}/);
  },
  'B: deferred tokenization': async () => {
    const { client, sold } = merchant({ group: 'B' });
    assert.notEqual((await client.token.fetch((await sold()).transactionID)).cardToken, '');
  },
  'E: no batch operations': async () => {
    const { client } = merchant({ group: 'E' });
    await refused(client.batch.close({ ...DEVICE, batchNumber: '123' }), 'FEATURE_NOT_SUPPORTED');
  },
  'E: no tip adjustment': async () => {
    const { client, sold } = merchant({ group: 'E' });
    const { transactionID } = await sold();
    await refused(client.tip.adjust({ transactionID, amount: '1.00', currency: EUR }), 'FEATURE_NOT_SUPPORTED');
  },
  'E: the tip goes in the sale': async () => {
    const { sold, simulator } = merchant({ group: 'E' });
    const { result } = await sold('1000', { tipConfiguration: { tipPercentages: [10] } });
    assert.deepEqual([result.tipAmount, simulator.bank.netMoved()], [100, 1100]);
  },
  'E: remote card-token sale, MOTO refund and MOTO reversal': async () => {
    const { client, stored, simulator } = merchant({ group: 'E' });
    const sale = { amount: '5.00', currency: EUR, cardToken: await stored() };
    const { guid: first = '' } = await client.moto.sale(sale);
    const { guid: second = '' } = await client.moto.sale(sale);
    await client.moto.refund({ amount: '5.00', currency: EUR, originalGuid: first });
    await client.moto.reversal({ amount: '5.00', currency: EUR, originalGuid: second });
    assert.equal(simulator.bank.netMoved(), 0);
  },
  'E: automatic settlement at the end of the day': async () => {
    const { client, clock, sold } = merchant({ group: 'E' });
    const { transactionID: originalGuid } = await sold();
    await clock.advance(24 * 3600 * 1000);
    await refused(client.reversal.reverse({ originalGuid }), '3153');
  },
  'E: money remittance is echoed': async () => {
    const moneyRemittanceOptions = { fullName: 'Ann Lee', countryCode: 'ESP' };
    const { result } = await merchant({ group: 'E' }).sold('1000', { moneyRemittanceOptions });
    assert.deepEqual(result.moneyRemittanceOptions, moneyRemittanceOptions);
  },
  'S: no remote card-token sale': async () => {
    const { client, stored } = merchant({ group: 'S' });
    const sale = client.moto.sale({ amount: '5.00', currency: EUR, cardToken: await stored() });
    await refused(sale, 'FEATURE_NOT_SUPPORTED');
  },
  'S: a token is good for one payment': async () => {
    const { perform, stored } = merchant({ group: 'S' });
    const order = { operation: 'moToSale', amount: '500', currency: EUR, cardToken: await stored() } as const;
    assert.equal((await perform(order)).finStatus, 'AUTHORISED');
    assert.equal((await perform(order)).finStatus, 'DECLINED');
  },
  'S: tip adjustment, but not of Canadian debit': async () => {
    const credit = merchant({ group: 'S' });
    const tip = { amount: '1.00', currency: EUR };
    await credit.client.tip.adjust({ transactionID: (await credit.sold()).transactionID, ...tip });
    assert.equal(credit.simulator.bank.netMoved(), 1100);
    const debit = merchant({ group: 'S' }, { cardholder: { card: MIKES } });
    await refused(debit.client.tip.adjust({ transactionID: (await debit.sold()).transactionID, ...tip }), '3153');
  },
  'S: Canadian debit is not voided but refunded': async () => {
    const { client, perform, sold, simulator } = merchant({ group: 'S' }, { cardholder: { card: MIKES } });
    const { transactionID } = await sold();
    await refused(client.reversal.reverse({ originalGuid: transactionID }), '3153');
    await perform({ operation: 'refund', amount: '1000', currency: EUR, originalTransactionId: transactionID });
    assert.equal(simulator.bank.netMoved(), 0);
  },
});

const two = (): SimulatorOptions['merchants'] => [
  { keys: ['one', 'one-more'], terminals: [TERMINAL] },
  { keys: ['two'], terminals: [{ serial_number: '20000001', terminal_type: 'SIMULATEDT1' }] },
];
const as = (key: string): Connected => connected({ merchants: two() }, key);

export const DEVICES = chapter('Devices', {
  'merchant_id_alpha, serial_number and terminal_type of every terminal': async () => {
    const [first] = await connected().client.devices.list();
    assert.deepEqual(first, { merchant_id_alpha: 'DEMO', ...TERMINAL, virtual: false });
  },
  'ssk is the secret of a terminal: nobody gets to see it': async () => {
    const world = connected();
    assert.match((await world.get('/devices')).text, /ssk-10000001/);
    assert.doesNotMatch(JSON.stringify(await world.client.devices.list()), /ssk/);
  },
  'a MOTO merchant also lists a virtual terminal, which is no target': async () => {
    const { client } = connected();
    assert.equal((await client.devices.list()).filter(({ virtual }) => virtual).length, 1);
    const none = merchant({ capabilities: { supportsMoto: false } });
    assert.equal((await none.client.devices.list()).filter(({ virtual }) => virtual).length, 0);
  },
  'serial_number and terminal_type together name a terminal: otherwise 1004': async () => {
    const { client } = connected();
    const ping = { operation: 'pingDevice', ...TERMINAL } as const;
    await refused(client.transactions.start({ ...ping, terminal_type: 'SIMULATEDT2' }), '1004');
    await refused(client.transactions.start({ ...ping, serial_number: '99999999' }), '1004');
  },
});

export const AUTHENTICATION = chapter('Authentication', {
  'every request carries ApiKeyCloud, to the status service too': async () => {
    const { client, sold, sent, newId } = connected();
    await client.reversal.reverse({ originalGuid: (await sold()).transactionID });
    await client.status.get(newId());
    await client.devices.list();
    assert.deepEqual(new Set(sent.map(({ headers }) => headers.ApiKeyCloud)), new Set(['simulator']));
  },
  'Content-Type: application/json where there is a body': async () => {
    const { client, sold, sent } = connected();
    await sold();
    await client.devices.list();
    const typed = sent.filter(({ headers }) => headers['Content-Type'] === 'application/json');
    assert.deepEqual(
      typed,
      sent.filter(({ body }) => body !== undefined),
    );
  },
  'several keys of a merchant open the same terminals': async () => {
    assert.deepEqual(await as('one').client.devices.list(), await as('one-more').client.devices.list());
  },
  'a key opens no terminal of another merchant': async () => {
    const start = as('two').client.transactions.start({ operation: 'pingDevice', ...TERMINAL });
    await refused(start, '1004');
  },
  'each key has a rate limit of its own': async () => {
    const world = connected({ merchants: two(), requestsPerSecond: 2 }, 'one');
    const ask = async (key: string): Promise<number> => (await world.post('/reversal', {}, key)).status;
    assert.deepEqual([await ask('one'), await ask('one'), await ask('one'), await ask('two')], [422, 422, 429, 422]);
  },
  'a wrong key: 403 ForbiddenError without a code': async () => {
    const error = await refused(connected({}, 'wrong').client.devices.list(), undefined, 403);
    assert.equal(error.serviceName, 'ForbiddenError');
  },
});
