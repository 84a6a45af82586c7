import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, run, type Simulated, simulate } from '../harness/simulated.js';

/** The body of any operation: that of a sale without its reference. */
function operation(world: Simulated, name: string, more: Json = {}): Json {
  const { transactionReference: _, ...body } = world.sale({ operation: name });
  return { ...body, ...more };
}

function withoutAmount(body: Json): Json {
  const { amount: _, currency: __, ...rest } = body;
  return rest;
}

const moved = (world: Simulated): number => world.simulator.bank.netMoved();

test('refunds a sale in parts under its reference, up to its amount, and the status says REFUNDED in the end', async () => {
  const world = simulate();
  const body = world.sale();
  const reference = String(body.transactionReference);
  const sale = await run(world, body);
  const refund = (amount: string): Promise<Json> =>
    run(
      world,
      operation(world, 'refund', { amount, originalTransactionId: sale.transactionID, duplicate_check: false }),
    );
  const first = await refund('400');
  assert.equal(first.finStatus, 'AUTHORISED');
  assert.equal(first.transactionReference, reference);
  assert.equal(first.originalEFTTransactionID, sale.transactionID);
  await world.clock.advance(1000);
  assert.equal((await world.status(reference)).json.finStatus, 'AUTHORISED');
  const tooMuch = await refund('601');
  assert.deepEqual([tooMuch.finStatus, tooMuch.arc], ['DECLINED', '1000']);
  assert.equal((await refund('600')).finStatus, 'AUTHORISED');
  assert.equal(world.simulator.bank.netMoved(reference), 0);
  await world.clock.advance(1000);
  assert.equal((await world.status(reference)).json.finStatus, 'REFUNDED');
  const all = (await world.status(reference, '/all')).json.list as Json[];
  assert.deepEqual(
    all.map(({ type, finStatus }) => [type, finStatus]),
    [
      ['SALE', 'REFUNDED'],
      ['REFUND', 'AUTHORISED'],
      ['REFUND', 'DECLINED'],
      ['REFUND', 'AUTHORISED'],
    ],
  );
  assert.equal((await world.status(reference, '/2')).json.totalAmount, 400);
  assert.equal((await world.status(reference, '/last')).json.totalAmount, 600);
  assert.equal((await world.status(reference, '/5')).status, 404);
});

test('refunds without a sale, in the other direction of the ledger', async () => {
  const world = simulate();
  const body = world.sale({ operation: 'refund' });
  assert.equal((await run(world, body)).type, 'REFUND');
  assert.equal(world.simulator.bank.netMoved(String(body.transactionReference)), -1000);
});

test('reverses a sale on the terminal without a card, once, and a refund back again', async () => {
  const world = simulate();
  const sale = await run(world, world.sale());
  const reversal = operation(world, 'saleReversal', { originalTransactionId: sale.transactionID });
  const done = await run(world, reversal);
  assert.deepEqual([done.finStatus, done.type], ['AUTHORISED', 'REVERSAL']);
  assert.equal(moved(world), 0);
  const again = await run(world, reversal);
  assert.equal(again.finStatus, 'DECLINED');
  assert.match(String(again.errorMessage), /3051/);

  const refund = await run(world, world.sale({ operation: 'refund', amount: '700' }));
  await run(world, operation(world, 'refundReversal', { amount: '700', originalTransactionID: refund.transactionID }));
  assert.equal(moved(world), 0);
});

test('tokenises a card, without a charge and with one', async () => {
  const world = simulate();
  const token = await run(world, withoutAmount(operation(world, 'tokenizeCard')));
  assert.deepEqual([token.finStatus, token.type], ['PROCESSED', 'TOKENIZE_CARD']);
  assert.match(String(token.cardToken), /^[0-9a-f]{32}$/);
  assert.equal(moved(world), 0);
  const sale = await run(world, world.sale({ operation: 'saleAndTokenizeCard' }));
  assert.deepEqual([sale.finStatus, sale.cardToken], ['AUTHORISED', token.cardToken]);
  assert.equal(moved(world), 1000);
});

