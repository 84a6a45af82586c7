import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import { payments } from '../../../harness/payments.js';

/** That the status service has no record of another payment says nothing about ours. */

const THEIRS = '6f1c9d0e-2f5b-4c57-9d36-0f6f5a4c1b22';

/** Runs a sale whose answer is lost, and that the status service says it has no record of, each time with `named` as the reference. */
async function unrecorded({ named, isCharged }: { named: (own: string) => unknown; isCharged: boolean }) {
  const world = payments({
    callbacks: false,
    engine: {
      send: async (request): Promise<HttpAnswer> => {
        if (!request.url.startsWith(world.simulator.statusUrl)) return world.simulator.send(request);
        const [, own = ''] = /transactions\/([^/]+)/.exec(request.url) ?? [];
        return { status: 200, body: JSON.stringify({ finStatus: 'UNDEFINED', transactionReference: named(own) }) };
      },
    },
  });
  world.simulator.faults.arm({ kind: isCharged ? 'answer-lost' : 'request-lost', match: { operation: 'sale' } });
  await world.sale();
  await world.untilTold();
  await world.clock.advance(3 * 24 * 3_600_000);
  return { said: world.told.map(({ payload }) => payload.moneyMoved), charged: world.bank.netMoved() };
}

for (const [what, named] of [
  ['another', THEIRS],
  ['another in capitals', THEIRS.toUpperCase()],
] as const) {
  test(`a charge is not told as "not charged" where the missing record is that of ${what}`, async () => {
    const { said, charged } = await unrecorded({ named: () => named, isCharged: true });
    assert.equal(charged, 1000);
    assert.ok(said.length > 0 && said.every((moved) => moved === 'unknown'), said.join());
  });
}

for (const [what, named] of [
  ['our reference', (own: string) => own],
  ['our reference in capitals', (own: string) => own.toUpperCase()],
  ['no reference', () => ''],
  ['what is no reference', () => 'n/a'],
] as const) {
  test(`a sale that never began is told as "not charged" where the missing record has ${what}`, async () => {
    assert.deepEqual(await unrecorded({ named, isCharged: false }), { said: ['no'], charged: 0 });
  });
}
