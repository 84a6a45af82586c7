import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, type LifecycleState, stepTerminal } from '../../../src/core/lifecycle/terminal/lifecycle.js';

const POLICIES = {
  busyWaitMs: 600_000,
  lateApproval: 'report',
  partialApproval: 'accept',
  exclusiveTerminal: true,
} as const;

test('a payment that was charged and went back, although it was answered 429, is not sent again', () => {
  const paused: LifecycleState = {
    ...begin('sale', POLICIES, true, 0),
    phase: 'pausing',
    pausedUntil: 1500,
    throttled: { at: 0, error: { code: 'THROTTLED', name: 'x', message: 'too many' } },
    unprovenAttempts: true,
  };
  const event = { type: 'terminal', meaning: 'returned', via: 'callback' } as const;
  const after = stepTerminal(paused, event, 1000).state;
  assert.equal(stepTerminal(after, { type: 'tick' }, 2000).state.phase, 'waiting');
});
