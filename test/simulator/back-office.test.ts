import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SimulatorOptions } from '../../src/simulator/index.js';
import { type Json, type Reply, run, type Simulated, simulate } from '../harness/simulated.js';

const DAY = 86_400_000;
const DEVICE = { serialNumber: '10000001', deviceType: 'SIMULATEDT1' };

const live = (more: NonNullable<SimulatorOptions['merchants']>[number] = {}): Simulated =>
  simulate({ merchants: [{ demo: false, ...more }] });

async function sold(world: Simulated, more: Json = {}): Promise<string> {
  const result = await run(world, world.sale({ duplicate_check: false, ...more }));
  return String(result.transactionID);
}

async function held(world: Simulated, amount = '10000'): Promise<string> {
  return sold(world, { operation: 'preAuthorization', amount });
}

async function token(world: Simulated): Promise<string> {
  const { cardToken } = await run(world, world.sale({ operation: 'saleAndTokenizeCard', amount: '1' }));
  return String(cardToken);
}

function refused({ status, json }: Reply, code: string, expected = 400): void {
  const { error } = json as { error: { code: string; statusCode: number; message: string } };
  assert.deepEqual([error.code, status, error.statusCode], [code, expected, expected]);
}

const moved = (world: Simulated): number => world.simulator.bank.netMoved();

test('reverses a sale once: 3051 for the second time, CANCELLED in the status', async () => {
  const world = simulate();
  const body = world.sale();
  const sale = await run(world, body);
  const reversal = await world.post('/reversal', { originalGuid: sale.transactionID });
  assert.equal(reversal.status, 200);
  assert.deepEqual(
    [reversal.json.amount, reversal.json.issuerResponseCode, reversal.json.originalGuid, reversal.json.finStatus],
    ['10.00', '00', sale.transactionID, undefined],
  );
  refused(await world.post('/reversal', { originalGuid: sale.transactionID }), '3051');
  assert.equal(moved(world), 0);
  await world.clock.advance(1000);
  assert.equal((await world.status(String(body.transactionReference))).json.finStatus, 'CANCELLED');
});

test('lets a later partial reversal take the place of an earlier one', async () => {
  const world = simulate();
  const body = world.sale();
  const { transactionID: originalGuid } = await run(world, body);
  const part = (amount: string): Promise<Reply> => world.post('/reversal', { originalGuid, amount, currency: 'EUR' });
  assert.equal((await part('3.00')).status, 200);
  assert.equal(moved(world), 700);
  assert.equal((await part('4.00')).status, 200);
  assert.equal(moved(world), 600);
  refused(await part('10.01'), '4066');
  await world.clock.advance(1000);
  const all = (await world.status(String(body.transactionReference), '/all')).json.list as Json[];
  assert.deepEqual(
    all.map(({ type, finStatus, totalAmount }) => [type, finStatus, totalAmount]),
    [
      ['SALE', 'AUTHORISED', 1000],
      ['REVERSAL', 'AUTHORISED', 300],
      ['REVERSAL', 'AUTHORISED', 400],
    ],
  );
});

test('refuses reversals: partial where not enabled, unknown ids, Canadian debit, refunded sales, bad bodies', async () => {
  const world = simulate({ merchants: [{ capabilities: { partialReversalAllowed: false } }] });
  const originalGuid = await sold(world);
  refused(await world.post('/reversal', { originalGuid, amount: '1.00', currency: 'EUR' }), '3109');
  refused(await world.post('/reversal', { originalGuid: world.newId() }), '3153');
  await run(world, {
    ...withoutReference(world.sale({ operation: 'refund', amount: '100' })),
    originalTransactionId: originalGuid,
  });
  refused(await world.post('/reversal', { originalGuid }), '3052');
  assert.equal((await world.post('/reversal', { originalGuid, amount: '1.00' })).status, 422);
  assert.equal((await world.post('/reversal', { originalGuid, extra: 1 })).status, 422);
  assert.equal((await world.post('/reversal', {})).status, 422);

  const canada = simulate({ cardholder: { card: { scheme: 'INTERAC' } } });
  refused(await canada.post('/reversal', { originalGuid: await sold(canada) }), '3153');
});

test('reverses nothing that was settled: after the batch close, and after the end of the day', async () => {
  const world = live();
  const sale = await sold(world);
  assert.equal((await world.post('/batch/close', DEVICE)).status, 200);
  refused(await world.post('/reversal', { originalGuid: sale }), '3153');

  const europe = live({ group: 'E' });
  const yesterday = await sold(europe);
  await europe.clock.advance(DAY);
  refused(await europe.post('/reversal', { originalGuid: yesterday }), '3153');
});

