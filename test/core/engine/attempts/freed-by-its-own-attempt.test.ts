import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import { type Payments, payments } from '../../../harness/payments.js';

const answer = (error: number): HttpAnswer => ({ status: 400, body: JSON.stringify({ error }) });

/**
 * A proxy repeats every request, so that each attempt begins and is answered "busy". The stop ends the first; stops of the
 * second prove nothing (1003). The callback of the first, CANCELLED, was delayed, and comes while the second is on the screen.
 */
test('a late CANCELLED of an earlier attempt does not prove that the latest is not on the terminal', async () => {
  const references: string[] = [];
  const world: Payments = payments({
    simulator: { cardholder: 'none', deliver: async () => ({ status: 500, body: '' }) },
    engine: {
      send: async (request) => {
        const { operation, transactionReference } = JSON.parse(request.body ?? '{}');
        if (operation === 'stopCurrentTransaction' && references.length > 1) return answer(1003);
        const real = await world.simulator.send(request);
        if (operation !== 'sale') return real;
        references.push(transactionReference);
        return answer(1001);
      },
    },
  });
  await world.sale({}, { busyWaitMs: 22_000, exclusiveTerminal: true });
  await world.clock.runUntil(() => references.length === 2, 100_000);
  await world.clock.advance(1000);
  const [first = '', second = ''] = references;
  const cancelled = { transactionID: 'one', finStatus: 'CANCELLED', totalAmount: 0 };
  assert.equal(await world.callback(first, cancelled), 'taken');
  await world.clock.advance(16_000);
  assert.ok(world.terminal.presentCard(), 'the second attempt is on the screen');
  await world.clock.advance(3 * 24 * 3_600_000);
  assert.equal(world.bank.netMoved(second) > 0, true, 'charged');
  const last = world.told.at(-1)?.payload;
  assert.notEqual(
    last?.moneyMoved,
    'no',
    `told ${last?.outcome}, final ${last?.final}, retry ${last?.retry}, while the bank has the money`,
  );
});
