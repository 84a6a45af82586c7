import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ABSENT, NOT_FOUND, shown, type TwoAttempts, told, twoAttempts } from '../../../harness/two-attempts.js';

test('of two partial approvals the later one goes back by policy, and the other is told with that', async () => {
  const part = {
    status: 200,
    body: JSON.stringify([{ transactionID: 'one', finStatus: 'AUTHORISED', totalAmount: 1000 }]),
  };
  const world = await twoAttempts({
    shows: (passed) => (passed < 14_000 ? NOT_FOUND : part),
    policies: { partialApproval: 'reverse' },
    callbacks: true,
  });
  const [, second = ''] = world.sent;
  await world.callback(second, {
    transactionID: 'two',
    finStatus: 'PARTIAL_APPROVAL',
    totalAmount: 400,
    requestedAmount: 1000,
  });
  await world.clock.runUntilIdle(3 * 24 * 3_600_000);
  assert.ok(told(world).length > 0);
  for (const { payload } of world.told) assert.equal(payload.error?.code, 'SECOND_ATTEMPT_REVERSED', payload.outcome);
});

const REVERSED_PART = [['not-done', 'cancelled', true, 'PARTIAL_APPROVAL_REVERSED']];

/** The terminal calls back that a part of the later attempt was approved, which the flow does not want. */
async function partOfTheLater(shows: TwoAttempts['shows']) {
  const policies = { partialApproval: 'reverse', lateApproval: 'reverse' } as const;
  const world = await twoAttempts({
    shows,
    policies,
    request: { amount: '3757' },
    callbacks: true,
    statusLagMs: 10_000,
  });
  world.terminal.presentCard();
  await world.clock.advance(5000);
  world.terminal.answerPartial(true);
  await world.clock.advance(1000);
  assert.ok(world.bank.netMoved() > 0);
  return world;
}

test('a part that the flow does not want goes back soon after its attempt, with an earlier one in question', async () => {
  const world = await partOfTheLater(ABSENT);
  await world.untilTold(1, 40_000);
  assert.deepEqual(told(world), REVERSED_PART);
  assert.equal(world.bank.netMoved(), 0);
});

test('a part that the flow does not want goes back, and so does what an earlier attempt charged: each once, and nothing is left', async () => {
  const isBack = { one: false };
  const world = await partOfTheLater((passed) => {
    if (passed < 14_000) return NOT_FOUND;
    return shown(isBack.one ? 'CANCELLED' : 'AUTHORISED');
  });
  await world.clock.runUntil(() => world.reversed.includes('one'), 200_000);
  isBack.one = true;
  await world.clock.advance(600_000);
  assert.deepEqual([world.reversed.length, new Set(world.reversed).size], [2, 2], 'each once');
  const { payload } = world.told.at(-1) ?? {};
  assert.deepEqual([payload?.outcome, payload?.moneyMoved, payload?.final], ['cancelled', 'no', true]);
  assert.equal(world.bank.netMoved(), 0);
});

test('a part that the flow does not want is not told as provisional while nobody says what became of an earlier attempt', async () => {
  const world = await partOfTheLater((passed) => (passed < 90_000 ? { status: 500, body: '' } : NOT_FOUND));
  await world.untilTold(1, 200_000);
  assert.deepEqual(told(world), REVERSED_PART);
  assert.equal(world.bank.netMoved(), 0);
});
