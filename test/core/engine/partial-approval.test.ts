import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock, HttpAnswer } from '../../../src/core/base/seams.js';
import { LAST_ANSWER, RECOVERY_LIMIT, SETTLING_LAG } from '../../../src/core/base/timings.js';
import { begin, stepTerminal } from '../../../src/core/lifecycle/terminal/lifecycle.js';
import { DEFAULT_POLICIES, type Payments, payments } from '../../harness/payments.js';
import { VirtualClock } from '../../harness/virtual-clock.js';

const SECOND = 1000;
const GONE = JSON.stringify({ error: { statusCode: 404, name: 'NotFoundError', message: 'Not found' } });

/** The terminal shows the question of a partial approval; polls and status say so until something else is answered. */
async function prompted({
  operation = 'sale' as 'sale' | 'moToSale',
  poll = (_now: number): HttpAnswer | undefined => undefined,
  shown = 'PARTIAL_APPROVAL',
} = {}) {
  const partial = { finStatus: 'PARTIAL_APPROVAL', transactionID: 'one', totalAmount: 400, dueAmount: 600 };
  const polls: number[] = [];
  const statuses: number[] = [];
  const world: Payments = payments({
    callbacks: false,
    engine: {
      send: async ({ method, url }) => {
        const now = world.clock.now() - startedAt;
        if (method === 'POST') return { status: 202, body: JSON.stringify({ transactionResultId: 'result' }) };
        if (url.includes('/status/')) {
          statuses.push(now);
          return { status: 200, body: JSON.stringify(shown === '' ? [] : [{ ...partial, finStatus: shown }]) };
        }
        polls.push(now);
        return poll(now) ?? { status: 200, body: JSON.stringify(partial) };
      },
    },
  });
  const startedAt = world.clock.now();
  await world.sale({ operation });
  return { ...world, polls, statuses };
}

test('a polled partial approval is told once terminal and status were asked 70 s after it was first seen', async () => {
  const world = await prompted();
  const { payload } = await world.untilTold();
  const [first = 0] = world.polls;
  assert.equal(payload.outcome, 'partial');
  for (const asked of [world.polls, world.statuses]) assert.ok((asked.at(-1) ?? 0) >= first + 70 * SECOND);
  assert.ok((world.polls.at(-1) ?? 0) < first + 75 * SECOND);
});

test('a polled partial approval that nobody confirms after its question is no "partial"', async () => {
  const world = await prompted({
    operation: 'moToSale',
    poll: (now) => (now > 30 * SECOND ? { status: 500, body: '' } : undefined),
  });
  const { payload } = await world.untilTold();
  assert.deepEqual([payload.outcome, payload.final], ['unknown', false]);
});

test('a polled partial approval whose result the service keeps no longer is told by the status service', async () => {
  const world = await prompted({ poll: (now) => (now > 30 * SECOND ? { status: 404, body: GONE } : undefined) });
  const { payload } = await world.untilTold();
  assert.equal(payload.outcome, 'partial');
});

for (const shown of ['CANCELLED', 'IN_PROGRESS']) {
  test(`a polled partial approval that the status service shows as ${shown} is not told as money`, async () => {
    const world = await prompted({ shown, poll: (now) => (now > 90 * SECOND ? { status: 500, body: '' } : undefined) });
    await world.clock.advance(120 * SECOND);
    assert.deepEqual(
      world.told.filter(({ payload }) => payload.moneyMoved !== 'unknown' && payload.moneyMoved !== 'no'),
      [],
    );
  });
}

test('a part that the terminal asked about is never "not charged" for want of a record, whatever cannot be read later', async () => {
  const unreadable = { status: 200, body: JSON.stringify({ finStatus: 'PARTLY (1)', transactionID: 'one' }) };
  for (const poll of [() => undefined, (now: number) => (now > 30 * SECOND ? unreadable : undefined)]) {
    const world = await prompted({ shown: '', poll });
    await world.clock.advance(3 * 24 * 3600 * SECOND);
    assert.ok(world.told.length > 0);
    for (const { payload } of world.told) assert.equal(payload.moneyMoved, 'unknown', payload.outcome);
  }
});

test('a later result that names no amount does not take the place of the one that did', async () => {
  const nameless = { status: 200, body: JSON.stringify({ finStatus: 'PARTIAL_APPROVAL', transactionID: 'one' }) };
  const gone = { status: 404, body: GONE };
  const world = await prompted({
    poll: (now) => (now > 60 * SECOND ? gone : now > 30 * SECOND ? nameless : undefined),
  });
  const { payload } = await world.untilTold();
  assert.deepEqual([payload.outcome, payload.amount?.total], ['partial', '4.00']);
});

test('a part that the terminal said once and then cannot repeat goes back by policy, as the whole chain shows it', () => {
  const { state: asked } = stepTerminal(
    begin('sale', { ...DEFAULT_POLICIES, partialApproval: 'reverse' }, true, 0),
    { type: 'accepted', resultId: 'result' },
    0,
  );
  const events = [
    { type: 'terminal', meaning: 'partial', via: 'poll', askedAt: SECOND, transactionId: 'one' },
    { type: 'terminal', meaning: 'undefined', isUnclear: true, via: 'poll', askedAt: 5 * SECOND },
    { type: 'gateway', meaning: 'partial', askedAt: RECOVERY_LIMIT + SETTLING_LAG, transactionId: 'one' },
  ] as const;
  const { phase, reversing } = events.reduce((state, event) => stepTerminal(state, event, event.askedAt).state, asked);
  assert.deepEqual([phase, reversing?.reason], ['reversing', 'partial']);
});

test('where nobody can be asked, silence does not say that a busy attempt charged nothing', () => {
  const listening = {
    ...begin('moToSale', DEFAULT_POLICIES, false, 0),
    phase: 'listening',
    hasCallback: true,
    reported: 'unknown',
  } as const;
  for (const restoredAt of [undefined, 0]) {
    const ended = [RECOVERY_LIMIT + SETTLING_LAG, RECOVERY_LIMIT + LAST_ANSWER].map(
      (at) => stepTerminal({ ...listening, ...(restoredAt === 0 && { restoredAt }) }, { type: 'tick' }, at).transition,
    );
    assert.deepEqual(
      ended.map((transition) => transition?.event),
      [undefined, 'recovery-limit-passed'],
    );
  }
});

test('a process that was frozen while the cardholder refused a part does not tell it as paid', async () => {
  const clock = new VirtualClock();
  let frozen = 0;
  const after: Clock['after'] = (ms, run) => clock.after(ms + frozen, run);
  const thawing: Clock = { now: () => clock.now(), wall: () => clock.wall(), after };
  const world = payments({ clock, callbacks: false, simulator: { cardholder: 'none' }, engine: { clock: thawing } });
  await world.sale({ amount: '3757' });
  await clock.advance(500);
  world.terminal.presentCard();
  frozen = 3600 * SECOND;
  await clock.advance(5 * SECOND);
  frozen = 0;
  world.terminal.answerPartial(false);
  await clock.advance(8000 * SECOND);
  const { outcome, moneyMoved, final } = world.told.at(-1)?.payload ?? {};
  assert.deepEqual([outcome, moneyMoved, final], ['cancelled', 'no', true]);
  assert.ok(world.told.every(({ payload }) => payload.moneyMoved !== 'partly'));
  assert.equal(world.bank.netMoved(), 0);
});
