import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callbackSecret, callbackToken } from '../../../src/core/base/callback.js';
import { ConfigurationError, JournalError } from '../../../src/core/base/errors.js';
import { MemoryJournal } from '../../../src/core/journal/memory.js';
import { DEFAULT_KEY } from '../../../src/simulator/index.js';
import { FullDisk } from '../../harness/full-disk.js';
import { payments } from '../../harness/payments.js';

const secret = callbackSecret(DEFAULT_KEY);
const approval = (transactionReference: string, more = {}): string =>
  JSON.stringify({
    transactionReference,
    transactionID: 'forged',
    finStatus: 'AUTHORISED',
    totalAmount: 1000,
    ...more,
  });

/** A sale whose card is awaited for ever, so that only a callback can end it. */
async function waiting() {
  const world = payments({ simulator: { cardholder: 'none' } });
  const operationId = await world.sale();
  await world.clock.advance(1000);
  return { ...(await world), operationId };
}

test('a forged callback gets the same answer whatever is wrong with it, and changes nothing', async () => {
  const { engine, operationId, told, journal, newId } = await waiting().then((world) => ({
    ...world,
    newId: () => '6f1c9d0e-2f5b-4c57-9d36-0f6f5a4c1b22',
  }));
  const token = callbackToken(secret, operationId);
  const before = await journal.find({ operationId });
  const forged: [path: string, token: string | undefined, body: string][] = [
    [operationId, undefined, approval(operationId)],
    [operationId, '', approval(operationId)],
    [operationId, `${token}x`, approval(operationId)],
    [operationId, callbackToken(secret, newId()), approval(operationId)],
    [operationId, callbackToken('another secret', operationId), approval(operationId)],
    [newId(), callbackToken(secret, newId()), approval(newId())],
    ['no-uuid', callbackToken(secret, 'no-uuid'), approval('no-uuid')],
    [newId(), token, 'no JSON'],
    [operationId, `${token}x`, 'no JSON'],
  ];
  for (const [path, given, body] of forged) {
    assert.equal(await engine.callback(path, given, body), 'not-found', JSON.stringify([path, given, body]));
  }
  assert.deepEqual(told, []);
  assert.deepEqual(await journal.find({ operationId }), before);
});

test('the true callback settles a sale before the next poll', async () => {
  const { engine, operationId, told, started } = await waiting();
  const asked = started.length;
  const token = callbackToken(secret, operationId);
  assert.equal(await engine.callback(operationId, token, approval(operationId)), 'taken');
  assert.deepEqual(
    told.map(({ payload }) => [payload.outcome, payload.source]),
    [['approved', 'callback']],
  );
  assert.equal(started.length, asked);
});

test('the same callback twice gives one result, and a later question or repetition gives none', async () => {
  const { engine, operationId, told, noticed } = await waiting();
  const token = callbackToken(secret, operationId);
  for (const finStatus of ['AUTHORISED', 'AUTHORISED', 'UNDEFINED', 'FAILED']) {
    assert.equal(await engine.callback(operationId, token, approval(operationId, { finStatus })), 'taken');
  }
  assert.equal(told.length, 1);
  assert.equal(noticed.length, 1);
});

test('a result that contradicts what the flow got is an alarm on callback-in, and never a second message', async () => {
  const { engine, operationId, told, noticed, logged } = await waiting();
  const token = callbackToken(secret, operationId);
  await engine.callback(operationId, token, approval(operationId, { finStatus: 'DECLINED', totalAmount: 0 }));
  await engine.callback(operationId, token, approval(operationId));
  assert.deepEqual(
    told.map(({ payload }) => payload.outcome),
    ['declined'],
  );
  const late = noticed.at(-1);
  assert.equal(late?.late, true);
  assert.equal(late?.delivery.payload.error?.code, 'CONTRADICTED');
  assert.match(logged.join(), /settled as "declined".*reports "approved"/);
});

test('a contradiction that is repeated is one alarm', async () => {
  const { engine, operationId, noticed } = await waiting();
  const token = callbackToken(secret, operationId);
  await engine.callback(operationId, token, approval(operationId, { finStatus: 'DECLINED', totalAmount: 0 }));
  for (let count = 0; count < 3; count++) await engine.callback(operationId, token, approval(operationId));
  const alarms = noticed.filter(({ delivery }) => delivery.payload.error?.code === 'CONTRADICTED');
  assert.equal(alarms.length, 1);
});

test('a callback that the journal cannot take is to be called again, and the flow gets one result', async () => {
  const journal = new FullDisk();
  const world = payments({ journal, simulator: { cardholder: 'none' } });
  const operationId = await world.sale();
  await world.clock.advance(1000);
  const token = callbackToken(secret, operationId);
  journal.isFull = true;
  assert.equal(await world.engine.callback(operationId, token, approval(operationId)), 'unavailable');
  journal.isFull = false;
  assert.equal(await world.engine.callback(operationId, token, approval(operationId)), 'taken');
  await world.clock.advance(20_000);
  assert.equal(world.told.length, 1);
  assert.deepEqual(await journal.open('env'), []);
});

test('a callback of an attempt that another process has made by now is to be called again', async () => {
  const journal = new MemoryJournal();
  const world = payments({ journal, simulator: { cardholder: 'none' } });
  const operationId = await world.sale();
  await world.clock.advance(1000);
  const [record] = await journal.find({ operationId });
  assert.ok(record);
  const later = '3f2b8c1e-7a4d-4e6f-9b0a-1c2d3e4f5a6b';
  await journal.advance({ ...record, references: [...record.references, later] });
  const call = (reference: string) =>
    world.engine.callback(reference, callbackToken(secret, reference), approval(reference));
  assert.equal(await call(later), 'unavailable');
  assert.equal(await call('3f2b8c1e-7a4d-4e6f-9b0a-1c2d3e4f5a6c'), 'not-found');
});

test('a journal that is full refuses the sale before anything is sent', async () => {
  const journal = new FullDisk();
  const world = payments({ journal });
  journal.isFull = true;
  await assert.rejects(world.sale(), JournalError);
  await world.clock.advance(60_000);
  assert.deepEqual(world.started, []);
  journal.isFull = false;
  await world.sale();
  await world.untilTold();
  assert.equal(world.bank.netMoved(), 1000);
});

test('without a callback address nothing is ever taken from outside', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: 'none' } });
  const operationId = await world.sale();
  await world.clock.advance(1000);
  for (const key of [secret, '']) {
    assert.equal(
      await world.engine.callback(operationId, callbackToken(key, operationId), approval(operationId)),
      'not-found',
    );
  }
});

test('an address for callbacks that card data must not travel to is a mistake of the configuration', () => {
  const callback = { address: 'http://till.example/payments', secret };
  assert.throws(() => payments({ engine: { callback } }), ConfigurationError);
  assert.ok(payments({ engine: { callback: { ...callback, address: 'http://127.0.0.1:1880/payments' } } }));
});
