import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, resultOf, run, type Simulated, simulate } from '../harness/simulated.js';

/** What a terminal does where the description can be read in two ways. */

const ping = (world: Simulated): Json => ({ ...bare(world), operation: 'pingDevice' });
const stop = (world: Simulated): Json => ({ ...bare(world), operation: 'stopCurrentTransaction' });
const keyed = (world: Simulated, more: Json = {}): Json => world.sale({ operation: 'moToSale', ...more });

function bare({ sale }: Simulated): Json {
  const { serial_number, terminal_type } = sale();
  return { serial_number, terminal_type };
}

test('answers a ping of a busy terminal, by poll or in the reply', async () => {
  for (const reply of [undefined, 'PING_PONG']) {
    const variants = { busyPing: 'answered', ping: reply === undefined ? 'result' : 'reply' } as const;
    const world = simulate({ cardholder: 'none', variants });
    await world.post('/transactions', world.sale());
    const pinged = await world.post('/transactions', ping(world));
    assert.deepEqual([pinged.status, pinged.json.result], [202, reply]);
    assert.equal((await resultOf(world, pinged.json)).finStatus, 'PROCESSED');
    assert.equal(world.terminal.screen.stage, 'awaiting-card');
  }
  const world = simulate({ cardholder: 'none' });
  await world.post('/transactions', world.sale());
  assert.equal((await world.post('/transactions', ping(world))).json.error, 1001);
});

test('says 1005, or 1003, to a stop where nothing runs', async () => {
  const world = simulate();
  assert.equal((await world.post('/transactions', stop(world))).json.error, 1005);
  world.simulator.variants.idleStop = 1003;
  assert.equal((await world.post('/transactions', stop(world))).json.error, 1003);
});

test('answers a poll of a terminal at work with nothing, or with a result that says so', async () => {
  const world = simulate({ cardholder: 'none' });
  const { json } = await world.post('/transactions', world.sale());
  const poll = () => world.get(`/transaction-result/${json.transactionResultId}`);
  assert.equal((await poll()).status, 204);
  world.simulator.variants.pendingResult = 'in-progress';
  const { status, json: result } = await poll();
  assert.deepEqual([status, result.finStatus], [200, 'IN_PROGRESS']);
});

test('takes a stop in time, or too late for the payment, which goes on', async () => {
  for (const [acceptedStop, finStatus, moved] of [
    ['ends', 'CANCELLED', 0],
    ['too-late', 'AUTHORISED', 1000],
  ] as const) {
    const world = simulate({ cardholder: 'none', variants: { acceptedStop } });
    const { json } = await world.post('/transactions', world.sale());
    assert.equal((await world.post('/transactions', stop(world))).status, 202);
    world.terminal.presentCard();
    await world.clock.runUntilIdle();
    assert.equal((await resultOf(world, json)).finStatus, finStatus);
    assert.equal(world.simulator.bank.netMoved(), moved);
  }
});

test('frees a terminal of an abandoned keyed entry by every stop that it takes', async () => {
  const world = simulate({ cardholder: 'none', variants: { acceptedStop: 'too-late' } });
  await run(world, keyed(world));
  assert.equal((await world.post('/transactions', stop(world))).status, 202);
  assert.equal((await world.post('/transactions', world.sale())).status, 202);
});

test('repeats the customer reference of an order in its result and its record, or leaves both empty', async () => {
  for (const [customerReference, said] of [
    ['echoed', 'order 7'],
    ['empty', ''],
  ] as const) {
    const world = simulate({ variants: { customerReference } });
    const body = world.sale({ customerReference: 'order 7' });
    assert.equal((await run(world, body)).customerReference, said);
    await world.clock.advance(1000);
    assert.equal((await world.status(String(body.transactionReference))).json.customerReference, said);
  }
});

test('gives the results of a ping and a stop another type', async () => {
  const world = simulate({ cardholder: 'none', variants: { controlType: 'TRANSACTION_STATUS' } });
  assert.equal((await run(world, ping(world))).type, 'TRANSACTION_STATUS');
  await world.post('/transactions', world.sale());
  assert.equal((await run(world, stop(world))).type, 'TRANSACTION_STATUS');
});

test('is free after a keyed entry that nobody filled in, or busy until a stop', async () => {
  for (const [keyedTimeout, status] of [
    ['free', 202],
    ['busy-until-stop', 400],
  ] as const) {
    const world = simulate({ cardholder: 'none', variants: { keyedTimeout } });
    assert.equal((await run(world, keyed(world))).finStatus, 'CANCELLED');
    assert.equal((await world.post('/transactions', world.sale())).status, status, keyedTimeout);
    if (status === 202) continue;
    assert.equal((await world.post('/transactions', stop(world))).status, 202);
    assert.equal((await world.post('/transactions', world.sale())).status, 202);
  }
});

