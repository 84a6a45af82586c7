import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callbackSecret, callbackToken } from '../../../src/core/base/callback.js';
import type { HttpAnswer } from '../../../src/core/base/seams.js';
import { DEFAULT_KEY } from '../../../src/simulator/index.js';
import { type Payments, payments } from '../../harness/payments.js';

const BUSY: HttpAnswer = { status: 400, body: JSON.stringify({ error: 1001, message: 'Device busy' }) };

/** The first attempt was answered "busy" and begun all the same; the second one was approved, and the flow was told so. */
async function approvedTwice({ reversal = 200, id = 'first' } = {}) {
  const references: string[] = [];
  const reversed: string[] = [];
  const world: Payments = payments({
    engine: {
      send: async (request) => {
        const body = JSON.parse(request.body ?? '{}');
        if (body.operation === 'sale' && references.push(body.transactionReference) === 1) return BUSY;
        if (!request.url.endsWith('/reversal')) return world.simulator.send(request);
        reversed.push(body.originalGuid);
        const done = { issuerResponseCode: '00', reversalGuid: 'reversal' };
        return { status: reversal, body: JSON.stringify(reversal === 200 ? done : {}) };
      },
    },
  });
  await world.sale({}, { busyWaitMs: 60_000 });
  const { payload } = await world.untilTold();
  assert.deepEqual([payload.outcome, payload.reference], ['approved', references[1]]);
  const [first = ''] = references;
  const approval = { transactionReference: first, transactionID: id, finStatus: 'AUTHORISED', totalAmount: 1000 };
  const call = () =>
    world.engine.callback(first, callbackToken(callbackSecret(DEFAULT_KEY), first), JSON.stringify(approval));
  return { ...world, reversed, first, call };
}

const late = ({ noticed }: Payments): unknown[] =>
  noticed
    .filter(({ late }) => late)
    .map(({ delivery: { exit, payload } }) => [exit, payload.outcome, payload.error?.code]);

test('a second charge of one message is taken back once, with one alarm, and the flow keeps what it was told', async () => {
  const world = await approvedTwice();
  assert.equal(await world.call(), 'taken');
  assert.equal(await world.call(), 'taken');
  await world.clock.advance(600_000);
  assert.deepEqual(world.reversed, ['first']);
  assert.deepEqual(late(world), [['done', 'approved', 'SECOND_ATTEMPT_REVERSED']]);
  assert.equal(world.told.length, 1);
  const [record] = await world.journal.find({ reference: world.first }, 1);
  assert.equal(record?.closed, true);
  assert.equal(record?.transactionId, world.told[0]?.payload.transactionId);
  assert.equal(world.clock.pending, 0);
});

test('a second charge that nobody confirms as taken back is one alarm for a person', async () => {
  const world = await approvedTwice({ reversal: 500 });
  await world.call();
  await world.clock.advance(600_000);
  assert.deepEqual(late(world), [['needs-attention', 'provisional', 'REVERSAL_UNPROVEN']]);
  assert.equal(world.told.length, 1);
});

test('a second charge without a transaction to take back is one alarm for a person, at once', async () => {
  const world = await approvedTwice({ id: '' });
  await world.call();
  await world.call();
  await world.clock.advance(1000);
  assert.deepEqual(late(world), [['needs-attention', 'provisional', 'REVERSAL_UNPROVEN']]);
  assert.deepEqual(world.reversed, []);
});

test('a restart goes on with taking back a second charge', async () => {
  const world = await approvedTwice({ reversal: 500 });
  await world.call();
  await world.clock.advance(1000);
  await world.engine.stop();
  const reversed: string[] = [];
  world.engine = world.createEngine({
    send: async (request) => {
      if (request.url.endsWith('/reversal')) reversed.push(JSON.parse(request.body ?? '{}').originalGuid);
      return { status: 200, body: JSON.stringify({ issuerResponseCode: '00', reversalGuid: 'reversal' }) };
    },
  });
  world.connect(world.engine);
  await world.engine.start();
  await world.clock.advance(60_000);
  assert.deepEqual(reversed, ['first']);
  assert.deepEqual(late(world), [['done', 'approved', 'SECOND_ATTEMPT_REVERSED']]);
});
