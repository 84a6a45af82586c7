import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeUpEarlier, withEnded } from '../../../src/core/lifecycle/terminal/earlier-attempts.js';
import {
  begin,
  type LifecycleEvent,
  type LifecycleState,
  stepTerminal,
} from '../../../src/core/lifecycle/terminal/lifecycle.js';
import { dueAt } from '../../../src/core/lifecycle/terminal/schedule.js';

const PACE = { callbacksWork: true, open: 1 };
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

const POLICIES = {
  busyWaitMs: 0,
  deadlineMs: 15_000,
  lateApproval: 'reverse',
  partialApproval: 'accept',
  exclusiveTerminal: false,
} as const;

test('a charge beside the attempt that is taken up is not forgotten, as its record may vanish', () => {
  const state: LifecycleState = {
    ...begin('sale', POLICIES, true, 0),
    phase: 'waiting',
    retries: 2,
    unprovenAttempts: true,
    earlier: {
      meaning: 'approved',
      askedAt: 20_000,
      reference: 'a',
      transactionId: 'one',
      other: { reference: 'b', transactionId: 'two' },
      shown: ['a', 'b'],
    },
  };
  const { takenUp, earlier } = takeUpEarlier(state, 21_000);
  assert.deepEqual([takenUp, earlier], ['a', { meaning: 'undefined', askedAt: 0, shown: ['b'] }]);
});

test('a process that goes on with a reversal asks about the other attempts first, and ends nothing before', () => {
  const state: LifecycleState = {
    ...begin('sale', POLICIES, true, 0),
    phase: 'reversing',
    retries: 2,
    unprovenAttempts: true,
    transactionId: 'three',
    earlier: { meaning: 'none', askedAt: 20_000 },
    reversing: { reason: 'late', since: 21_000 },
  };
  let taken = stepTerminal(state, { type: 'restored', serviceChanged: false, mayBeBackup: false }, 30_000).state;
  assert.equal(dueAt('reverse', taken, {}, PACE), undefined);
  taken = stepTerminal(taken, { type: 'reversed' }, 31_000).state;
  assert.equal(taken.phase, 'reversing');
  const shown = {
    type: 'earlier',
    meaning: 'approved',
    askedAt: 45_000,
    reference: 'a',
    transactionId: 'one',
  } as const;
  taken = stepTerminal(taken, shown, 45_000).state;
  assert.notEqual(dueAt('reverse', taken, {}, PACE), undefined);
  taken = stepTerminal(taken, { type: 'reversed' }, 46_000).state;
  assert.deepEqual([taken.phase, taken.transactionId], ['waiting', 'one']);
});

test('a flow that was told that a person may have to look does not hear so again at the limit', () => {
  const state: LifecycleState = { ...begin('sale', POLICIES, true, 0), phase: 'waiting', reported: 'provisional' };
  const { state: after, effects } = stepTerminal(state, { type: 'tick' }, 400_000);
  assert.deepEqual([after.phase, effects], ['watching', ['save']]);
});

test('a flow that was told "no" hears that it no longer holds where a person deals with the charge before it goes back', () => {
  const verdict = { outcome: 'refused', moneyMoved: 'no', final: false, retry: 'after-recovery' } as const;
  const state: LifecycleState = {
    ...begin('sale', POLICIES, true, 0),
    phase: 'reversing',
    reported: 'refused',
    latest: { verdict, source: 'answer', sequence: 1 },
    terminal: { meaning: 'approved', via: 'callback', at: 20_000 },
    reversing: { reason: 'late', since: 20_000 },
  };
  const { state: after, effects } = stepTerminal(state, { type: 'handled' }, 21_000);
  assert.deepEqual([after.phase, after.reported, effects], ['watching', 'unknown', ['save', 'deliver']]);
});

test('a third charge after the latest went back for an earlier one is told, and that one again is not', () => {
  const state: LifecycleState = {
    ...begin('sale', POLICIES, true, 0),
    phase: 'closed',
    reported: 'approved',
    transactionId: 'one',
    reversing: { reason: 'second', since: 1000 },
    earlierResults: { latest: 'ended' },
  };
  const approval = (reference: string, transactionId: string): LifecycleEvent => ({
    type: 'terminal',
    meaning: 'approved',
    via: 'callback',
    earlier: reference,
    transactionId,
  });
  assert.deepEqual(stepTerminal(state, approval('latest', 'two'), 2000).effects, ['late', 'save']);
  const { state: after, effects } = stepTerminal(state, approval('other', 'three'), 2000);
  assert.deepEqual([effects, after.isAlarmDue], [['alarm', 'save'], true]);
  assert.equal(stepTerminal(after, { type: 'alarm-told' }, 2001).state.isAlarmDue, undefined);
});

