import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** A service, or something in between, may put an error into an answer whose HTTP status calls it a success. */

/** Payments whose requests to a terminal are answered otherwise. */
function answered(
  bend: (operation: string, ask: () => Promise<HttpAnswer>) => HttpAnswer | Promise<HttpAnswer>,
): Payments {
  const world: Payments = payments({
    engine: {
      send: async (request) => {
        const ask = () => world.simulator.send(request);
        if (!request.url.endsWith('/transactions')) return ask();
        return bend(JSON.parse(request.body ?? '{}').operation, ask);
      },
    },
  });
  return world;
}

for (const error of [1002, 1004, '1002'] as const) {
  test(`a sale that is refused with ${JSON.stringify(error)} is told as refused at once under HTTP 200 too`, async () => {
    const told = [];
    for (const status of [400, 200]) {
      const world = answered(() => ({ status, body: JSON.stringify({ error, message: 'no device listening' }) }));
      const since = world.clock.now();
      const { outcome, moneyMoved, final, retry, error: why } = await world.after(world.sale());
      told.push([outcome, moneyMoved, final, retry, why?.code, why?.message, world.clock.now() - since]);
      assert.equal(world.bank.netMoved(), 0);
    }
    assert.deepEqual(told[1], told[0]);
    assert.equal(told[0]?.[0], 'refused');
  });
}

test('a stop that is told under HTTP 200 that nothing runs frees the terminal as one under HTTP 400 does', async () => {
  const told = [];
  for (const status of [400, 200]) {
    const world = answered(async (operation, ask) => {
      const answer = await ask();
      return operation === 'stopCurrentTransaction' && answer.status === 400 ? { ...answer, status } : answer;
    });
    world.simulator.faults.arm({ kind: 'request-lost', match: { operation: 'sale' } });
    const since = world.clock.now();
    const { outcome, moneyMoved, timeline } = await world.after(world.sale());
    const events = timeline.map(({ event }) => event);
    told.push([outcome, moneyMoved, events.includes('terminal-idle'), world.clock.now() - since]);
  }
  assert.deepEqual(told[1], told[0]);
  assert.deepEqual(told[0]?.slice(0, 3), ['not-charged', 'no', true]);
});

for (const error of [1001, 1002, 1005]) {
  test(`a sale that is accepted with the error ${error} beside its result id is charged, and never told as not`, async () => {
    const world = answered(async (_operation, ask) => {
      const answer = await ask();
      return { ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), error }) };
    });
    const id = await world.sale();
    await world.untilTold();
    await world.clock.advance(3 * 24 * 3_600_000);
    assert.equal(world.bank.netMoved(id), 1000);
    const said = world.told.map(({ payload }) => payload.moneyMoved);
    assert.deepEqual([said.includes('no'), said.at(-1)], [false, 'yes']);
  });
}
