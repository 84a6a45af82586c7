import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WATCH_GRACE } from '../../../src/core/base/timings.js';
import { begin, type LifecycleEvent, watchEndsFrom } from '../../../src/core/lifecycle/terminal/lifecycle.js';
import { dueAt } from '../../../src/core/lifecycle/terminal/schedule.js';
import { DEFAULT_POLICIES } from '../../harness/payments.js';
import { after, attempts, TOO_MANY } from './several-attempts.js';

/** Ends of a payment that are open for longer than usual, or again. */

const TICK: LifecycleEvent = { type: 'tick' };
const gateway = (meaning: 'failed' | 'approved' | 'none', askedAt: number): LifecycleEvent => ({
  type: 'gateway',
  meaning,
  askedAt,
  ...(meaning === 'none' ? {} : { transactionId: 'x' }),
});
const accepted: LifecycleEvent = { type: 'accepted', resultId: 'r' };

test('FAILED on both sides that shows as AUTHORISED is told at once, not after two days', () => {
  const state = after(
    begin('sale', DEFAULT_POLICIES, true, 0),
    [accepted, 1000],
    [{ type: 'terminal', meaning: 'failed', via: 'callback' }, 5000],
    [gateway('failed', 21_000), 21_000],
  );
  assert.deepEqual([state.phase, state.reported], ['watching', 'failed']);
  const later = after(
    state,
    [gateway('approved', 60_000), 60_000],
    [gateway('approved', 400_000), 400_000],
    [TICK, 401_000],
  );
  assert.equal(later.reported, 'provisional', `still told "${later.reported}" although the gateway shows a charge`);
});

test('a terminal\'s own REFUNDED with no record is a question, not "not charged, try again"', () => {
  const state = after(
    begin('sale', DEFAULT_POLICIES, true, 0),
    [accepted, 1000],
    [{ type: 'terminal', meaning: 'returned', via: 'callback', transactionId: 'x' }, 5000],
    [gateway('none', 92_000), 92_000],
    [gateway('none', 98_000), 98_000],
  );
  assert.notDeepEqual([state.phase, state.reported], ['closed', 'not-charged']);
});

test('what was cancelled while its request met a 429 is not sent by the next process', () => {
  const state = after(
    begin('sale', { ...DEFAULT_POLICIES, busyWaitMs: 60_000 }, true, 0),
    [{ type: 'cancel' }, 100],
    [{ type: 'refused', refusal: 'throttled', error: TOO_MANY }, 200],
    [{ type: 'stopping' }, 300],
    [{ type: 'restored', mayBeBackup: false, serviceChanged: false }, 3000],
  );
  const left = after(state, [TICK, 3100]);
  assert.ok(!left.leaving, 'the next process sends what the flow has cancelled');
});

test('a keyed entry that timed out after a cancel which could not stop it is stopped once', () => {
  const state = after(
    begin('moToSale', { ...DEFAULT_POLICIES, exclusiveTerminal: false }, false, 0),
    [accepted, 1000],
    [{ type: 'cancel' }, 2000],
    [{ type: 'stop-not-possible' }, 3000],
    [{ type: 'terminal', meaning: 'cancelled', via: 'callback' }, 60_000],
  );
  const due = dueAt('stop', state, {}, { callbacksWork: true, open: 1 });
  assert.ok(state.phase === 'waiting' && due !== undefined, `closed without a stop: ${state.phase}, ${due}`);
});

test('a part of a hold is held, and no money has moved', () => {
  const state = after(
    begin('preAuthorization', DEFAULT_POLICIES, true, 0),
    [accepted, 1000],
    [{ type: 'terminal', meaning: 'partial', via: 'callback', transactionId: 'x' }, 5000],
  );
  assert.notEqual(state.pending?.verdict.moneyMoved, 'partly');
});

test('while its own result is pending nothing is told as not charged', () => {
  const state = after(
    begin('sale', DEFAULT_POLICIES, true, 0),
    [accepted, 1000],
    [{ type: 'processing' }, 5000],
    [gateway('none', 376_500), 376_500],
    [gateway('none', 382_000), 382_000],
  );
  assert.notEqual(state.reported, 'not-charged');
});

const earlier = (meaning: 'none' | 'undefined', askedAt: number): LifecycleEvent => ({
  type: 'earlier',
  meaning,
  askedAt,
  lastAskedAt: askedAt,
});

test('at the end of the watch an approval is told although nobody says what became of another attempt: a person hears of that', () => {
  const watched = after(attempts(2), [gateway('approved', 380_000), 380_000], [TICK, 400_000]);
  assert.deepEqual([watched.phase, watched.reported], ['watching', 'provisional']);
  const end = watchEndsFrom(watched);
  const shown = after(watched, [gateway('approved', end), end]);
  assert.equal(shown.phase, 'watching', 'the other attempt may still be answered for');
  const ended = after(shown, [TICK, end + WATCH_GRACE]);
  assert.deepEqual(
    [ended.phase, ended.reported, ended.alarm?.error?.code],
    ['closed', 'approved', 'REVERSAL_UNPROVEN'],
  );
});

test('at the end of the watch an approval from before it proves nothing', () => {
  const watched = after(attempts(2), [gateway('approved', 380_000), 380_000], [TICK, 400_000]);
  const ended = after(watched, [TICK, watchEndsFrom(watched) + WATCH_GRACE]);
  assert.equal(ended.latest?.verdict.error?.code, 'WATCH_ENDED');
});

test('a record of an earlier attempt that is missing from one of the last answers is asked for again', () => {
  const watched = after(attempts(2), [TICK, 400_000]);
  assert.equal(watched.phase, 'watching');
  const end = watchEndsFrom(watched);
  const open = after(
    watched,
    [earlier('none', end), end],
    [earlier('undefined', end + 5000), end + 5000],
    [gateway('none', end + 6000), end + 6000],
    [gateway('none', end + 12_000), end + 12_000],
  );
  assert.equal(open.phase, 'watching', 'the next answer may show its record again');
  const history = { earlier: { tries: 2, at: end + 5000 } };
  assert.equal(dueAt('earlier', open, history, { callbacksWork: true, open: 1 }), end + 65_000);
  const again = [65_000, 70_000].map((ms): [LifecycleEvent, number] => [earlier('none', end + ms), end + ms]);
  const ended = after(open, ...again);
  assert.deepEqual([ended.phase, ended.reported], ['closed', 'not-charged']);
});

test('a record that never shows again leaves the end unknown, half an hour after the watch', () => {
  const watched = after(attempts(2), [TICK, 400_000]);
  const end = watchEndsFrom(watched);
  const open = after(watched, [earlier('undefined', end), end], [gateway('none', end + 6000), end + 6000]);
  const ended = after(open, [TICK, end + WATCH_GRACE]);
  assert.equal(ended.latest?.verdict.error?.code, 'WATCH_ENDED');
});
