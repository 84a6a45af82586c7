import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, stepTerminal } from '../../../src/core/lifecycle/terminal/lifecycle.js';

const YESTERDAY = Date.UTC(2026, 10, 22);
const IN_1970 = 42_000;

test('what ended in another life counts from the start of this one, while the payment pauses too', () => {
  const policies = { busyWaitMs: 60_000, lateApproval: 'report', partialApproval: 'accept' } as const;
  const state = begin('sale', policies, true, YESTERDAY);
  for (const phase of ['pausing', 'waiting'] as const) {
    const terminal = { meaning: 'cancelled', via: 'callback', at: YESTERDAY } as const;
    const { state: after } = stepTerminal(
      { ...state, phase, terminal, endedAt: YESTERDAY },
      { type: 'restored', serviceChanged: false, mayBeBackup: false },
      IN_1970,
    );
    assert.deepEqual([after.endedAt, after.terminal?.at], [IN_1970, IN_1970], phase);
  }
});
