import assert from 'node:assert/strict';
import { it } from 'node:test';
import { payments } from '../../harness/payments.js';

const SECOND = 1000;

for (const [what, losses] of [
  ['', 0],
  ['within a minute of that where its first answer gets lost', 1],
] as const) {
  it(`a failure that the status service alone tells is final at the recovery limit ${what}`.trim(), async () => {
    const world = payments({ callbacks: false });
    world.simulator.faults.arm({
      kind: 'request-lost',
      match: { endpoint: 'GET /transaction-result' },
      forMs: 3_600 * SECOND,
    });
    await world.sale({ amount: '3768' });
    const begun = world.clock.now();
    const first = await world.untilTold();
    assert.deepEqual([first.payload.outcome, first.payload.final], ['failed', false]);
    await world.clock.advance(begun + 374 * SECOND - world.clock.now());
    for (let loss = 0; loss < losses; loss++)
      world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'GET /status' } });
    const { payload } = await world.untilTold(2);
    assert.deepEqual([payload.outcome, payload.final], ['failed', true]);
    const seconds = (world.clock.now() - begun) / SECOND;
    assert.ok(seconds < 380 + losses * 61, `final after ${seconds} s`);
  });
}
