import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import type { Cardholder } from '../../../../src/simulator/terminal/cardholder.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** A flow that has set a deadline hears something 30 s after it, whatever its payment waits for then. */

const DEADLINE = 20_000;
const HEARD_BY = DEADLINE + 30_000;
const MINUTE = 60_000;

const sales = (started: readonly string[]): number => started.filter((operation) => operation === 'sale').length;

/** What the flow has heard, and that it did in time. */
async function heardInTime(world: Payments, startedAt: number): Promise<ResultPayload> {
  const { payload } = await world.untilTold();
  assert.ok(world.clock.now() <= startedAt + HEARD_BY, `told ${world.clock.now() - startedAt} ms after the order`);
  return payload;
}

/** The approval comes right after the deadline. */
const tapsAtTheLastMoment: Cardholder = ({ stage }) => {
  if (stage === 'awaiting-card') return { afterMs: DEADLINE - 500, act: { do: 'present-card' } };
  return stage === 'remove-card' ? { afterMs: 100, act: { do: 'remove-card' } } : undefined;
};

test('a flow hears that nobody knows while a late approval is slow to go back', async () => {
  const world = payments({ simulator: { cardholder: tapsAtTheLastMoment } });
  world.simulator.faults.arm({
    kind: 'server-error-before',
    match: { endpoint: 'POST /reversal' },
    forMs: 10 * MINUTE,
  });
  const startedAt = world.clock.now();
  await world.sale({}, { deadlineMs: DEADLINE, lateApproval: 'reverse' });
  const { outcome, moneyMoved, final } = await heardInTime(world, startedAt);
  assert.deepEqual([outcome, moneyMoved, final], ['unknown', 'unknown', false]);
});

test('a flow with a deadline does not wait for a busy terminal any longer, however long it may', async () => {
  const world = payments({ simulator: { cardholder: 'none' } });
  world.simulator.faults.arm({ kind: 'terminal-busy', forMs: 20 * MINUTE });
  const startedAt = world.clock.now();
  await world.sale({}, { deadlineMs: DEADLINE, busyWaitMs: 5 * MINUTE });
  const { moneyMoved, retry } = await heardInTime(world, startedAt);
  assert.deepEqual([moneyMoved, retry], ['no', 'safe']);
});

test('a flow with a deadline does not wait for a busy key any longer', async () => {
  const world = payments({ simulator: { cardholder: 'none' } });
  world.simulator.faults.arm({
    kind: 'rate-limited',
    match: { endpoint: 'POST /transactions' },
    forMs: 20 * MINUTE,
  });
  const startedAt = world.clock.now();
  await world.sale({}, { deadlineMs: DEADLINE });
  assert.equal((await heardInTime(world, startedAt)).moneyMoved, 'no');
});

test('a sale whose turn comes after its deadline is not begun', async () => {
  const world = payments({ simulator: { cardholder: { tapAfterMs: 2 * DEADLINE } } });
  await world.sale();
  await world.clock.advance(1000);
  const startedAt = world.clock.now();
  const second = world.sale({}, { deadlineMs: DEADLINE, busyWaitMs: 5 * MINUTE });
  const { outcome, retry, error } = await heardInTime(world, startedAt);
  assert.deepEqual([outcome, retry, error?.code], ['not-charged', 'safe', 'NOT_STARTED']);
  await second;
  await world.clock.runUntilIdle(10 * MINUTE);
  assert.equal(sales(world.started), 1);
});

test('a sale that the rate limit lets through after its deadline is not begun', async () => {
  const world = payments({ engine: { requestsPerSecond: 1 }, simulator: { cardholder: 'none' } });
  for (let count = 0; count < 40; count++) await world.sale({ serial_number: `2${count}` });
  const { error } = await world.after(world.sale({}, { deadlineMs: DEADLINE }));
  assert.equal(error?.code, 'NOT_STARTED');
  assert.ok(sales(world.started) < 40);
});
