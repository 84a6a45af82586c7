import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Payments, payments } from '../../../harness/payments.js';
import { NOT_FOUND } from '../../../harness/two-attempts.js';

/** What a terminal says of an operation whose end is open, or was said in part. */

const MINUTE = 60_000;

test('a sale that is polled as IN_PROGRESS past the limit is not told as "not charged, try again"', async () => {
  let polls = 0;
  const stops: number[] = [];
  const world: Payments = payments({
    callbacks: false,
    engine: {
      send: async (request) => {
        const body = JSON.parse(request.body ?? '{}');
        if (body.operation === 'sale')
          return { status: 202, body: JSON.stringify({ statusMessage: 'ok', transactionResultId: '10000001-1' }) };
        if (body.operation === 'stopCurrentTransaction') {
          stops.push(world.clock.now());
          return { status: 400, body: JSON.stringify({ error: 1003, message: 'not now' }) };
        }
        if (request.url.includes('/transaction-result')) {
          polls++;
          const finStatus = world.clock.now() - start < 420_000 ? 'IN_PROGRESS' : 'AUTHORISED';
          const late = finStatus === 'AUTHORISED' ? { transactionID: 'x', type: 'SALE', totalAmount: 1000 } : {};
          return { status: 200, body: JSON.stringify({ finStatus, ...late }) };
        }
        if (request.url.includes('/status')) return NOT_FOUND;
        return world.simulator.send(request);
      },
    },
  });
  const start = world.clock.now();
  await world.sale();
  await world.clock.advance(30 * 60_000);
  const told = world.told.map(({ payload: { outcome, moneyMoved, final, retry } }) => [
    outcome,
    moneyMoved,
    final,
    retry,
  ]);
  assert.ok(
    told.every(([, moved]) => moved !== 'no'),
    JSON.stringify({ told, polls, stops: stops.length, late: world.late() }),
  );
});

test('a failure on both sides that shows as AUTHORISED is told as that by the recovery limit', async () => {
  const world = payments({ callbacks: false });
  world.simulator.faults.arm({ kind: 'failed-then-approved', ms: 60_000 });
  const id = await world.sale();
  await world.clock.advance(60 * MINUTE);
  assert.equal(world.bank.netMoved(id), 1000);
  const told = world.told.map(({ payload: { outcome, moneyMoved, final } }) => [outcome, moneyMoved, final]);
  assert.notEqual(
    world.told.at(-1)?.payload.outcome,
    'failed',
    `an hour later, 10.00 charged: ${JSON.stringify(told)}`,
  );
});

test('a partial approval of a hold says that no money has moved', async () => {
  const world = payments({ simulator: { cardholder: 'none' } });
  const id = await world.sale({ operation: 'preAuthorization' });
  await world.clock.advance(2000);
  await world.callback(id, {
    transactionID: 'x',
    type: 'PRE_AUTHORIZATION',
    finStatus: 'PARTIAL_APPROVAL',
    totalAmount: 400,
    dueAmount: 600,
    currency: 'EUR',
  });
  const { payload } = await world.untilTold();
  assert.deepEqual([payload.outcome, payload.moneyMoved], ['partial', 'no'], JSON.stringify(payload.amount));
});

test('a stop after the end of a keyed entry is sent although one before it was answered "not now"', async () => {
  const stops: number[] = [];
  const world: Payments = payments({
    engine: {
      send: async (request) => {
        const body = JSON.parse(request.body ?? '{}');
        if (body.operation === 'moToSale')
          return { status: 202, body: JSON.stringify({ statusMessage: 'ok', transactionResultId: '10000001-1' }) };
        if (body.operation !== 'stopCurrentTransaction') return { status: 204, body: '' };
        stops.push(world.clock.now());
        return { status: 400, body: JSON.stringify({ error: 1003, message: 'not now' }) };
      },
    },
  });
  const id = await world.sale({ operation: 'moToSale' });
  await world.clock.advance(20_000);
  world.engine.cancel(id);
  await world.clock.advance(4000);
  const before = stops.length;
  assert.ok(before > 0);
  assert.equal(await world.callback(id, { finStatus: 'CANCELLED', transactionReference: '' }), 'taken');
  const { payload } = await world.untilTold();
  await world.clock.advance(10_000);
  assert.equal(payload.retry, 'safe');
  assert.ok(
    stops.length > before,
    `told ${payload.outcome}, "${payload.retry}", and the terminal stays busy: ${stops.length} stops, all before the end`,
  );
});
