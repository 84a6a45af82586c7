import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  begin,
  type EarlierAnswer,
  type LifecycleEvent,
  type LifecycleState,
  stepTerminal,
} from '../../../src/core/lifecycle/terminal/lifecycle.js';
import { dueAt } from '../../../src/core/lifecycle/terminal/schedule.js';
import { DEFAULT_POLICIES } from '../../harness/payments.js';
import { after, attempts, earlierApproval, latestApproval, TOO_MANY } from './several-attempts.js';

/** Three attempts were refused for now, and the fourth has begun. */
const fourthBegun = (policies = {}): LifecycleState => attempts(4, policies);

test('of three earlier attempts that were approved one is reported, one goes back, and a person is asked about the third', () => {
  let state = fourthBegun();
  for (const id of ['one', 'two', 'three']) {
    state = stepTerminal(state, earlierApproval(id), 7000).state;
  }
  const { state: ended, effects } = stepTerminal(
    state,
    { type: 'terminal', meaning: 'declined', via: 'callback' },
    8000,
  );
  assert.deepEqual(
    [ended.phase, ended.transactionId, ended.reversing?.second?.transactionId],
    ['reversing', 'one', 'two'],
  );
  assert.ok(effects.includes('alarm'));
  assert.equal(ended.alarm?.error?.code, 'REVERSAL_UNPROVEN');
});

test('where one of several attempts was found, the terminal may still run another: the approval waits for that', () => {
  const error = { code: '429', name: 'TooManyRequestsError', message: 'Too many requests' };
  const events: [LifecycleEvent, number][] = [
    [{ type: 'refused', refusal: 'throttled', error }, 0],
    [{ type: 'tick' }, 1000],
    [{ type: 'leaving' }, 1000],
    [{ type: 'refused', refusal: 'busy', error: { ...error, code: '1001' } }, 1000],
    [{ type: 'gateway', meaning: 'approved', askedAt: 4000, transactionId: 'one' }, 4000],
    [{ type: 'terminal', meaning: 'approved', via: 'callback', transactionId: 'one' }, 5000],
    [{ type: 'earlier', meaning: 'none', askedAt: 20_000 }, 20_000],
    [{ type: 'earlier', meaning: 'none', askedAt: 25_000 }, 25_000],
  ];
  let state = begin('sale', { ...DEFAULT_POLICIES, exclusiveTerminal: false }, true, 0);
  for (const [event, now] of events) state = stepTerminal(state, event, now).state;
  assert.deepEqual([state.phase, state.pending], ['waiting', undefined]);
  for (const now of [380_000, 386_000])
    state = stepTerminal(state, { type: 'earlier', meaning: 'none', askedAt: now }, now).state;
  assert.deepEqual([state.phase, state.pending?.verdict.outcome], ['closed', 'approved']);
});

test('what the policy takes back of one earlier attempt does not hide what another one charged', () => {
  let state = fourthBegun({ deadlineMs: 7000, lateApproval: 'reverse' });
  for (const [id, at] of [
    ['one', 8000],
    ['two', 9000],
    ['one', 9500],
  ] as const) {
    state = stepTerminal(state, earlierApproval(id), at).state;
  }
  assert.deepEqual([state.earlier?.transactionId, state.earlier?.other?.transactionId], ['one', 'two']);
});

test('a charge that the policy takes back is no "nothing" for the next process, although its record has vanished', () => {
  let state = fourthBegun({ deadlineMs: 7000, lateApproval: 'reverse' });
  state = stepTerminal(state, earlierApproval('one'), 8000).state;
  state = stepTerminal(state, { type: 'restored' }, 9000).state;
  assert.deepEqual([state.earlier?.meaning, state.earlier?.shown], ['approved', ['one']]);
  state = stepTerminal(state, { type: 'terminal', meaning: 'declined', via: 'callback' }, 10_000).state;
  assert.equal(state.takenUp, 'one');
  for (const at of [500_000, 505_000]) {
    const vanished: LifecycleEvent = { type: 'earlier', meaning: 'none', askedAt: at, lastAskedAt: at };
    state = stepTerminal(state, vanished, at).state;
  }
  assert.deepEqual(
    [state.phase, state.reversing?.reason],
    ['reversing', 'late'],
    'its own result says that it charged',
  );
});

