import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, stepTerminal } from '../../../src/core/lifecycle/terminal/lifecycle.js';
import { DEFAULT_POLICIES } from '../../harness/payments.js';
import { after, latestApproval, TOO_MANY } from './several-attempts.js';

const throttled = { type: 'refused', refusal: 'throttled', error: TOO_MANY } as const;

test('what is approved in the pause after the second of two attempts waits for what became of the other', () => {
  const pausing = after(
    begin('sale', DEFAULT_POLICIES, true, 0),
    [throttled, 0],
    [{ type: 'tick' }, 1000],
    [{ type: 'leaving' }, 1000],
    [throttled, 2000],
  );
  assert.equal(pausing.phase, 'pausing');
  const { state, effects } = stepTerminal(pausing, latestApproval, 2500);
  assert.equal(state.phase, 'waiting');
  assert.ok(!effects.includes('deliver'));
});
