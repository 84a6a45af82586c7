import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FaultKind } from '../../src/simulator/index.js';
import { payments } from '../harness/payments.js';

/** What the bank says to the next payment, where somebody decides that. Amounts in minor units. */
const ANSWERS: [kind: FaultKind, outcome: string, issuerCode: string, moved: number][] = [
  ['bank-approves', 'approved', '00', 3784],
  ['bank-declines', 'declined', '05', 0],
  ['bank-insufficient-funds', 'declined', '51', 0],
  ['bank-expired-card', 'declined', '54', 0],
  ['bank-lost-card', 'declined', '41', 0],
  ['bank-approves-part', 'partial', '00', 1892],
];

for (const [kind, outcome, issuerCode, moved] of ANSWERS) {
  test(`${kind}: the next payment is ${outcome}, whatever its amount would trigger, and the one after is as ever`, async () => {
    const world = payments();
    world.simulator.faults.arm({ kind });
    const { payload } = await world.sale({ amount: '3784' }).then(() => world.untilTold());
    assert.deepEqual([payload.outcome, payload.issuerCode], [outcome, issuerCode]);
    assert.equal(world.bank.netMoved(), moved);
    await world.sale({ amount: '3784' });
    const next = await world.untilTold(2);
    assert.deepEqual([next.payload.outcome, next.payload.issuerCode], ['declined', '05']);
    assert.equal(world.bank.netMoved(), moved);
  });
}

test('bank-answers-late: the payment takes longer by what was asked for, and is approved', async () => {
  const world = payments();
  const took = async (): Promise<number> => {
    const from = world.clock.now();
    await world.after(world.sale());
    return world.clock.now() - from;
  };
  const usual = await took();
  world.simulator.faults.arm({ kind: 'bank-answers-late', ms: 8_000 });
  const late = await took();
  assert.ok(late >= usual + 8_000, `${usual} ms, then ${late} ms`);
  assert.equal(world.bank.charges().length, 2);
});