test('where an earlier attempt was approved, the others are asked for before the flow hears that nobody knows of them', () => {
  let state: LifecycleState = { ...fourthBegun(), isFound: true };
  state = stepTerminal(state, earlierApproval('one'), 7000).state;
  state = stepTerminal(state, { type: 'terminal', meaning: 'declined', via: 'callback' }, 8000).state;
  const askedFrom = 6000 + 360_000 + 15_000;
  state = stepTerminal(state, { type: 'tick' }, askedFrom).state;
  assert.equal(state.phase, 'waiting');
  const shown: LifecycleEvent = {
    type: 'earlier',
    meaning: 'approved',
    askedAt: askedFrom,
    reference: 'two',
    transactionId: 'two',
  };
  state = stepTerminal(state, shown, askedFrom + 500).state;
  assert.deepEqual([state.phase, state.reversing?.second?.transactionId], ['reversing', 'two']);
});

test('an attempt whose result names no transaction is the one that the status service names', () => {
  const nameless: LifecycleEvent = { type: 'terminal', meaning: 'approved', via: 'callback', earlier: 'one' };
  let state = stepTerminal(fourthBegun(), nameless, 7000).state;
  const shown: LifecycleEvent = {
    type: 'earlier',
    meaning: 'approved',
    askedAt: 7000,
    reference: 'one',
    transactionId: '1',
  };
  state = stepTerminal(state, shown, 7500).state;
  assert.deepEqual([state.approvedEarlier?.transactionId, state.otherApproved], ['1', undefined]);
  state = stepTerminal(state, { type: 'terminal', meaning: 'declined', via: 'callback' }, 8000).state;
  assert.notEqual(state.phase, 'reversing', 'its only charge stays');
});

/** Two of three earlier attempts were approved, and the latest was declined: one of the two goes back. */
function secondGoesBack(): LifecycleState {
  let state = fourthBegun();
  for (const id of ['one', 'two']) state = stepTerminal(state, earlierApproval(id), 7000).state;
  state = stepTerminal(state, { type: 'terminal', meaning: 'declined', via: 'callback' }, 8000).state;
  return stepTerminal(state, { type: 'reversed' }, 9000).state;
}

/** What the status service answers about the attempts beside the approved one: the second charge, and nothing of the third. */
const secondShown = (askedAt: number, other?: EarlierAnswer['other']): LifecycleEvent => ({
  type: 'earlier',
  meaning: 'approved',
  askedAt,
  lastAskedAt: askedAt,
  reference: 'two',
  transactionId: 'two',
  others: 'none',
  ...(other && { other }),
});

test('a third charge is for a person to look at, although its result names no transaction', () => {
  let state = secondGoesBack();
  assert.deepEqual([state.phase, state.alarm], ['reversing', undefined], 'the third is asked for first');
  for (const at of [22_000, 27_000]) state = stepTerminal(state, secondShown(at), at).state;
  assert.equal(state.alarm?.error?.code, 'SECOND_ATTEMPT_REVERSED');
  const third: LifecycleEvent = { type: 'terminal', meaning: 'approved', via: 'callback', earlier: 'three' };
  const { state: after, effects } = stepTerminal(state, third, 30_000);
  assert.deepEqual([effects, after.alarm?.error?.code], [['alarm', 'save'], 'REVERSAL_UNPROVEN']);
});

test('a third charge that the status service alone knows is found while the second one goes back', () => {
  const shown = secondShown(22_000, { reference: 'three', transactionId: 'three' });
  const { state, effects } = stepTerminal(secondGoesBack(), shown, 22_000);
  assert.deepEqual([effects, state.alarm?.error?.code], [['alarm', 'save'], 'REVERSAL_UNPROVEN']);
  const { state: after } = stepTerminal(state, { type: 'tick' }, 22_500);
  assert.deepEqual([after.phase, after.alarm?.error?.code], ['closed', 'REVERSAL_UNPROVEN']);
});

test('a third charge that nobody can be asked about is for a person to look at', () => {
  const { state } = stepTerminal(secondGoesBack(), { type: 'tick' }, 60_000);
  assert.deepEqual([state.phase, state.alarm?.error?.code], ['closed', 'REVERSAL_UNPROVEN']);
});

test('that a person must look at a third charge is not replaced by good news before anybody has heard it', () => {
  let state = fourthBegun();
  for (const id of ['one', 'two', 'three']) state = stepTerminal(state, earlierApproval(id), 7000).state;
  state = stepTerminal(state, { type: 'terminal', meaning: 'declined', via: 'callback' }, 8000).state;
  const { state: after } = stepTerminal(state, { type: 'reversed' }, 9000);
  assert.deepEqual([after.phase, after.alarm?.error?.code], ['closed', 'REVERSAL_UNPROVEN']);
});

