import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Delivery } from '../../../../src/core/delivery/listener.js';
import { FullDisk } from '../../../harness/full-disk.js';
import { charges, heard, send } from '../../../harness/keyed-orders.js';
import { NODE, payments } from '../../../harness/payments.js';

describe('an order with a key over a restart', () => {
  test('tells every message that waited, of a crash too', async () => {
    const world = payments({ simulator: { cardholder: 'none' } });
    await Promise.all(['a', 'b'].map((message) => send(world, { message })));
    await world.clock.advance(1000);
    world.journal.crash();
    world.engine = world.createEngine();
    world.connect(world.engine);
    await world.engine.start();
    await send(world, { message: 'c' });
    world.terminal.presentCard();
    await world.untilTold(3);
    assert.deepEqual(heard(world).sort(), [
      ['a', 'approved', false],
      ['b', 'approved', true],
      ['c', 'approved', true],
    ]);
    assert.equal(charges(world), 1);
  });

  test('tells a message that came while a dead engine held the operation, once that is taken up', async () => {
    const world = payments({
      simulator: { cardholder: 'none' },
      engine: { send: async () => ({ status: 503, body: '' }) },
    });
    const operationId = await send(world, { message: 'a' });
    await world.untilTold();
    await world.engine.stop();
    await world.journal.claim(operationId, 'dead', world.clock.now());
    await world.journal.renew('dead', world.clock.now() + 30_000);
    world.engine = world.createEngine();
    world.connect(world.engine);
    await world.engine.start();
    await send(world, { message: 'b' });
    await world.clock.advance(60_000);
    assert.deepEqual(heard(world), [
      ['a', 'unknown', false],
      ['b', 'unknown', true],
    ]);
  });

  test('tells a message once its node is there again, unmarked after a clean stop', async () => {
    const world = payments({ simulator: { cardholder: 'none' } });
    await send(world, { message: 'a' });
    await send(world, { message: 'b', node: 'another-node' });
    await world.engine.stop();
    const engine = world.createEngine();
    world.engine = engine;
    engine.attach(NODE, { deliver: (delivery) => world.told.push(delivery), progress: () => undefined });
    await engine.start();
    await world.clock.advance(1000);
    world.terminal.presentCard();
    await world.untilTold();
    engine.attach('another-node', { deliver: (delivery) => world.told.push(delivery), progress: () => undefined });
    const [, { payload }] = world.told as [Delivery, Delivery];
    assert.deepEqual([payload.outcome, payload.repeated, payload.redelivered], ['approved', true, undefined]);
    await world.clock.advance(0);
    assert.deepEqual(await world.journal.repeats('env'), []);
  });

  test('is not charged anew after its end, and is told from the journal', async () => {
    const world = payments();
    await send(world, { message: 'a' });
    await world.untilTold();
    await world.engine.stop();
    world.engine = world.createEngine();
    world.connect(world.engine);
    await world.engine.start();
    await send(world, { message: 'b' });
    const { payload, exit } = await world.untilTold(2, 0);
    assert.deepEqual(
      [exit, payload.outcome, payload.amount?.total, payload.repeated],
      ['done', 'approved', '10.00', true],
    );
    assert.equal(payload.transactionId, world.told[0]?.payload.transactionId);
    assert.equal(payload.redelivered, undefined);
    assert.equal(charges(world), 1);
  });

  test('tells again, marked, what may have been told before a crash', async () => {
    const journal = new FullDisk();
    const world = payments({ journal, simulator: { cardholder: 'none' } });
    await Promise.all(['a', 'b'].map((message) => send(world, { message })));
    await world.clock.advance(1000);
    const [repeat] = await journal.repeats('env');
    world.terminal.presentCard();
    await world.untilTold(2);
    assert.ok(repeat);
    await journal.recordRepeat(repeat);
    journal.crash();
    world.engine = world.createEngine();
    world.connect(world.engine);
    await world.engine.start();
    const { origin, payload } = await world.untilTold(3, 0);
    assert.deepEqual([origin.message._msgid, payload.redelivered, payload.repeated], ['b', true, true]);
  });
});
