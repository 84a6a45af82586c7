import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TransactionResult } from '../../../../src/core/api/schema/transaction-result.js';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import { THROTTLED } from '../../../harness/approved-twice.js';
import { Life } from '../../../harness/life.js';
import { type Payments, payments } from '../../../harness/payments.js';
import { ABSENT, NOT_FOUND, shown, told, twoAttempts } from '../../../harness/two-attempts.js';
import { VirtualClock } from '../../../harness/virtual-clock.js';

test('the end of a later attempt is no "cancelled" while an earlier one was charged and does not show yet', async () => {
  const world = await twoAttempts();
  world.terminal.cancel();
  const { payload } = await world.untilTold(1, 120_000);
  assert.deepEqual([payload.outcome, payload.moneyMoved, payload.final], ['provisional', 'unknown', false]);
  assert.deepEqual([payload.reference, payload.transactionId], [world.sent[0], 'one']);
  assert.equal(world.told.length, 1);
});

test('the end of a later attempt is told once the earlier ones were asked for after it', async () => {
  const world = await twoAttempts({ shows: ABSENT });
  world.terminal.cancel();
  const endedAt = world.clock.now();
  await world.untilTold(1, 60_000);
  assert.deepEqual(told(world), [['not-done', 'cancelled', true, 'CANCELLED']]);
  assert.ok(world.clock.now() - endedAt >= 15_000);
  assert.ok(world.clock.now() - endedAt <= 25_000);
  assert.equal(world.told[0]?.payload.reference, world.sent[1]);
});

test('the charge of an earlier attempt that is missing from the one answer that counts is no "cancelled"', async () => {
  let looks = 0;
  // The latest attempt is known to have ended by its first poll.
  const hasSettled = (passed: number): boolean => passed >= 4000 + 15_000;
  const world = await twoAttempts({
    shows: (passed) => (hasSettled(passed) && ++looks > 1 ? shown('AUTHORISED') : NOT_FOUND),
  });
  world.terminal.cancel();
  await world.untilTold(1, 120_000);
  assert.deepEqual(told(world), [['needs-attention', 'provisional', false, 'APPROVAL_UNCONFIRMED']]);
});

test('an approval of a later attempt is told soon, once the earlier ones were asked for', async () => {
  const world = await twoAttempts({ shows: ABSENT });
  world.terminal.presentCard();
  await world.untilTold(1, 20_000);
  assert.deepEqual(told(world), [['done', 'approved', true, undefined]]);
  assert.equal(world.asked.length, 2);
  assert.equal(world.told[0]?.payload.reference, world.sent[1]);
});

test('a later attempt is stopped once an earlier one shows as charged, and that one is the operation', async () => {
  const world = await twoAttempts();
  const { payload } = await world.untilTold(1, 120_000);
  assert.ok(world.started.includes('stopCurrentTransaction'));
  assert.deepEqual([payload.outcome, payload.transactionId], ['provisional', 'one']);
  assert.equal(world.bank.netMoved(), 0);
});

test('the charge of an earlier attempt beside an approved later one goes back once, with one alarm', async () => {
  const world = await twoAttempts();
  world.terminal.presentCard();
  await world.clock.advance(600_000);
  assert.deepEqual(told(world), [['done', 'approved', true, undefined]]);
  assert.equal(world.told[0]?.payload.reference, world.sent[1]);
  assert.deepEqual(world.reversed, ['one']);
  const alarms = world.noticed.filter(({ late }) => late).map(({ delivery }) => delivery.payload.error?.code);
  assert.deepEqual(alarms, ['SECOND_ATTEMPT_REVERSED']);
});

test('a second charge that nobody confirms as taken back is an alarm beside the approval', async () => {
  const world = await twoAttempts({ reversal: { status: 500, body: '' } });
  world.terminal.presentCard();
  await world.clock.advance(600_000);
  assert.deepEqual(told(world), [['done', 'approved', true, undefined]]);
  const alarms = world.noticed.filter(({ late }) => late).map(({ delivery }) => delivery.payload.error?.code);
  assert.deepEqual(alarms, ['REVERSAL_UNPROVEN']);
});

