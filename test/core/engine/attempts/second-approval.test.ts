import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approvedTwice, THROTTLED } from '../../../harness/approved-twice.js';
import { type Payments, payments } from '../../../harness/payments.js';

test('a second charge of one message is taken back once, with one alarm, and the flow keeps what it was told', async () => {
  const { world, reversed, first, call } = await approvedTwice();
  assert.equal(await call(), 'taken');
  assert.equal(await call(), 'taken');
  await world.clock.advance(600_000);
  assert.deepEqual(reversed, ['first']);
  assert.deepEqual(world.late(), [['done', 'approved', 'SECOND_ATTEMPT_REVERSED']]);
  assert.equal(world.told.length, 1);
  const [record] = await world.journal.find({ reference: first }, 1);
  assert.equal(record?.closed, true);
  assert.equal(record?.transactionId, world.told[0]?.payload.transactionId);
  assert.equal(world.clock.pending, 0);
});

test('a second charge that nobody confirms as taken back is one alarm for a person', async () => {
  const { world, call } = await approvedTwice({ reversal: 500 });
  await call();
  await world.clock.advance(600_000);
  assert.deepEqual(world.late(), [['needs-attention', 'provisional', 'REVERSAL_UNPROVEN']]);
  assert.equal(world.told.length, 1);
});

test('a second charge whose transaction nobody names is one alarm for a person', async () => {
  const { world, reversed, call } = await approvedTwice({ id: '' });
  await call();
  await call();
  await world.clock.advance(180_000);
  assert.deepEqual(world.late(), [['needs-attention', 'provisional', 'REVERSAL_UNPROVEN']]);
  assert.deepEqual(reversed, []);
});

test('a restart goes on with taking back a second charge', async () => {
  const { world, call } = await approvedTwice({ reversal: 500 });
  await call();
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
  assert.deepEqual(world.late(), [['done', 'approved', 'SECOND_ATTEMPT_REVERSED']]);
});

test('an alarm that no callback-in was there to hear, as the flows were deployed, is told by the next engine, once', async () => {
  const { world, call } = await approvedTwice();
  const restart = async (): Promise<void> => {
    await world.engine.stop();
    world.engine = world.createEngine();
    await world.engine.start();
  };
  await restart();
  assert.equal(await call(), 'taken');
  await world.clock.advance(60_000);
  assert.deepEqual(world.late(), []);
  await restart();
  world.connect(world.engine);
  await world.clock.advance(60_000);
  assert.deepEqual(world.late(), [['done', 'approved', 'SECOND_ATTEMPT_REVERSED']]);
  assert.equal(world.noticed.at(-1)?.delivery.payload.redelivered, true);
  await restart();
  world.connect(world.engine);
  await world.clock.advance(60_000);
  assert.equal(world.late().length, 1);
});

test('a reversal that is overdue when the next engine takes it up is one alarm', async () => {
  const { world, call } = await approvedTwice({ reversal: 500 });
  await call();
  await world.clock.advance(1000);
  await world.engine.stop();
  await world.clock.advance(300_000);
  world.engine = world.createEngine();
  world.connect(world.engine);
  await world.engine.start();
  await world.clock.advance(60_000);
  assert.deepEqual(world.late(), [['needs-attention', 'provisional', 'REVERSAL_UNPROVEN']]);
});

test('a contradiction that no callback-in was there to hear, as the flows were deployed, is told by the next engine', async () => {
  const world = payments({ simulator: { cardholder: 'none' } });
  const id = await world.sale();
  const call = (finStatus: string) => world.callback(id, { transactionID: 'x', finStatus, totalAmount: 1000 });
  const restart = async (): Promise<void> => {
    await world.engine.stop();
    world.engine = world.createEngine();
    await world.engine.start();
  };
  await world.clock.advance(1000);
  await call('DECLINED');
  await world.untilTold();
  await restart();
  assert.equal(await call('AUTHORISED'), 'taken');
  await restart();
  world.connect(world.engine);
  await world.clock.advance(60_000);
  assert.deepEqual(
    world.late().filter(([, , code]) => code === 'CONTRADICTED'),
    [['needs-attention', 'unknown', 'CONTRADICTED']],
  );
});

test('where a part of the latest of two charges was given back elsewhere, the flow does not hear of that one alone', async () => {
  const references: string[] = [];
  const world: Payments = payments({
    engine: {
      send: async (request) => {
        const { operation, transactionReference } = JSON.parse(request.body ?? '{}');
        if (operation === 'sale' && references.push(transactionReference) === 1) return THROTTLED;
        if (operation === 'stopCurrentTransaction') return { status: 400, body: JSON.stringify({ error: 1003 }) };
        return request.url.endsWith('/reversal') ? { status: 500, body: '{}' } : world.simulator.send(request);
      },
    },
  });
  await world.sale({}, { busyWaitMs: 60_000, exclusiveTerminal: false });
  await world.clock.runUntil(() => references.length === 2, 60_000);
  const [first = ''] = references;
  await world.callback(first, { transactionID: 'first', finStatus: 'AUTHORISED', totalAmount: 1000 });
  assert.ok(await world.clock.runUntil(() => world.bank.netMoved() > 0, 60_000));
  await world.clock.advance(20_000);
  assert.ok(world.simulator.other.refund(world.bank.entries()[0]?.transactionId ?? '', 100));
  await world.clock.advance(3 * 86_400_000);
  const told = world.told.map(({ payload: { outcome, final, error } }) => [outcome, final, error?.code]);
  assert.deepEqual(told, [
    ['provisional', false, 'REVERSAL_UNPROVEN'],
    ['unknown', true, 'WATCH_ENDED'],
  ]);
});
