import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payments } from '../../../harness/payments.js';

/** A change of a hold that the status service lists with the type of the hold is no second hold. */

for (const isReleased of [false, true]) {
  test(`a hold that another till has raised${isReleased ? ' and released' : ''} before its lost result is told as one hold`, async () => {
    const world = payments({ callbacks: false, simulator: { variants: { changeType: 'as-hold' } } });
    world.simulator.faults.arm({ kind: 'poll-404', times: Number.POSITIVE_INFINITY });
    await world.sale({ operation: 'preAuthorization', amount: '1000' });
    await world.clock.advance(5000);
    const [hold] = world.bank.entries();
    world.simulator.other.increase(hold?.transactionId ?? '', 200);
    if (isReleased) world.simulator.other.reverse(hold?.transactionId ?? '');
    const { payload } = await world.untilTold(1, 4 * 24 * 60 * 60_000);
    await world.clock.runUntilIdle();
    const last = world.told.at(-1)?.payload ?? payload;
    assert.notEqual(last.error?.code, 'AMOUNT_DIFFERS');
    assert.deepEqual(last.outcome, isReleased ? 'cancelled' : 'approved');
    if (!isReleased) assert.equal(last.amount?.total, '10.00');
  });
}