test('an earlier attempt that is taken up once the approved later one has gone back is told with that', async () => {
  const nameless = { status: 200, body: JSON.stringify([{ finStatus: 'AUTHORISED', totalAmount: 1000 }]) };
  const world = await twoAttempts({ shows: (passed) => (passed < 14_000 ? NOT_FOUND : nameless) });
  world.terminal.presentCard();
  await world.clock.runUntilIdle(3 * 24 * 3_600_000);
  assert.equal(world.bank.netMoved(), 0, 'the later one');
  assert.deepEqual(told(world), [
    ['needs-attention', 'provisional', false, 'SECOND_ATTEMPT_REVERSED'],
    ['done', 'approved', true, 'SECOND_ATTEMPT_REVERSED'],
  ]);
});

test('a callback of the attempt that has gone back already says nothing about the one that goes back now', async () => {
  const policies = { lateApproval: 'reverse', deadlineMs: 8000 } as const;
  const world = await twoAttempts({ policies, callbacks: true });
  world.simulator.faults.arm({ kind: 'callback-lost', times: 100 });
  world.terminal.presentCard();
  await world.clock.runUntil(() => world.reversed.length === 1, 120_000);
  const [transactionID] = world.reversed;
  await world.callback(world.sent[1] ?? '', { transactionID, finStatus: 'AUTHORISED', totalAmount: 1000 });
  await world.clock.runUntil(() => world.told.some(({ payload }) => payload.final), 1_200_000);
  assert.equal(world.told.at(-1)?.payload.error?.code, 'LATE_APPROVAL_REVERSED');
  await world.callback(world.sent[0] ?? '', { transactionID: 'one', finStatus: 'AUTHORISED', totalAmount: 1000 });
  await world.callback(world.sent[1] ?? '', { transactionID, finStatus: 'AUTHORISED', totalAmount: 1000 });
  assert.deepEqual(world.late(), []);
});

test('where the charge of an earlier attempt names no transaction, the approved later one goes back', async () => {
  const nameless = { status: 200, body: JSON.stringify([{ finStatus: 'AUTHORISED', totalAmount: 1000 }]) };
  const world = await twoAttempts({ shows: (passed) => (passed < 14_000 ? NOT_FOUND : nameless) });
  world.terminal.presentCard();
  const { payload } = await world.untilTold(1, 120_000);
  assert.deepEqual([payload.outcome, payload.reference], ['provisional', world.sent[0]]);
  assert.equal(world.reversed.length, 1);
  assert.equal(world.bank.netMoved(), 0);
});

test('a policy that reverses what is late takes back both attempts before it says that nothing was charged', async () => {
  const world = await twoAttempts({ policies: { lateApproval: 'reverse', deadlineMs: 8000 } });
  world.terminal.presentCard();
  await world.clock.runUntil(() => world.told.some(({ payload }) => payload.final), 1_200_000);
  const { payload } = world.told.at(-1) ?? {};
  assert.deepEqual([payload?.outcome, payload?.error?.code], ['cancelled', 'LATE_APPROVAL_REVERSED']);
  assert.deepEqual([world.reversed.length, new Set(world.reversed).size], [2, 2], 'each once');
  assert.ok(world.reversed.includes('one'));
});

test('an approval of an earlier attempt that is called back after the deadline goes back by policy, too', async () => {
  const policies = { deadlineMs: 5000, lateApproval: 'reverse' } as const;
  const world = await twoAttempts({ policies, callbacks: true });
  await world.clock.advance(8000);
  const [first = ''] = world.sent;
  await world.callback(first, { transactionID: 'one', finStatus: 'AUTHORISED', totalAmount: 1000 });
  await world.untilTold(1, 120_000);
  assert.deepEqual(world.reversed, ['one']);
  assert.deepEqual(told(world), [['not-done', 'cancelled', true, 'LATE_APPROVAL_REVERSED']]);
});

test('as long as nobody says what became of an earlier attempt, the end of a later one is an open question', async () => {
  const world = await twoAttempts({ shows: () => ({ status: 500, body: '' }) });
  world.terminal.cancel();
  await world.clock.advance(3 * 24 * 3_600_000);
  assert.ok(world.told.length > 0);
  for (const { payload } of world.told) assert.equal(payload.moneyMoved, 'unknown', payload.outcome);
});

