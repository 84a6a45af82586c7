import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payments } from '../../../harness/payments.js';

/** A wall clock that is set while the process runs: what must not be late counts it, a proof does not. */

const HOUR = 3_600_000;

test('an approval after the clock has jumped past the deadline is late, and reversed where the policy says so', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: { tapAfterMs: 20_000 } } });
  await world.sale({}, { lateApproval: 'reverse' });
  await world.clock.advance(5000);
  world.clock.jumped = HOUR;
  const { payload } = await world.untilTold();
  assert.deepEqual([payload.outcome, payload.error?.code], ['cancelled', 'LATE_APPROVAL_REVERSED']);
  assert.equal(world.bank.netMoved(), 0);
});

test('a jump from before the request was answered makes no approval late', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: { tapAfterMs: 20_000 } } });
  world.simulator.faults.arm({ kind: 'answer-delayed', ms: 5000 });
  await world.sale({}, { lateApproval: 'reverse' });
  await world.clock.advance(1000);
  world.clock.jumped = HOUR;
  const { payload } = await world.untilTold();
  assert.equal(payload.outcome, 'approved');
});

test('a clock that jumps past the deadline of a message stops the terminal', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: 'none' } });
  await world.sale({}, { deadlineMs: 10 * 60_000 });
  await world.clock.advance(5000);
  world.clock.jumped = HOUR;
  await world.clock.advance(30_000);
  assert.ok(world.started.includes('stopCurrentTransaction'));
});

for (const [way, by] of [
  ['ahead', HOUR],
  ['back', -HOUR],
] as const) {
  test(`a clock that jumps ${way} proves nothing, and delays nothing`, async () => {
    const world = payments({ callbacks: false, simulator: { cardholder: 'none' } });
    await world.sale();
    await world.clock.advance(5000);
    world.clock.jumped = by;
    await world.clock.advance(15_000);
    assert.equal(world.told.length, 0);
    world.terminal.act({ do: 'present-card' });
    await world.clock.advance(30_000);
    assert.deepEqual(
      world.told.map(({ payload }) => payload.outcome),
      ['approved'],
    );
  });
}

test('what was lost before the clock jumped is not sent again', async () => {
  let reversals = 0;
  const world = payments({
    engine: {
      send: (request) => {
        if (request.url.endsWith('/reversal')) reversals++;
        return world.simulator.send(request);
      },
    },
  });
  const { transactionId } = await world.after(world.sale());
  world.simulator.faults.arm({ kind: 'request-lost', match: { endpoint: 'POST /reversal' } });
  await world.backOffice({ operation: 'reversal', body: { originalGuid: transactionId } });
  await world.clock.runUntil(() => reversals === 1);
  world.clock.jumped = HOUR;
  const { payload } = await world.untilTold(2);
  assert.equal(reversals, 1);
  assert.equal(payload.outcome, 'not-charged');
});
