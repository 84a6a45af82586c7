import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Payments, payments } from '../../../harness/payments.js';

/** A keyed entry that the flow cancels: the stop that ends it is the only one. */

for (const exclusiveTerminal of [true, false])
  test(`an accepted stop that ends a keyed entry is not sent again, exclusive: ${exclusiveTerminal}`, async () => {
    const stops: number[] = [];
    const world: Payments = payments({
      engine: {
        send: async (request) => {
          const body = JSON.parse(request.body ?? '{}');
          if (body.operation === 'moToSale')
            return { status: 202, body: JSON.stringify({ statusMessage: 'ok', transactionResultId: '10000001-1' }) };
          if (body.operation !== 'stopCurrentTransaction') return { status: 204, body: '' };
          stops.push(world.clock.now());
          return { status: 202, body: JSON.stringify({ statusMessage: 'ok' }) };
        },
      },
    });
    const id = await world.sale({ operation: 'moToSale' }, { exclusiveTerminal });
    await world.clock.advance(20_000);
    world.engine.cancel(id);
    await world.clock.advance(500);
    assert.equal(stops.length, 1);
    assert.equal(await world.callback(id, { finStatus: 'CANCELLED', transactionReference: '' }), 'taken');
    await world.clock.advance(100);
    const told = world.told.length;
    await world.clock.advance(20_000);
    assert.deepEqual([told, stops.length], [1, 1]);
  });