test('gives a token to one merchant only, and in group S for one payment only', async () => {
  const tokenOf = async (world: Simulated): Promise<Json> => {
    const { cardToken } = await run(world, withoutAmount(operation(world, 'tokenizeCard')));
    return operation(world, 'moToSale', { cardToken });
  };
  const single = simulate({ merchants: [{ group: 'S' }] });
  const once = await tokenOf(single);
  assert.equal((await run(single, once)).finStatus, 'AUTHORISED');
  assert.equal((await run(single, once)).finStatus, 'DECLINED');
  assert.equal((await run(single, await tokenOf(single))).finStatus, 'AUTHORISED');

  const two = simulate({
    merchants: [{}, { keys: ['two'], terminals: [{ serial_number: '20000001', terminal_type: 'SIMULATEDT1' }] }],
  });
  const foreign = { ...(await tokenOf(two)), serial_number: '20000001' };
  await two.post('/transactions', foreign, 'two');
  await two.clock.runUntilIdle();
  assert.equal(moved(two), 0);
});

test('takes a keyed sale, a token sale, a keyed refund and a keyed hold, and ignores our reference', async () => {
  const world = simulate();
  const reference = world.newId();
  const sale = await run(world, operation(world, 'moToSale', { transactionReference: reference }));
  assert.deepEqual([sale.finStatus, sale.cardEntryType, sale.tenderType], ['AUTHORISED', 'CNP', 'NOT_SET']);
  assert.notEqual(sale.transactionReference, reference);
  await world.clock.advance(1000);
  assert.equal((await world.status(reference)).status, 404);
  assert.equal((await world.status(String(sale.transactionReference))).json.finStatus, 'AUTHORISED');

  const { cardToken } = await run(world, withoutAmount(operation(world, 'tokenizeCard')));
  const byToken = await run(world, operation(world, 'moToSale', { cardToken, amount: '500' }));
  assert.equal(byToken.finStatus, 'AUTHORISED');
  assert.equal((await run(world, operation(world, 'moToSale', { cardToken: 'nonsense' }))).finStatus, 'DECLINED');
  assert.equal((await run(world, operation(world, 'moToRefund', { amount: '200' }))).type, 'MOTO_REFUND');
  assert.equal(moved(world), 1000 + 500 - 200);
  const reversed = await run(world, operation(world, 'moToReversal', { originalTransactionId: sale.transactionID }));
  assert.equal(reversed.type, 'MOTO_REVERSAL');
  assert.equal(moved(world), 300);
  assert.equal((await run(world, operation(world, 'moToPreAuthorization'))).type, 'PRE_AUTHORIZATION');
  assert.equal(world.simulator.bank.netHeld(), 1000);
});

test('holds, adds, takes off and captures on the terminal, in minor units', async () => {
  const world = simulate();
  const hold = await run(world, world.sale({ operation: 'preAuthorization', amount: '10000' }));
  assert.equal(moved(world), 0);
  const original = { originalTransactionId: hold.transactionID };
  await run(world, operation(world, 'preAuthorizationIncrease', { ...original, amount: '2000' }));
  await run(world, operation(world, 'preAuthorizationIncrease', { ...original, amount: '-500' }));
  assert.equal(world.simulator.bank.netHeld(), 11_500);
  const tooMuch = await run(world, operation(world, 'preAuthorizationCapture', { ...original, amount: '11501' }));
  assert.equal(tooMuch.finStatus, 'DECLINED');
  const capture = await run(world, operation(world, 'preAuthorizationCapture', { ...original, amount: '9000' }));
  assert.deepEqual([capture.finStatus, capture.type], ['AUTHORISED', 'PRE_AUTHORIZATION_CAPTURE']);
  assert.deepEqual([moved(world), world.simulator.bank.netHeld()], [9000, 0]);
  const cancelled = await run(world, withoutAmount(operation(world, 'preAuthorizationReversal', original)));
  assert.deepEqual([cancelled.finStatus, cancelled.type], ['AUTHORISED', 'PRE_AUTHORIZATION_REVERSAL']);
  assert.equal(moved(world), 0);
});

