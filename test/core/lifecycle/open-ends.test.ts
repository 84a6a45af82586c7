import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, type LifecycleEvent } from '../../../src/core/lifecycle/terminal/lifecycle.js';
import { dueAt } from '../../../src/core/lifecycle/terminal/schedule.js';
import { DEFAULT_POLICIES } from '../../harness/payments.js';
import { after, TOO_MANY } from './several-attempts.js';

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