test('a polled result is saved although the approval waits for what became of the other attempts', () => {
  const polled: LifecycleEvent = { type: 'terminal', meaning: 'approved', via: 'poll', askedAt: 7000 };
  const { state, effects } = stepTerminal(fourthBegun(), polled, 7000);
  assert.deepEqual([state.phase, effects], ['waiting', ['save']]);
  assert.deepEqual(stepTerminal(state, { ...polled, askedAt: 9000 }, 9000).effects, [], 'once');
});

test('a 429 of the latest attempt beside an approved earlier one does not say that it has not begun', () => {
  const refused = (refusal: 'throttled' | 'busy'): LifecycleEvent => ({ type: 'refused', refusal, error: TOO_MANY });
  let state: LifecycleState = { ...fourthBegun(), phase: 'sending' };
  state = stepTerminal(state, earlierApproval('one'), 7000).state;
  for (const refusal of ['throttled', 'busy'] as const) {
    const open = stepTerminal(state, refused(refusal), 8000).state;
    assert.equal(open.phase, 'waiting', refusal);
    const none = (askedAt: number): LifecycleEvent => ({ type: 'gateway', meaning: 'none', askedAt });
    let absent = stepTerminal(open, none(20_000), 20_000).state;
    absent = stepTerminal(absent, none(25_000), 25_000).state;
    assert.equal(absent.phase, 'waiting', 'two answers count once what was sent shows');
    absent = stepTerminal(absent, none(30_000), 30_000).state;
    absent = stepTerminal(absent, { type: 'tick' }, 8000 + 360_000 + 15_000 + 15_000).state;
    assert.deepEqual([absent.phase, absent.reported], ['closed', 'approved']);
  }
});

test('a person who has given a second charge back leaves what the flow was told of the first as it is', () => {
  let state: LifecycleState = {
    ...fourthBegun(),
    phase: 'reversing',
    reported: 'approved',
    reversing: { reason: 'second', since: 7000, second: { reference: 'one', transactionId: 'one' } },
  };
  state = stepTerminal(state, { type: 'handled' }, 8000).state;
  const later = [{ type: 'tick' }, earlierApproval('one')] as const;
  for (const event of later) state = stepTerminal(state, event, 3 * 24 * 3_600_000).state;
  assert.deepEqual([state.phase, state.reported, state.latest], ['closed', 'approved', undefined]);
});

test('what the own result of one attempt says is no look at the others', () => {
  let state = fourthBegun({ deadlineMs: 7000, lateApproval: 'reverse' });
  state = stepTerminal(state, earlierApproval('one'), 8000).state;
  const answer = (askedAt: number): LifecycleEvent => ({
    type: 'earlier',
    meaning: 'approved',
    askedAt,
    lastAskedAt: askedAt,
    reference: 'one',
    others: 'none',
  });
  state = stepTerminal(state, answer(20_000), 20_000).state;
  assert.equal(state.earlier?.noneAt, undefined);
  state = stepTerminal(state, answer(25_000), 25_000).state;
  assert.equal(state.earlier?.noneAt, 20_000);
});

test('the decline of the latest, posted long before its request is answered, does not hide that an earlier attempt was approved', () => {
  const none = (at: number): [LifecycleEvent, number] => [
    { type: 'earlier', meaning: 'none', askedAt: at, lastAskedAt: at },
    at,
  ];
  const sending = after(
    begin('sale', { ...DEFAULT_POLICIES, exclusiveTerminal: false }, true, 0),
    ...[0, 2000].flatMap((at): [LifecycleEvent, number][] => [
      [{ type: 'refused', refusal: 'throttled', error: TOO_MANY }, at],
      [{ type: 'tick' }, at + 1000],
      [{ type: 'leaving' }, at + 1000],
    ]),
  );
  const state = after(
    sending,
    [earlierApproval('one'), 5000],
    [{ type: 'terminal', meaning: 'declined', via: 'callback' }, 6000],
    [{ type: 'accepted' }, 17_000],
    none(21_000),
    none(26_000),
  );
  assert.notEqual(state.reported, 'declined');
  assert.equal(after(state, none(32_000), none(37_000)).reported, 'approved');
});

test('while all attempts are listened for, the decline of one is not the end of the others', () => {
  const listening: LifecycleState = { ...attempts(3), phase: 'listening', busy: { at: 0, error: TOO_MANY } };
  const { state } = stepTerminal(listening, { type: 'terminal', meaning: 'declined', via: 'callback' }, 8000);
  assert.deepEqual([state.phase, state.endedAt], ['listening', undefined]);
});