test('honours the reference of a keyed entry, or makes one of its own', async () => {
  for (const keyedReference of ['ignored', 'honoured'] as const) {
    const world = simulate({ variants: { keyedReference } });
    const body = keyed(world);
    const result = await run(world, body);
    await world.clock.advance(1000);
    const asked = await world.status(String(body.transactionReference));
    const isHonoured = keyedReference === 'honoured';
    assert.deepEqual(
      [result.transactionReference === body.transactionReference, asked.status === 200],
      [isHonoured, isHonoured],
    );
    assert.equal(world.simulator.bank.netMoved(String(result.transactionReference)), 1000);
  }
});

test('refuses a keyed entry where MOTO is off, on record under a reference of its own', async () => {
  for (const [keyedRefusal, status] of [
    ['unrecorded', 404],
    ['on-record', 200],
  ] as const) {
    const merchants = [{ capabilities: { supportsMoto: false } }];
    const world = simulate({ merchants, variants: { keyedRefusal } });
    const body = keyed(world);
    const result = await run(world, body);
    await world.clock.advance(1000);
    assert.equal(result.finStatus, 'FAILED');
    const asked = await world.status(String(result.transactionReference));
    assert.equal(asked.status, status, keyedRefusal);
    if (status === 200) assert.deepEqual([asked.json.finStatus, asked.json.maskedCardNumber], ['FAILED', '']);
    assert.equal(world.simulator.bank.entries().length, 0);
  }
});

test('calls an approved keyed entry PROCESSED, with issuer code 00', async () => {
  const world = simulate({ variants: { keyedApproval: 'PROCESSED' } });
  const result = await run(world, keyed(world));
  assert.deepEqual([result.finStatus, result.issuerResponseCode], ['PROCESSED', '00']);
  assert.equal(world.simulator.bank.netMoved(), 1000);
  const declined = await run(world, keyed(world, { amount: '3779' }));
  assert.equal(declined.finStatus, 'DECLINED');
});

test('calls a payment for which nobody came DECLINED', async () => {
  const world = simulate({ cardholder: 'none', variants: { cardTimeout: 'DECLINED' } });
  assert.equal((await run(world, world.sale())).finStatus, 'DECLINED');
  assert.equal(world.simulator.bank.entries().length, 0);
});

test('declines at once where the issuer wants chip and PIN', async () => {
  for (const [authentication, finStatus, moved] of [
    ['prompt', 'AUTHORISED', 6165],
    ['declined', 'DECLINED', 0],
  ] as const) {
    const world = simulate({ cardholder: { insertWhenAsked: true }, variants: { authentication } });
    const result = await run(world, world.sale({ amount: '6165' }));
    assert.equal(result.finStatus, finStatus);
    assert.equal(world.simulator.bank.netMoved(), moved);
  }
});

test('asks whether a payment is a duplicate whose reference was refused before', async () => {
  const world = simulate({ cardholder: { acceptDuplicate: false }, variants: { refusedReference: 'used' } });
  const body = world.sale();
  world.simulator.faults.arm({ kind: 'terminal-busy' });
  assert.equal((await world.post('/transactions', body)).json.error, 1001);
  assert.equal((await run(world, body)).finStatus, 'CANCELLED');
  assert.equal(world.simulator.bank.entries().length, 0);
  assert.equal((await run(world, world.sale())).finStatus, 'AUTHORISED');
});

test('wants an acquirer in a lone credential, and takes spaces in metadata, where it is so read', async () => {
  const world = simulate();
  const ask = async () => [
    (await world.post('/transactions', world.sale({ merchantAuth: [{ mid: '1' }] }))).status,
    (await world.post('/transactions', world.sale({ serial_number: '10000002', metadata: { metadata1: 'a b' } })))
      .status,
  ];
  assert.deepEqual(await ask(), [202, 422]);
  await world.clock.runUntilIdle();
  Object.assign(world.simulator.variants, { loneCredential: 'refused', metadataSpaces: 'accepted' });
  assert.deepEqual(await ask(), [422, 202]);
});

test('names a sale that stores the card after its operation, or in one way', async () => {
  for (const [tokenizedSale, sale, saleAndTokenizeCard] of [
    ['by-operation', 'SALE', 'SALE_AND_TOKENIZE_CARD'],
    ['SALE', 'SALE', 'SALE'],
    ['SALE_AND_TOKENIZE_CARD', 'SALE_AND_TOKENIZE_CARD', 'SALE_AND_TOKENIZE_CARD'],
  ] as const) {
    const world = simulate({ variants: { tokenizedSale } });
    const typeOf = async (more: Json): Promise<unknown> => (await run(world, world.sale(more))).type;
    assert.equal(await typeOf({ tokenize: true }), sale);
    assert.equal(await typeOf({ operation: 'saleAndTokenizeCard' }), saleAndTokenizeCard);
    assert.equal(await typeOf({}), 'SALE');
  }
});
