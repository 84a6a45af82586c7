import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  begin,
  type LifecycleEvent,
  type LifecycleState,
  stepTerminal,
} from '../../../src/core/lifecycle/terminal/lifecycle.js';
import { dueAt } from '../../../src/core/lifecycle/terminal/schedule.js';
import { DEFAULT_POLICIES } from '../../harness/payments.js';
import { after, attempts, earlierApproval, latestApproval, TOO_MANY } from './several-attempts.js';

const TICK: LifecycleEvent = { type: 'tick' };
const LIMIT = 395_000;

/** The own result of the attempt `one`, which nobody can read. */
const UNREAD: LifecycleEvent = {
  type: 'terminal',
  meaning: 'undefined',
  isUnclear: true,
  via: 'callback',
  earlier: 'one',
};
const NO_RECORD = [20_000, 26_000].map((at): [LifecycleEvent, number] => [
  { type: 'earlier', meaning: 'none', askedAt: at, lastAskedAt: at },
  at,
]);

const shown = (at: number): LifecycleEvent => ({
  type: 'earlier',
  meaning: 'approved',
  reference: 'one',
  transactionId: 'one',
  askedAt: at,
  lastAskedAt: at,
  others: 'none',
  shown: ['one'],
});

test('a person who noted that they had dealt with a payment before its second charge was known hears of that charge', () => {
  const state = after(attempts(2), [latestApproval, 8000], [shown(20_000), 20_000]);
  assert.deepEqual([state.phase, state.reported], ['reversing', 'approved']);
  const { state: left, effects } = stepTerminal(state, { type: 'handled' }, 21_000);
  assert.deepEqual([left.phase, effects, left.alarm?.error?.code], ['closed', ['alarm', 'save'], 'REVERSAL_UNPROVEN']);
});

/** Two earlier attempts have charged, the latest is silent until the limit, and one of the two goes back. */
const surplusGoesBack = (): LifecycleState => {
  const state = after(
    attempts(3),
    [earlierApproval('one'), 5000],
    [earlierApproval('two'), 6000],
    [TICK, LIMIT],
    [TICK, LIMIT + 5000],
  );
  assert.equal(state.reversing?.isSurplus, true);
  return state;
};

for (const [of, policies] of [
  ['their approvals', {}],
  ['approvals that are late', { lateApproval: 'reverse', deadlineMs: 6500 }],
] as const) {
  test(`of three charges, known by ${of}, one goes back while the latest is unknown, and the flow hears that two are left`, () => {
    const three = after(
      attempts(4, policies),
      ...['one', 'two', 'three'].map((id, place): [LifecycleEvent, number] => [earlierApproval(id), 7000 + place]),
      [TICK, LIMIT + 2000],
      [TICK, LIMIT + 3000],
    );
    assert.equal(three.reversing?.isSurplus, true);
    const { state, transition } = stepTerminal(after(three, [{ type: 'reversed' }, LIMIT + 4000]), TICK, LIMIT + 5000);
    assert.deepEqual([transition?.event, state.latest?.verdict.error?.code], ['surplus-charge', 'REVERSAL_UNPROVEN']);
    assert.equal(stepTerminal(state, TICK, LIMIT + 6000).transition, undefined);
  });
}

test('of two charges one goes back, and the flow hears of the other, where the latest attempt ended long after nobody could say', () => {
  const ended: LifecycleEvent = { type: 'terminal', meaning: 'declined', via: 'callback' };
  const restartedAt = LIMIT + 10_000;
  const state = after(
    attempts(3),
    [earlierApproval('one'), 5000],
    [TICK, LIMIT],
    [{ type: 'restored' }, restartedAt],
    [ended, restartedAt + 1000],
  );
  assert.deepEqual(
    [state.phase, state.latest?.verdict.outcome],
    ['watching', 'unknown'],
    'the other one may have charged',
  );
  const charged = after(state, [earlierApproval('two'), restartedAt + 2000]);
  assert.deepEqual([charged.phase, charged.reversing?.second?.reference], ['reversing', 'two']);
  const told = after(charged, [{ type: 'reversed' }, restartedAt + 3000], [TICK, restartedAt + 4000]);
  assert.deepEqual([told.phase, told.latest?.verdict.outcome], ['closed', 'approved']);
});