test('adds up increases and decreases, captures with a tip, and refuses what the hold does not allow', async () => {
  const world = simulate();
  const body = world.sale({ operation: 'preAuthorization', amount: '10000' });
  const { transactionID: originalGuid } = await run(world, body);
  const increase = (more: Json): Promise<Reply> => world.post('/preauthorization/increase', { originalGuid, ...more });
  const more = await increase({ increaseAmount: '25.50' });
  assert.deepEqual(
    [more.json.holdAmount, more.json.increaseAmount, more.json.originalAmount],
    ['125.50', '25.50', '100.00'],
  );
  assert.equal((await increase({ increaseAmount: '5.50', subtract: '1' })).json.holdAmount, '120.00');
  refused(await increase({ increaseAmount: '120.00', subtract: '1' }), '3212', 403);
  assert.equal((await increase({ amount: '1.00' })).status, 422);
  assert.equal((await increase({ increaseAmount: '1.00', currency: 'EUR' })).status, 422);
  assert.equal((await increase({ increaseAmount: '1.00', subtract: 1 })).status, 422);

  const capture = (fields: Json): Promise<Reply> =>
    world.post('/preauthorization/capture', { originalGuid, ...fields });
  const tooMuch = await capture({ capturedAmount: '120.01' });
  refused(tooMuch, '3215');
  assert.equal(((tooMuch.json.error as Json).details as Json).httpStatus, 403);
  const done = await capture({ capturedAmount: '120.00', tipAmount: '12.00', currency: 'EUR' });
  assert.deepEqual([done.json.finStatus, done.json.type], ['AUTHORISED', 'PRE_AUTHORIZATION_CAPTURE']);
  assert.deepEqual([moved(world), world.simulator.bank.netHeld()], [13_200, 0]);
  refused(await capture({ capturedAmount: '1.00' }), '3052');
  refused(await increase({ increaseAmount: '1.00' }), '3052');
  refused(await world.post('/reversal', { originalGuid }), '3052');
  await world.clock.advance(1000);
  const first = (await world.status(String(body.transactionReference))).json;
  assert.deepEqual([first.finStatus, first.capturedAmount, first.holdAmount], ['CAPTURED', 12_000, 0]);

  assert.equal((await world.post('/reversal', { originalGuid: done.json.preAuthorizationCaptureGuid })).status, 200);
  assert.equal(moved(world), 0);
});

test('releases a hold, and says 3051, 3211, 3156, 5001 and 3207 for what is no open hold', async () => {
  const world = simulate();
  const originalGuid = await held(world);
  const released = await world.post('/reversal', { originalGuid });
  assert.deepEqual([released.json.finStatus, released.json.type], ['AUTHORISED', 'PRE_AUTHORIZATION_REVERSAL']);
  assert.equal(world.simulator.bank.netHeld(), 0);
  refused(await world.post('/reversal', { originalGuid }), '3051');
  const capture = (guid: string): Promise<Reply> =>
    world.post('/preauthorization/capture', { originalGuid: guid, capturedAmount: '1.00' });
  refused(await capture(originalGuid), '3211');
  refused(await capture(world.newId()), '3156', 404);
  refused(await capture('nonsense'), '5001');
  refused(await capture(await sold(world)), '3207');
});

test('lets a hold lapse after seven days', async () => {
  const world = simulate();
  const originalGuid = await held(world);
  await world.clock.advance(7 * DAY);
  refused(await world.post('/preauthorization/capture', { originalGuid, capturedAmount: '1.00' }), '3211');
  assert.equal(world.simulator.bank.netHeld(), 0);
});

test('adjusts a tip until the batch closes: the last one counts, 0 removes it', async () => {
  const world = simulate();
  const sale = await sold(world);
  const tip = (amount: unknown): Promise<Reply> => world.post(`/transactions/${sale}/tip-adjustment`, { amount });
  assert.equal((await tip(2)).json.statusMessage, 'Tip was adjusted');
  assert.equal(moved(world), 1200);
  await tip(1.5);
  assert.equal(moved(world), 1150);
  assert.equal((await tip('1.50')).status, 422);
  refused(await tip(37.84), '05');
  assert.equal((await tip(37.68)).status, 504);
  assert.equal(moved(world), 1150);
  await tip(0);
  assert.equal(moved(world), 1000);
  await world.post('/batch/close', { ...DEVICE, batchNumber: '123' });
  refused(await tip(1), '3153');

  const europe = simulate({ merchants: [{ group: 'E' }] });
  refused(
    await europe.post(`/transactions/${await sold(europe)}/tip-adjustment`, { amount: 1 }),
    'FEATURE_NOT_SUPPORTED',
  );
});

