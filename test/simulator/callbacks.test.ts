import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Simulated, simulate } from '../harness/simulated.js';

const CALLBACK = { callbackUrl: 'https://till.example/cb', token: 'secret-1' };

async function sell(world: Simulated): Promise<void> {
  const { status } = await world.post('/transactions', world.sale(CALLBACK));
  assert.equal(status, 202);
}

const gaps = (world: Simulated): number[] =>
  world.callbacks.slice(1).map(({ at }, index) => (at - (world.callbacks[index]?.at ?? 0)) / 1000);

test('tries every 5 s for 100 s, then at doubling intervals up to 15 min, for two days', async () => {
  const world = simulate();
  world.receiver.status = 503;
  await sell(world);
  await world.clock.runUntilIdle();
  const between = gaps(world);
  assert.deepEqual(between.slice(0, 20), new Array(20).fill(5));
  assert.deepEqual(between.slice(20, 30), [10, 20, 40, 80, 160, 320, 640, 900, 900, 900]);
  const first = world.callbacks[0]?.at ?? 0;
  const last = world.callbacks.at(-1)?.at ?? 0;
  assert.ok(last - first <= 2 * 86_400_000 && last - first > 2 * 86_400_000 - 900_000);
  assert.equal(world.clock.pending, 0);
});

test('marks every delivery but the first as recovered, and stops at any 2xx', async () => {
  const world = simulate();
  world.receiver.status = 500;
  await sell(world);
  await world.clock.runUntil(() => world.callbacks.length === 3);
  world.receiver.status = 204;
  await world.clock.runUntilIdle();
  assert.deepEqual(
    world.callbacks.map(({ body }) => body.recoveredTransaction),
    [false, true, true, true],
  );
  assert.deepEqual(new Set(world.callbacks.map(({ token }) => token)), new Set(['secret-1']));
});

test('begins the schedule anew when the terminal starts again', async () => {
  const world = simulate();
  world.receiver.status = 500;
  await sell(world);
  await world.clock.runUntil(() => world.callbacks.length === 25);
  const seen = world.callbacks.length;
  world.terminal.powerCut(1000);
  await world.clock.runUntil(() => world.callbacks.length === seen + 3);
  assert.deepEqual(gaps(world).slice(-2), [5, 5]);
});

test('loses, repeats, delays and doubles deliveries as the faults say', async () => {
  const world = simulate();
  const { faults } = world.simulator;
  faults.arm({ kind: 'callback-lost' });
  faults.arm({ kind: 'callback-tls-refused' });
  faults.arm({ kind: 'callback-late', ms: 60_000 });
  await sell(world);
  await world.clock.runUntil(() => world.callbacks.length === 1);
  assert.equal(world.callbacks.length, 1);
  await world.clock.runUntilIdle();
  assert.equal(world.callbacks.length, 1, 'a late delivery that was acknowledged is the last');

  faults.arm({ kind: 'callback-twice' });
  await sell(world);
  await world.clock.runUntilIdle();
  assert.equal(world.callbacks.length, 3);

  faults.arm({ kind: 'callback-answer-lost' });
  await sell(world);
  await world.clock.runUntilIdle();
  assert.equal(world.callbacks.length, 5);
});

test('delivers an old UNDEFINED after the approval that replaced it, when reordered', async () => {
  const world = simulate();
  world.simulator.faults.arm({ kind: 'gateway-answer-lost' });
  world.simulator.faults.arm({ kind: 'callback-reordered', ms: 3_600_000 });
  world.simulator.faults.arm({ kind: 'callback-tls-refused', times: 4 });
  await sell(world);
  await world.clock.runUntilIdle();
  assert.deepEqual(
    world.callbacks.map(({ body }) => body.finStatus),
    ['AUTHORISED', 'UNDEFINED'],
  );
});