test('an earlier attempt that failed at the gateway may still turn into a charge until the recovery limit', async () => {
  const world = await twoAttempts({ shows: () => shown('FAILED') });
  world.terminal.cancel();
  await world.clock.advance(360_000);
  assert.deepEqual(told(world), []);
  await world.untilTold(1, 60_000);
  assert.deepEqual(told(world), [['not-done', 'cancelled', true, 'CANCELLED']]);
});

test('an earlier attempt that said itself that it failed is done with at the recovery limit, where nothing shows of it', async () => {
  const world = await twoAttempts({ shows: ABSENT, callbacks: true });
  const [first = ''] = world.sent;
  assert.equal(await world.callback(first, { transactionID: 'one', finStatus: 'FAILED' }), 'taken');
  world.terminal.cancel();
  await world.clock.advance(360_000);
  assert.deepEqual(told(world), [], 'FAILED may still turn into an approval');
  await world.untilTold(1, 60_000);
  assert.deepEqual(told(world), [['not-done', 'cancelled', true, 'CANCELLED']]);
});

test('after a restart the flow is told what the terminal itself said, not what the status service shows of it', async () => {
  const earlier: HttpAnswer = { status: 500, body: '' };
  const world = await twoAttempts({ shows: () => earlier, callbacks: true });
  const { faults } = world.simulator;
  for (const kind of ['status-in-progress', 'poll-404'] as const) faults.arm({ kind, times: 1000 });
  world.terminal.presentCard();
  await world.clock.advance(2000);
  await world.engine.stop();
  const next = world.createEngine();
  await next.start();
  world.connect(next);
  await world.clock.advance(60_000);
  Object.assign(earlier, NOT_FOUND);
  const { payload } = await world.untilTold(1, 60_000);
  const { finStatus, authorisationCode } = payload.result as TransactionResult;
  assert.deepEqual([payload.outcome, finStatus, authorisationCode !== ''], ['approved', 'AUTHORISED', true]);
  await next.stop();
});

test('a restart asks for the earlier attempts anew before it tells the end of a later one', async () => {
  const world = await twoAttempts();
  world.terminal.cancel();
  await world.clock.advance(5000);
  await world.engine.stop();
  const next = world.createEngine();
  world.connect(next);
  await next.start();
  const { payload } = await world.untilTold(1, 120_000);
  assert.deepEqual([payload.outcome, payload.reference], ['provisional', world.sent[0]]);
  await next.stop();
});

test('an UNDEFINED of an earlier attempt, of which nothing ever shows, leaves no question', async () => {
  const world = await twoAttempts({ shows: ABSENT, callbacks: true });
  await world.callback(world.sent[0] ?? '', { finStatus: 'UNDEFINED', transactionID: 'one', totalAmount: 0 });
  world.terminal.cancel();
  await world.clock.advance(20 * 60_000);
  assert.deepEqual(told(world).at(-1), ['not-done', 'cancelled', true, 'CANCELLED']);
});

test('the charge of the first attempt is no "not charged" when the status service has no record of the second, days later', async () => {
  const clock = new VirtualClock();
  const shop = { isStatusAway: true, life: new Life(clock) };
  const references: string[] = [];
  const w: Payments = payments({
    clock,
    engine: {
      clock: shop.life,
      send: async (request) => {
        const body = JSON.parse(request.body ?? '{}');
        if (body.operation === 'sale') {
          if (references.push(body.transactionReference) === 1) return THROTTLED;
          throw new Error('the answer is lost');
        }
        if (shop.isStatusAway) throw new Error('nobody answers');
        return w.simulator.send(request);
      },
    },
  });
  await w.sale();
  await clock.runUntil(() => references.length === 2, 10_000);
  await w.callback(references[0] ?? '', { transactionID: 'first', finStatus: 'AUTHORISED', totalAmount: 1000 });
  await w.untilTold(1, 600_000);
  shop.life.die();
  w.journal.crash();
  await clock.advance(3 * 24 * 3600_000);
  shop.isStatusAway = false;
  shop.life = new Life(clock);
  w.engine = w.createEngine({ clock: shop.life });
  w.connect(w.engine);
  await w.engine.start();
  await w.untilTold(2, 3600_000);
  const told = w.told.map(({ payload: { outcome, moneyMoved, final } }) => [outcome, moneyMoved, final]);
  assert.deepEqual(told, [
    ['unknown', 'unknown', false],
    ['approved', 'yes', true],
  ]);
});