test('sells and refunds by token, and says what is wrong', async () => {
  const world = simulate();
  const cardToken = await token(world);
  const reference = world.newId();
  const body = { amount: '25.00', currency: 'EUR', cardToken, transactionReference: reference };
  const sale = await world.post('/moto/sale', body);
  assert.deepEqual([sale.status, sale.json.amount, sale.json.issuerResponseCode], [200, '25.00', '00']);
  assert.equal(world.simulator.bank.netMoved(reference), 2500);
  await world.clock.advance(1000);
  assert.equal((await world.status(reference)).json.type, 'MOTO_SALE');
  const refund = (more: Json): Promise<Reply> =>
    world.post('/moto/refund', { amount: '5.00', currency: 'EUR', ...more });
  const back = await refund({ originalGuid: sale.json.guid });
  assert.deepEqual([back.json.type, back.json.originalGuid], ['motoRefundResponse', sale.json.guid]);
  refused(await refund({ originalGuid: sale.json.guid, amount: '20.01' }), '3209');
  refused(await refund({ originalGuid: sale.json.guid, currency: 'USD' }), '3210');
  refused(await refund({ originalGuid: world.newId() }), '3153');
  assert.equal((await refund({ cardToken })).status, 200);
  assert.equal((await refund({})).status, 422);
  assert.equal((await refund({ cardToken, originalGuid: sale.json.guid })).status, 422);
  assert.equal(world.simulator.bank.netMoved(reference), 2000);

  refused(await world.post('/moto/sale', { ...body, cardToken: 'x' }), '5252');
  refused(await world.post('/moto/sale', { ...body, amount: '37.79' }), '01');
  assert.equal((await world.post('/moto/sale', { ...body, transactionReference: 'x' })).status, 400);
  assert.equal((await world.post('/moto/sale', { ...body, amount: '1.234' })).status, 422);
});

test('reverses a card-not-present sale by the deprecated path as well', async () => {
  const world = simulate();
  const sale = await world.post('/moto/sale', { amount: '5.00', currency: 'EUR', cardToken: await token(world) });
  const body = { originalGuid: sale.json.guid, amount: '5.00', currency: 'EUR' };
  assert.equal((await world.post('/moto/reversal', body)).json.type, 'motoReversalResponse');
  refused(await world.post('/moto/reversal', body), '3051');
  refused(await world.post('/moto/reversal', { ...body, originalGuid: await sold(world) }), '3153');
});

test('declines a token payment with 200 and the code at a live acquirer', async () => {
  const world = simulate({ merchants: [{ demo: false }], cardholder: { card: { last4: '0002' } } });
  const { cardToken } = await run(world, withoutReference(withoutAmount(world.sale({ operation: 'tokenizeCard' }))));
  const sale = await world.post('/moto/sale', { amount: '5.00', currency: 'EUR', cardToken });
  assert.deepEqual([sale.status, sale.json.issuerResponseCode, sale.json.approvalCode], [200, '05', '']);
  assert.equal(moved(world), 0);
});

test('says what a merchant cannot do without a card', async () => {
  const body = { amount: '5.00', currency: 'EUR', cardToken: 'x' };
  refused(
    await simulate({ merchants: [{ capabilities: { supportsMoto: false } }] }).post('/moto/sale', body),
    'MOTO_NOT_ENABLED',
    403,
  );
  refused(await simulate({ merchants: [{ group: 'S' }] }).post('/moto/sale', body), 'FEATURE_NOT_SUPPORTED');
  refused(await simulate({ merchants: [{ capabilities: { cvvRequired: true } }] }).post('/moto/sale', body), '3107');
});