test('the approval of the latest attempt is no plain "approved" while a person looks at two charges before it', () => {
  const left = after(surplusGoesBack(), [{ type: 'handled' }, LIMIT + 7000], [latestApproval, LIMIT + 20_000]);
  assert.deepEqual([left.phase, left.pending?.verdict.error?.code], ['watching', 'REVERSAL_UNPROVEN']);
});

test('a flow hears of a second charge that a person keeps from going back, whoever knew of it when they noted that', () => {
  const state = after(attempts(2), [earlierApproval('one'), 5000], [latestApproval, 8000], ...NO_RECORD);
  assert.deepEqual([state.phase, state.reversing?.reason, state.reported], ['reversing', 'second', undefined]);
  for (const known of [state, surplusGoesBack()]) {
    const { state: left, effects } = stepTerminal(known, { type: 'handled' }, LIMIT + 7000);
    assert.deepEqual([left.phase, left.latest?.verdict.error?.code], ['watching', 'REVERSAL_UNPROVEN']);
    assert.deepEqual(effects, ['save', 'deliver']);
  }
});

test('an answer to the reversal of another attempt says nothing of the latest once a person was asked to look', () => {
  const left = after(surplusGoesBack(), [TICK, LIMIT + 130_000], [{ type: 'reversed' }, LIMIT + 135_000]);
  assert.equal(left.phase, 'watching', 'the latest is still unknown');
});

const RELEASE = (): LifecycleState => ({
  ...begin('preAuthorizationReversal', { ...DEFAULT_POLICIES, exclusiveTerminal: false }, false, 0),
  traceableBy: 'original',
  mayBeHold: 'hold',
  hasCallback: true,
});

test('a release that began although it was answered 429 is not sent again once its result has come', () => {
  const state = after(
    RELEASE(),
    [{ type: 'refused', refusal: 'throttled', error: TOO_MANY }, 0],
    [latestApproval, 500],
    [TICK, 1000],
  );
  assert.deepEqual([state.phase, state.leaving], ['waiting', undefined]);
});

test('a flow that was told that its release was refused hears at once that it was done', () => {
  const error = { code: '1001', name: 'TERMINAL_BUSY', message: 'busy' };
  const listening: LifecycleState = { ...RELEASE(), phase: 'listening', reported: 'refused', busy: { at: 0, error } };
  assert.equal(stepTerminal(listening, latestApproval, 80_000).state.reported, 'unknown');
});

test('what was going back when a backup was made is not sent back again: somebody may have given it back since', () => {
  const policies = { ...DEFAULT_POLICIES, lateApproval: 'reverse', deadlineMs: 15_000 } as const;
  const reversing: LifecycleState = {
    ...begin('sale', policies, true, 0),
    phase: 'reversing',
    transactionId: 'one',
    terminal: { meaning: 'approved', via: 'callback', at: 20_000 },
    reversing: { reason: 'late', since: 20_000 },
  };
  const restored = after(reversing, [{ type: 'restored', mayBeBackup: true }, 4_000_000]);
  assert.equal(dueAt('reverse', restored, {}, { callbacksWork: true, open: 1 }), undefined);
  const left = after(restored, [TICK, 4_031_000]);
  assert.equal(left.pending?.verdict.error?.code, 'REVERSAL_UNPROVEN');
});

test('a status CANCELLED of the latest attempt counts beside an earlier approval once its terminal has ended', () => {
  const cancelled: LifecycleEvent = { type: 'gateway', meaning: 'cancelled', askedAt: 12_000, transactionId: 'c' };
  const state = after(attempts(2), [earlierApproval('one'), 5000], [cancelled, 12_000]);
  assert.equal(state.phase, 'waiting', 'the cardholder may try again');
});

test('an attempt whose result nobody can read is asked for before the approval of another one is told', () => {
  const unreadable: LifecycleEvent = {
    type: 'terminal',
    meaning: 'undefined',
    isUnclear: true,
    via: 'callback',
    earlier: 'x',
  };
  const declined: LifecycleEvent = { type: 'terminal', meaning: 'declined', via: 'callback' };
  const state = after(attempts(3), [unreadable, 5000], [shown(20_000), 20_000], [declined, 21_000]);
  assert.deepEqual([state.takenUp, state.unprovenAttempts], ['one', true]);
});