test('prints, pings with device information, and reads a loyalty card', async () => {
  const world = simulate();
  const print = await run(world, withoutAmount(operation(world, 'printReceipt', { receipt: '<p>Hello</p>' })));
  assert.equal(print.finStatus, 'PROCESSED');
  const ping = await run(world, withoutAmount(operation(world, 'pingDevice', { returnDeviceInfo: true })));
  assert.equal((ping.deviceStatus as Json).serialNumber, '10000001');
  const card = await run(world, withoutAmount(operation(world, 'cardPan')));
  assert.deepEqual([card.type, card.finStatus], ['CARD_PAN', 'PROCESSED']);
  assert.match(String(card.unMaskedPan), /^4\d{11}1111$/);
});

const OFF: [capability: object, operation: string, finStatus: string, more: Json][] = [
  [{ preAuthAllowed: false }, 'preAuthorization', 'DECLINED', { arc: '1000' }],
  [{ refundAllowed: false }, 'refund', 'DECLINED', { arc: '1000' }],
  [{ supportsMoto: false }, 'moToSale', 'FAILED', {}],
  [
    { cardTokenProvider: false },
    'saleAndTokenizeCard',
    'DECLINED',
    { transactionID: '', requestedAmount: 0, cardToken: '' },
  ],
];

for (const [capabilities, name, finStatus, more] of OFF) {
  test(`ends ${name} as ${finStatus} without ${Object.keys(capabilities)[0]}, and moves nothing`, async () => {
    const world = simulate({ merchants: [{ capabilities }] });
    const result = await run(world, operation(world, name));
    assert.equal(result.finStatus, finStatus);
    assert.notEqual(result.errorMessage, '');
    for (const [field, value] of Object.entries(more)) assert.equal(result[field], value, field);
    assert.equal(moved(world), 0);
  });
}

test('takes only debit cards from a live merchant who wants only those', async () => {
  const world = simulate({ merchants: [{ demo: false, capabilities: { debitCardsOnly: true } }] });
  assert.equal((await run(world, world.sale())).finStatus, 'DECLINED');
});

test('declines a merchant credential that nobody knows as Invalid Merchant', async () => {
  const world = simulate();
  const sale = (externalId: string): Promise<Json> => run(world, world.sale({ merchantAuth: [{ externalId }] }));
  const unknown = await sale('NOBODY');
  assert.deepEqual([unknown.finStatus, unknown.statusMessage, unknown.arc], ['DECLINED', 'Invalid Merchant', '1000']);
  assert.equal((await sale('STORE-1')).finStatus, 'AUTHORISED');
});

test('keeps merchants apart: terminals, results and references', async () => {
  const terminals = (serial_number: string) => [{ serial_number, terminal_type: 'SIMULATEDT1' }];
  const world = simulate({
    merchants: [
      { keys: ['one', 'one-more'], terminals: terminals('10000001') },
      { keys: ['two'], terminals: terminals('20000001') },
    ],
  });
  const body = world.sale();
  const { json } = await world.post('/transactions', body, 'one');
  await world.clock.runUntilIdle();
  const path = `/transaction-result/${String(json.transactionResultId)}`;
  assert.equal((await world.get(path, 'one-more')).status, 200);
  assert.equal((await world.get(path, 'two')).status, 404);
  assert.equal((await world.status(String(body.transactionReference), '', 'two')).status, 401);
  assert.equal((await world.post('/transactions', world.sale(), 'two')).json.error, 1004);
  assert.equal((await world.post('/transactions', world.sale({ terminal_type: 'OTHER' }), 'one')).json.error, 1004);
  assert.equal((await world.post('/transactions', world.sale(), 'nobody')).status, 403);
});

test('answers 429 to the third counted request within a second, per key', async () => {
  const world = simulate({ requestsPerSecond: 2, merchants: [{ keys: ['one', 'other'] }] });
  const ask = async (key: string): Promise<number> => (await world.post('/transactions', {}, key)).status;
  assert.deepEqual([await ask('one'), await ask('one'), await ask('one'), await ask('other')], [422, 422, 429, 422]);
  assert.equal((await world.get('/devices', 'one')).status, 200);
  await world.clock.advance(999);
  assert.equal(await ask('one'), 429);
  await world.clock.advance(1);
  assert.equal(await ask('one'), 422);
});
