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

const isIdle = (): boolean => false;

test('what waits for its original leaves the terminal to others, and goes before those that come later', () => {
  const turns = new TurnQueues();
  const given: string[] = [];
  const join = (id: string, ...keys: string[]): boolean => turns.join(keys, id, () => given.push(id), isIdle);
  assert.equal(join('reversal', 'original'), true);
  assert.equal(join('refund', 'original', 'terminal'), false);
  assert.equal(join('later refund', 'original', 'terminal'), false);
  assert.equal(join('sale', 'terminal'), true, 'the terminal is idle');
  turns.leave('reversal');
  assert.equal(join('later sale', 'terminal'), false);
  assert.deepEqual(given, [], 'the terminal is at work on the sale');
  turns.leave('sale');
  assert.deepEqual(given, ['refund']);
  turns.leave('refund');
  assert.deepEqual(given, ['refund', 'later sale'], 'the later refund is behind it at the terminal');
  turns.leave('later sale');
  assert.deepEqual(given, ['refund', 'later sale', 'later refund']);
});

test('what leaves while it waits for its original was never at the terminal', () => {
  const turns = new TurnQueues();
  turns.join(['original'], 'reversal', assert.fail, isIdle);
  turns.join(['original', 'terminal'], 'refund', assert.fail, isIdle);
  turns.leave('refund');
  turns.leave('reversal');
  assert.equal(turns.join(['original', 'terminal'], 'next', assert.fail, isIdle), true);
});

test('a sale does not wait at an idle terminal behind a refund whose payment is being reversed', async () => {
  const world = payments({ callbacks: false, simulator: { timings: { statusLagMs: 10_000 } } });
  const { transactionId } = await world.after(world.sale());
  const body = { originalGuid: transactionId, amount: '1.00', currency: 'EUR' };
  await Promise.all([1, 2].map(() => world.backOffice({ operation: 'reversal', body })));
  const refund = { operation: 'refund', amount: '100', originalTransactionId: transactionId } as const;
  await world.sale(refund, { busyWaitMs: 300_000 });
  await world.sale({}, { busyWaitMs: 300_000 });
  await world.clock.advance(60_000);
  assert.deepEqual(world.started, ['sale', 'sale', 'refund']);
});

/** So many are taken up at once. */
const ELSEWHERE = 100;

test('after a restart a refund that waited for its payment waits for the sale that has gone to the terminal before it', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: { tapAfterMs: 28_000 } } });
  const { transactionId } = await world.after(world.sale());
  world.simulator.faults.arm({ kind: 'answer-delayed', ms: 15_000, match: { endpoint: 'POST /reversal' } });
  const body = { originalGuid: transactionId, amount: '1.00', currency: 'EUR' };
  await world.backOffice({ operation: 'reversal', body });
  const refund = { operation: 'refund', amount: '100', originalTransactionId: transactionId } as const;
  await world.sale(refund, { busyWaitMs: 300_000 });
  for (let waiting = 0; waiting < ELSEWHERE; waiting++) {
    await world.sale({ serial_number: '10000002' }, { busyWaitMs: 300_000 });
  }
  await world.sale({}, { busyWaitMs: 300_000 });
  await world.clock.advance(20_000);
  const stopped = world.engine.stop();
  await world.clock.advance(100);
  await stopped;
  const next = world.createEngine();
  const started = next.start();
  await world.clock.advance(3000);
  await started;
  assert.ok(!world.started.includes('refund'), 'the sale still waits for its card');
  await world.clock.advance(60_000);
  assert.ok(world.started.includes('refund'));
});