test('an earlier attempt that was approved in a way nobody can read is an alarm beside the approval of the latest', () => {
  const state = after(attempts(2), [UNREAD, 5000], [latestApproval, 8000], ...NO_RECORD);
  assert.deepEqual(
    [state.phase, state.reported, state.alarm?.error?.code],
    ['closed', 'approved', 'REVERSAL_UNPROVEN'],
  );
});

test('the same beside the approval of another earlier attempt is an alarm', () => {
  const declined: LifecycleEvent = { type: 'terminal', meaning: 'declined', via: 'callback' };
  const state = after(attempts(3), [UNREAD, 5000], [earlierApproval('two'), 6000], [declined, 8000], ...NO_RECORD);
  assert.deepEqual(
    [state.phase, state.reported, state.alarm?.error?.code],
    ['closed', 'approved', 'REVERSAL_UNPROVEN'],
  );
});

test('the same is an alarm where nobody can read a result that comes after the approval', () => {
  const declined: LifecycleEvent = { type: 'terminal', meaning: 'declined', via: 'callback' };
  const state = after(attempts(3), [earlierApproval('two'), 5000], [UNREAD, 6000], [declined, 8000], ...NO_RECORD);
  assert.deepEqual(
    [state.phase, state.reported, state.alarm?.error?.code],
    ['closed', 'approved', 'REVERSAL_UNPROVEN'],
  );
});

test('an attempt that nobody could read, and that was declined as its next result says, is no alarm', () => {
  const declined: LifecycleEvent = { type: 'terminal', meaning: 'declined', via: 'callback', earlier: 'one' };
  const state = after(attempts(2), [UNREAD, 5000], [declined, 6000], [latestApproval, 8000], ...NO_RECORD);
  assert.deepEqual([state.phase, state.reported, state.alarm], ['closed', 'approved', undefined]);
});

test('an earlier attempt that was approved in a way nobody can read leaves a FAILED of the latest an open question', () => {
  const failed = (askedAt: number): [LifecycleEvent, number] => [
    { type: 'gateway', meaning: 'failed', askedAt },
    askedAt,
  ];
  const none = (at: number): [LifecycleEvent, number] => [
    { type: 'earlier', meaning: 'none', askedAt: at, lastAskedAt: at },
    at,
  ];
  const state = after(attempts(2), [UNREAD, 5000], failed(380_000), none(380_000), none(386_000), failed(390_000));
  assert.deepEqual([state.phase, state.latest?.verdict.final], ['watching', false]);
});

const PART: LifecycleEvent = { type: 'terminal', meaning: 'partial', via: 'callback', transactionId: 'latest' };
for (const [name, policies, result] of [
  ['late approval', { deadlineMs: 10_000, lateApproval: 'reverse' }, latestApproval],
  ['partial approval', { partialApproval: 'reverse' }, PART],
] as const) {
  test(`a ${name} that went back is no "no" beside an earlier attempt that was approved in a way nobody can read`, () => {
    const state = after(
      attempts(2, policies),
      [UNREAD, 5000],
      [result, 12_000],
      ...[30_000, 36_000].map((at): [LifecycleEvent, number] => [
        { type: 'earlier', meaning: 'none', askedAt: at, lastAskedAt: at },
        at,
      ]),
      [{ type: 'reversed' }, 37_000],
    );
    const { moneyMoved, final, error } = state.latest?.verdict ?? {};
    assert.deepEqual([moneyMoved, final, error?.code], ['unknown', false, 'REVERSAL_UNPROVEN']);
    const declined: LifecycleEvent = { type: 'terminal', meaning: 'declined', via: 'callback', earlier: 'one' };
    const back: LifecycleEvent = { type: 'gateway', meaning: 'cancelled', askedAt: 60_000 };
    const ended = after(state, [declined, 50_000], [back, 60_000]);
    assert.deepEqual(
      [ended.phase, ended.reported],
      ['closed', 'cancelled'],
      'its next result says that it was declined',
    );
  });
}