test('fetches a token for an earlier sale, and nests its refusals', async () => {
  const world = simulate();
  const sale = await sold(world);
  const fetched = await world.get(`/transactions/${sale}/token`);
  assert.equal(fetched.json.httpStatus, '200');
  assert.equal(fetched.json.transactionReference, sale);
  const charged = await world.post('/moto/sale', {
    amount: '1.00',
    currency: 'EUR',
    cardToken: fetched.json.cardToken,
  });
  assert.equal(charged.status, 200);
  const nested = ({ json }: Reply): unknown =>
    ((((json.error as Json).details as Json).body as Json).error as Json).errorCode;
  assert.equal(nested(await world.get(`/transactions/${await held(world)}/token`)), '3112');
  const off = simulate({ merchants: [{ capabilities: { deferredTokenization: false } }] });
  assert.equal(nested(await off.get(`/transactions/${await sold(off)}/token`)), 'TOKENIZATION_NOT_ENABLED');
});

test('closes a batch once, with a net amount that agrees with the ledger, and shows what was in it', async () => {
  const world = simulate();
  const sale = await sold(world);
  await sold(world, { amount: '500' });
  await world.post('/reversal', { originalGuid: sale, amount: '2.00', currency: 'EUR' });
  await world.post(`/transactions/${await sold(world, { amount: '300' })}/tip-adjustment`, { amount: 1 });
  await held(world);
  const batch = { ...DEVICE, batchNumber: '123' };
  assert.equal((await world.post('/batch/close', DEVICE)).status, 422);
  assert.equal((await world.post('/batch/close', { ...batch, batchNumber: '7' })).status, 422);
  const closed = await world.post('/batch/close', batch);
  assert.deepEqual(
    [closed.json.batchStatus, closed.json.netAmount, closed.json.transactionCount],
    ['CLOSED', '17.00', '4'],
  );
  assert.equal(moved(world), 1700);
  refused(await world.post('/batch/close', batch), 'BATCH_ALREADY_CLOSED');
  assert.equal((await world.post('/batch/summary', batch)).json.netAmount, '17.00');
  const detail = await world.post('/batch/detail', batch);
  assert.deepEqual(
    (detail.json.details as Json[]).map(({ transactionType, amount }) => [transactionType, amount]),
    [
      ['SALE', '10.00'],
      ['SALE', '5.00'],
      ['REVERSAL', '2.00'],
      ['SALE', '4.00'],
    ],
  );
});

test('refuses batches: empty, unknown, not of group B, a missed daily close', async () => {
  const world = live();
  refused(await world.post('/batch/close', DEVICE), 'NO_TRANSACTIONS');
  refused(await world.post('/batch/summary', { ...DEVICE, batchNumber: '9' }), 'NO_TRANSACTIONS');
  refused(await live({ group: 'E' }).post('/batch/close', DEVICE), 'FEATURE_NOT_SUPPORTED');
  const daily = live({ capabilities: { mustCloseDaily: true } });
  await sold(daily);
  await daily.clock.advance(DAY);
  await sold(daily);
  refused(await daily.post('/batch/close', DEVICE), 'BATCH_NUM_ERR_005');
  assert.equal((await daily.post('/batch/close', { ...DEVICE, batchNumber: '1' })).status, 200);
  assert.equal((await daily.post('/batch/close', DEVICE)).json.batchNumber, '2');
});

test('carries out device commands, and refuses what they do not take', async () => {
  const world = simulate();
  const command = async (name: string, body: Json, serial = '10000001'): Promise<number> =>
    (await world.post(`/devices/SIMULATEDT1/${serial}/${name}`, body)).status;
  assert.equal(await command('set-unattended-mode', { status: true }), 202);
  assert.deepEqual(world.terminal.settings.get('set-unattended-mode'), { status: true });
  assert.equal(await command('set-unattended-mode', { status: 'yes' }), 422);
  assert.equal(await command('set-locale', { locale: 'fr_CA' }), 202);
  assert.equal(await command('set-locale', { locale: 'french' }), 400);
  assert.equal(await command('set-screen-brightness', { minimumBrightnessLevel: 0, maximumBrightnessLevel: 101 }), 400);
  assert.equal(await command('set-reboot-time', { hour: 23 }), 202);
  assert.equal(await command('set-security-policy', { hideTabBar: true }), 202);
  assert.equal(await command('reboot', { force: true }), 202);
  assert.equal(await command('explode', {}), 404);
  assert.equal(await command('set-locale', { locale: 'fr_CA' }, '9'), 400);
});

function withoutReference({ transactionReference: _, ...body }: Json): Json {
  return body;
}

function withoutAmount({ amount: _, currency: __, ...body }: Json): Json {
  return body;
}