test('after a stop of ours has ended one attempt, and twice nobody knows of another, the next one follows', () => {
  const error = { ...TOO_MANY, code: '1001' };
  const policies = { ...DEFAULT_POLICIES, exclusiveTerminal: true, busyWaitMs: 60_000 };
  const cancelled = (askedAt: number): LifecycleEvent => ({
    type: 'gateway',
    meaning: 'cancelled',
    askedAt,
    othersAbsent: true,
  });
  const free = after(
    begin('sale', policies, true, 0),
    [{ type: 'refused', refusal: 'busy', error }, 0],
    [{ type: 'idle', askedAt: 1000 }, 1000],
    [{ type: 'gateway', meaning: 'none', askedAt: 16_000 }, 16_000],
    [{ type: 'gateway', meaning: 'none', askedAt: 21_000 }, 21_000],
    [{ type: 'leaving' }, 21_000],
    [{ type: 'refused', refusal: 'busy', error }, 22_000],
    [{ type: 'idle', askedAt: 23_000 }, 23_000],
  );
  const once = stepTerminal(free, cancelled(38_000), 38_000);
  assert.deepEqual([once.state.phase, once.effects.includes('post')], ['pausing', false]);
  const twice = stepTerminal(once.state, cancelled(43_000), 43_000);
  assert.deepEqual([twice.state.phase, twice.effects.includes('post')], ['pausing', true]);
});

test('beside a decline that others do not show is asked at the usual pace until that counts, and once more then', () => {
  const error = { ...TOO_MANY, code: '1001' };
  const policies = { ...DEFAULT_POLICIES, exclusiveTerminal: false, busyWaitMs: 5000 };
  const told = after(
    begin('sale', policies, true, 0),
    [{ type: 'refused', refusal: 'busy', error }, 0],
    [{ type: 'gateway', meaning: 'none', askedAt: 3000 }, 3000],
    [{ type: 'gateway', meaning: 'none', askedAt: 8000 }, 8000],
  );
  assert.equal(told.phase, 'listening');
  for (const [at, pause] of [
    [30_000, 10_000],
    [376_000, 5000],
  ] as const) {
    const one = after(told, [{ type: 'gateway', meaning: 'declined', askedAt: at, othersAbsent: true }, at]);
    assert.equal(one.phase, 'listening');
    assert.equal(dueAt('status', one, { status: { tries: 3, at } }, { callbacksWork: false, open: 1 }), at + pause);
  }
});

test('that the reversal is confirmed after its limit does not answer for an attempt whose result nobody can read', () => {
  const none = (askedAt: number): LifecycleEvent => ({
    type: 'earlier',
    meaning: 'none',
    askedAt,
    lastAskedAt: askedAt,
  });
  const watched = after(
    attempts(2, { deadlineMs: 7000, lateApproval: 'reverse' }),
    [{ type: 'terminal', meaning: 'undefined', isUnclear: true, via: 'callback', earlier: 'one' }, 5000],
    [latestApproval, 8000],
    [none(30_000), 30_000],
    [none(36_000), 36_000],
    [{ type: 'tick' }, 157_000],
    [{ type: 'tick' }, 157_000],
  );
  assert.deepEqual([watched.phase, watched.pending?.verdict.error?.code], ['watching', 'REVERSAL_UNPROVEN']);
  const late = after(watched, [{ type: 'reversed' }, 158_000]);
  assert.deepEqual([late.phase, late.pending?.verdict.final], ['watching', false]);
});

test('where the whole of the latest was given back by somebody else, what an earlier attempt charged is looked after', () => {
  const afterLimit = 2000 + 360_000 + 15_000;
  const shown: LifecycleEvent = {
    type: 'earlier',
    meaning: 'approved',
    askedAt: afterLimit,
    reference: 'one',
    transactionId: 'one',
  };
  const returned: LifecycleEvent = {
    type: 'gateway',
    meaning: 'returned',
    askedAt: afterLimit,
    transactionId: 'latest',
  };
  const state = after(attempts(2), [returned, afterLimit], [shown, afterLimit]);
  assert.deepEqual([state.phase, state.takenUp], ['waiting', 'one']);
  const part = after(attempts(2), [{ ...returned, net: 500 }, afterLimit], [shown, afterLimit]);
  assert.equal(part.takenUp, undefined, 'of a part nobody can say that the latest charged nothing');
});