test('a new process does not take an attempt for never made whose record the one before it was shown', () => {
  const state: LifecycleState = {
    ...begin('sale', POLICIES, true, 0),
    phase: 'watching',
    reported: 'unknown',
    retries: 1,
    unprovenAttempts: true,
    watchUntil: 86_400_000,
  };
  const shown = { type: 'earlier', meaning: 'approved', askedAt: 1000, reference: 'a', shown: ['a'] } as const;
  const seen = stepTerminal(state, shown, 1000);
  assert.deepEqual(seen.effects, ['save'], 'written at once, as the record may vanish');
  const taken = stepTerminal(seen.state, { type: 'restored', serviceChanged: false, mayBeBackup: false }, 30_000).state;
  assert.deepEqual(taken.earlier, { meaning: 'undefined', askedAt: 0, shown: ['a'] });
});

test('that the status service has shown the charge of an attempt stays known when that one is taken up', () => {
  let state: LifecycleState = {
    ...begin('sale', POLICIES, true, 0),
    phase: 'waiting',
    retries: 1,
    earlier: { meaning: 'approved', askedAt: 1000, reference: 'a', transactionId: 'one', shown: ['a'] },
  };
  state = stepTerminal(state, { type: 'terminal', via: 'callback', meaning: 'declined' }, 2000).state;
  assert.deepEqual([state.takenUp, state.phase], ['a', 'waiting']);
  state = withEnded(state, 'latest');
  for (const askedAt of [500_000, 600_000]) {
    state = stepTerminal(state, { type: 'gateway', meaning: 'none', askedAt }, askedAt).state;
  }
  assert.deepEqual([state.phase, state.reported], ['watching', 'unknown'], 'a record that has vanished is no "no"');
});

test('a person is asked to look where a payment is approved and nobody says any more what another attempt did', () => {
  let state: LifecycleState = {
    ...begin('sale', { ...POLICIES, lateApproval: 'report' }, true, 0),
    phase: 'watching',
    reported: 'unknown',
    retries: 1,
    unprovenAttempts: true,
    earlier: { meaning: 'undefined', askedAt: 0, shown: ['a'] },
  };
  state = stepTerminal(state, { type: 'earlier', meaning: 'undefined', askedAt: 500_000 }, 500_000).state;
  const { state: after, effects } = stepTerminal(
    state,
    { type: 'terminal', via: 'callback', meaning: 'approved' },
    500_001,
  );
  assert.deepEqual([after.phase, effects], ['closed', ['save', 'deliver', 'alarm']]);
  assert.deepEqual([after.isAlarmDue, after.alarm?.error?.code], [true, 'REVERSAL_UNPROVEN']);
});

test('a reversal that cannot be asked about any more, as the service has changed, is for a person', () => {
  const state: LifecycleState = {
    ...begin('sale', POLICIES, true, 0),
    phase: 'reversing',
    reported: 'provisional',
    terminal: { meaning: 'approved', via: 'callback', at: 20_000 },
    reversing: { reason: 'late', since: 21_000 },
  };
  const { state: after } = stepTerminal(state, { type: 'restored', serviceChanged: true, mayBeBackup: false }, 30_000);
  assert.deepEqual([after.phase, after.latest?.verdict.error?.code], ['watching', 'REVERSAL_UNPROVEN']);
});

test('an attempt that shows after a restart takes no time of its own before the flow hears', () => {
  const state: LifecycleState = {
    ...begin('sale', { ...POLICIES, deadlineMs: undefined }, true, 0),
    phase: 'pausing',
    ending: { verdict: { outcome: 'not-charged', moneyMoved: 'no', final: true, retry: 'safe' } },
    retries: 1,
    pausedUntil: 5000,
  };
  let taken = stepTerminal(state, { type: 'restored', serviceChanged: false, mayBeBackup: false }, 10_000).state;
  const due = taken.toldBy;
  taken = stepTerminal(taken, { type: 'gateway', meaning: 'undefined', askedAt: 12_000 }, 12_000).state;
  assert.deepEqual([taken.phase, taken.toldBy === undefined, taken.toldBy], ['waiting', false, due]);
});

test('a process that comes long after a reversal began tries it too before a person is asked to look', () => {
  const state: LifecycleState = {
    ...begin('sale', POLICIES, true, 0),
    phase: 'reversing',
    reported: 'approved',
    reversing: { reason: 'second', since: 21_000, second: { reference: 'a', transactionId: 'one' } },
  };
  const restored = { type: 'restored', serviceChanged: false, mayBeBackup: false } as const;
  let taken = stepTerminal(state, restored, 500_000).state;
  taken = stepTerminal(taken, { type: 'tick' }, 501_000).state;
  assert.deepEqual([taken.phase, dueAt('reverse', taken, {}, PACE)], ['reversing', 0]);
  taken = stepTerminal(taken, { type: 'tick' }, 530_000).state;
  assert.deepEqual([taken.phase, taken.alarm?.error?.code], ['closed', 'REVERSAL_UNPROVEN']);
});

