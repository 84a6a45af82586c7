import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../../../src/core/base/seams.js';
import { type Payments, payments } from '../../../harness/payments.js';
import { VirtualClock } from '../../../harness/virtual-clock.js';

/** Like a real clock: timers fire a little early, and time passes between any two readings. */
function hasty(clock: VirtualClock): Clock {
  let passed = 0;
  return {
    now: () => clock.now() + passed++,
    wall: () => clock.wall() + passed,
    after: (ms, run) => clock.after(Math.max(0, ms - 1), run),
  };
}

test('a sale that waits for a busy terminal is not forgotten when a timer fires early', async () => {
  const clock = new VirtualClock();
  const world = payments({ clock, engine: { clock: hasty(clock) } });
  for (let fault = 0; fault < 5; fault++) world.simulator.faults.arm({ kind: 'terminal-busy' });
  const { outcome } = await world.after(world.sale({}, { busyWaitMs: 600_000 }));
  assert.equal(outcome, 'approved');
  assert.equal(world.started.filter((operation) => operation === 'sale').length, 6);
});

for (const [operation, said, end] of [
  ['sale', 'says in the end that nothing began', ['refused', true, 'safe']],
  ['moToSale', 'ends the question that nobody could answer', ['unknown', true, 'never']],
] as const) {
  test(`a process that was frozen while a shared terminal was busy ${said}: ${operation}`, async () => {
    const clock = new VirtualClock();
    let frozen = 3_600_000;
    const after: Clock['after'] = (ms, run) => clock.after(ms + frozen, run);
    const thawing: Clock = { now: () => clock.now(), wall: () => clock.wall(), after };
    const world = payments({ clock, engine: { clock: thawing } });
    world.simulator.faults.arm({ kind: 'terminal-busy' });
    await world.sale({ operation }, { exclusiveTerminal: false });
    await world.clock.advance(0);
    frozen = 0;
    const { payload } = await world.untilTold(2, 3 * 24 * 3_600_000);
    assert.deepEqual([payload.outcome, payload.final, payload.retry], end);
    await world.clock.advance(60_000);
    assert.equal(clock.pending, 0);
  });
}

test('an operation whose turn does not come is refused in time', async () => {
  const clock = new VirtualClock();
  const world = payments({ clock, engine: { clock: hasty(clock) }, simulator: { cardholder: 'none' } });
  await world.sale();
  const { outcome, error } = await world.after(world.sale({}, { busyWaitMs: 10_000 }));
  assert.deepEqual([outcome, error?.code], ['refused', '1001']);
});

const statusQuestions = ({ simulator }: Payments): number =>
  simulator.requests.latest().filter(({ path }) => path.endsWith('/status/all')).length;

test('while a terminal answers that it is still at it, the status service is not asked', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: 'none' } });
  const { outcome } = await world.after(world.sale());
  assert.equal(outcome, 'cancelled');
  assert.equal(statusQuestions(world), 0);
});

test('a payment past its deadline is asked for at the status service too, although the terminal is still at it', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: 'none' } });
  // The terminal goes on, because the stop does not arrive.
  world.simulator.faults.arm({ kind: 'request-lost', match: { operation: 'stopCurrentTransaction' }, times: 5 });
  await world.sale({}, { deadlineMs: 20_000 });
  await world.clock.advance(19_000);
  assert.equal(statusQuestions(world), 0);
  await world.clock.advance(4000);
  assert.ok(statusQuestions(world) > 0);
});

test('polls that the service turns away as too many ease off instead of going on every second', async () => {
  let polls = 0;
  const world: Payments = payments({
    callbacks: false,
    simulator: { cardholder: 'none' },
    engine: {
      send: (request) => {
        if (request.url.includes('/transaction-result/')) polls++;
        return world.simulator.send(request);
      },
    },
  });
  world.simulator.faults.arm({ kind: 'rate-limited', match: { endpoint: 'GET /transaction-result' }, times: 10_000 });
  await world.sale();
  await world.clock.advance(360_000);
  assert.ok(polls > 10 && polls <= 80, `${polls} polls in six minutes`);
});
