import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TurnQueues } from '../../../src/core/engine/turns/turn-queues.js';
import { NODE, payments, saleOrder } from '../../harness/payments.js';

/** Two environments of one process that use the same terminal. */
function twoEnvironments({ cardholder = 'none' as 'none' | { tapAfterMs: number } } = {}) {
  const turns = new TurnQueues();
  const world = payments({ callbacks: false, simulator: { cardholder }, engine: { turns } });
  const other = world.createEngine({ environment: 'other', turns });
  const told: string[] = [];
  other.attach(NODE, { deliver: ({ payload }) => told.push(payload.outcome), progress: () => undefined });
  const sale = (terminal_type = 'SIMULATEDT1') => other.submit(saleOrder({ terminal_type }, { busyWaitMs: 60_000 }));
  const sales = (): number => world.started.filter((operation) => operation === 'sale').length;
  return { ...world, other, othersTold: told, sale: world.sale, othersSale: sale, sales };
}

test('a payment waits for one of another environment on the same terminal, and goes next', async () => {
  const world = twoEnvironments();
  await world.sale();
  await world.othersSale();
  await world.clock.advance(20_000);
  assert.equal(world.sales(), 1, 'nothing is refused as busy, and nothing stops the payment of the other');
  assert.equal(world.started.includes('stopCurrentTransaction'), false);
  await world.clock.runUntil(() => world.othersTold.length > 0, 120_000);
  assert.equal(world.sales(), 2);
});

test('an environment that is redeployed gives up its places in the queues', async () => {
  const world = twoEnvironments();
  await world.sale();
  await world.othersSale();
  await world.clock.advance(1000);
  await world.engine.stop();
  await world.clock.advance(1000);
  assert.ok(world.sales() >= 2);
});