const APPROVED = { type: 'terminal', meaning: 'approved', via: 'callback', transactionId: 'one' } as const;
const RESTORED = { type: 'restored', serviceChanged: false, mayBeBackup: true } as const;

const PATIENT = { ...POLICIES, deadlineMs: undefined };

/** The terminal was at work on it when the backup was made. */
function inBackup(phase: 'waiting' | 'listening', change: Partial<LifecycleState> = {}): LifecycleState {
  return stepTerminal({ ...begin('sale', PATIENT, true, 3_900_000), phase, ...change }, RESTORED, 4_000_000).state;
}

test('after a backup a callback that says "approved" does not hide that the charge has gone back since', () => {
  const heard = stepTerminal(inBackup('waiting'), APPROVED, 4_001_000);
  assert.deepEqual([heard.state.phase, heard.effects], ['waiting', ['save']], 'the chain is asked first');
  assert.equal(dueAt('status', heard.state, { status: { tries: 1, at: 4_000_500 } }, PACE), 4_001_000, 'at once');
  const gone = { type: 'gateway', meaning: 'cancelled', askedAt: 4_020_000 } as const;
  const told = stepTerminal(heard.state, gone, 4_020_000);
  assert.deepEqual([told.state.phase, told.state.reported], ['closed', 'cancelled']);
  const stands = { type: 'gateway', meaning: 'approved', askedAt: 4_001_000 } as const;
  assert.equal(stepTerminal(heard.state, stands, 4_001_500).state.reported, 'approved');
});

test('after a backup a flow that was told "no" hears at once that this no longer holds', () => {
  const heard = stepTerminal(inBackup('listening', { reported: 'refused' }), APPROVED, 4_001_000);
  assert.deepEqual([heard.state.reported, heard.effects], ['unknown', ['save', 'deliver']]);
});

test('after a backup a person must look where nobody can be asked whether an approval has gone back', () => {
  const told = stepTerminal(inBackup('waiting', { traceable: false }), APPROVED, 4_001_000).state;
  assert.deepEqual([told.phase, told.latest?.verdict.error?.code], ['watching', 'REVERSAL_UNPROVEN']);
});

test('after a backup the policy takes no late approval back: the flow may have been told of it in time', () => {
  const policies = { ...POLICIES, deadlineMs: 60_000, lateApproval: 'reverse' } as const;
  for (const mayBeBackup of [true, false]) {
    const asked: LifecycleState = { ...begin('sale', policies, true, 0), phase: 'waiting' };
    const restored = stepTerminal(asked, { ...RESTORED, mayBeBackup }, 100_000).state;
    const overdue = stepTerminal(restored, { type: 'tick' }, 200_000).state;
    const shown = { type: 'gateway', meaning: 'approved', askedAt: 600_000, transactionId: 'one' } as const;
    const late = stepTerminal(overdue, shown, 600_000).state;
    assert.equal(late.phase, mayBeBackup ? 'watching' : 'reversing');
  }
});

test('after a backup the approval of an earlier attempt may have gone back as well', () => {
  const heard = stepTerminal(inBackup('waiting', { retries: 1 }), { ...APPROVED, earlier: 'a' }, 4_001_000).state;
  const declined = stepTerminal(heard, { type: 'terminal', meaning: 'declined', via: 'callback' }, 4_002_000).state;
  assert.deepEqual([declined.takenUp, declined.reported], ['a', undefined], 'it is looked after, and not told');
});

test('a receipt that was refused as busy is told so, also where its service changes meanwhile', () => {
  const error = { code: '1001', name: 'DeviceBusyError', message: 'Device busy' };
  let state = begin('printReceipt', { ...POLICIES, busyWaitMs: 60_000, deadlineMs: undefined }, false, 0);
  state = stepTerminal(state, { type: 'refused', refusal: 'busy', error }, 0).state;
  state = stepTerminal(state, { type: 'restored', serviceChanged: true }, 2000).state;
  state = stepTerminal(state, { type: 'tick' }, state.pausedUntil ?? 0).state;
  assert.deepEqual(
    [state.phase, state.pending?.verdict.outcome, state.pending?.verdict.final, state.pending?.verdict.error?.code],
    ['closed', 'refused', true, '1001'],
  );
});
