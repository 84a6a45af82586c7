import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type BackOfficeEvent,
  type BackOfficePhase,
  type BackOfficeState,
  beginBackOffice,
  stepBackOffice,
} from '../../../src/core/lifecycle/back-office/lifecycle.js';
import { BACK_OFFICE_TRANSITIONS } from '../../../src/core/lifecycle/back-office/transitions.js';
import type { BackOfficeOperation } from '../../../src/core/operation/back-office-order.js';

const MINUTE = 60_000;
const error = { code: '3001', name: 'Refused', message: 'no' };
const closedBefore = { ...error, code: 'BATCH_ALREADY_CLOSED' };
const batch = { at: 0, ids: [], batch: '7' };
const restored: BackOfficeEvent = { type: 'restored' };
const elsewhere: BackOfficeEvent = { type: 'restored', serviceChanged: true };
const backup: BackOfficeEvent = { type: 'restored', mayBeBackup: true };
const tick: BackOfficeEvent = { type: 'tick' };
const proof = (says: 'done' | 'declined' | 'absent', askedAt = 10 * MINUTE): BackOfficeEvent => ({
  type: 'proof',
  says,
  askedAt,
});
const failedAt = (askedAt: number): BackOfficeEvent => ({
  type: 'proof',
  says: 'declined',
  meaning: 'failed',
  askedAt,
});

function at(
  phase: BackOfficePhase,
  operation: BackOfficeOperation,
  known: Partial<BackOfficeState> = {},
): BackOfficeState {
  const tries = phase === 'preparing' ? 0 : 1;
  return { ...beginBackOffice(operation, { traceable: true }, 0), phase, tries, ...known };
}

const lost = { lostAt: 0 };
const untraceable = { traceable: false };
/** Of a payment whose age nobody knows. */
const linked = { isLinkedRefund: true };

/** A tip that was approved at once after the sale. */
const early: Partial<BackOfficeState> = {
  ...lost,
  approved: 'early',
  sentEarly: true,
  nextAt: MINUTE,
  resendUntil: 2 * MINUTE,
};

/** It was answered 429, and the chain showed nothing of it once. */
const throttledAt = (now: number): Partial<BackOfficeState> => ({
  decline: { at: now, error, refusal: 'throttled' },
  absentAt: now + 15_000,
});

/** Where it stands, what happens and when (ms), which transition that takes, and what the flow is told. */
const CASES: readonly (readonly [BackOfficeState, BackOfficeEvent, number, string, string?])[] = [
  [at('preparing', 'moto/sale'), { type: 'turn' }, 0, 'turn-came'],
  [at('preparing', 'moto/sale'), { type: 'ready' }, 0, 'sent'],
  [
    at('preparing', 'reversal'),
    { type: 'ready', baseline: { at: 0, ids: [], isTooMuch: true } },
    0,
    'refunded-before',
    'refused',
  ],
  [at('preparing', 'moto/sale', { tries: 1 }), { type: 'ready' }, 0, 'sent-after-postponement'],
  [at('preparing', 'moto/sale'), { type: 'cancel' }, 0, 'cancelled-before-sending', 'cancelled'],
  [at('retrying', 'moto/sale'), { type: 'cancel' }, 0, 'cancelled-before-sending', 'cancelled'],
  [at('sending', 'moto/sale', lost), { type: 'answered', approved: true }, 0, 'done', 'approved'],
  [at('sending', 'tip-adjustment', { sentEarly: true }), { type: 'answered', approved: true }, 0, 'tip-questioned'],
  [
    at('sending', 'tip-adjustment', { sentEarly: true, ...untraceable }),
    { type: 'answered', approved: true },
    0,
    'tip-questioned-untraceable',
  ],
  [at('reconciling', 'tip-adjustment', early), proof('absent', MINUTE), MINUTE, 'tip-repeated'],
  [
    at('reconciling', 'tip-adjustment', early),
    { type: 'proof', says: 'unclear', askedAt: MINUTE },
    MINUTE,
    'tip-repeated',
  ],
  [at('reconciling', 'tip-adjustment', early), tick, MINUTE + 15_000, 'tip-repeated'],
  [at('reconciling', 'tip-adjustment', early), proof('done', MINUTE), MINUTE, 'reconciled-done', 'approved'],
  [at('sending', 'reversal', { mayBeHold: 'hold' }), { type: 'answered', approved: true }, 0, 'done-of-what'],
  [
    at('sending', 'reversal', { mayBeHold: 'unknown', ...untraceable }),
    { type: 'answered', approved: true },
    0,
    'done-of-what',
  ],
  [at('reconciling', 'reversal', { answeredAt: 0, ...untraceable }), tick, 15_000, 'unknown', 'unknown'],
  [at('sending', 'moto/sale'), { type: 'answered', approved: false, error }, 0, 'declined', 'declined'],
  [at('sending', 'moto/sale', lost), { type: 'refused', refusal: 'throttled', error }, 0, 'throttled'],
  [at('sending', 'moto/sale'), { type: 'refused', refusal: 'key', error }, 0, 'key-replaced'],
  [
    at('sending', 'moto/sale', { keyReplaced: true }),
    { type: 'refused', refusal: 'key', error },
    0,
    'refused',
    'refused',
  ],
  [
    at('sending', 'moto/sale', untraceable),
    { type: 'refused', refusal: 'throttled', error },
    MINUTE,
    'refused',
    'refused',
  ],
  [at('sending', 'moto/sale'), { type: 'refused', refusal: 'throttled', error }, 0, 'refusal-questioned'],
  [
    at('sending', 'reversal', { baseline: { at: 0, ids: [] } }),
    { type: 'refused', refusal: 'other', error: { ...error, code: '3051' } },
    0,
    'refusal-questioned',
  ],
  [at('reconciling', 'moto/sale', throttledAt(0)), proof('absent', 20_000), 20_000, 'throttled-absent'],
  [
    at('reconciling', 'moto/sale', throttledAt(0)),
    proof('absent', MINUTE + 1),
    MINUTE + 1,
    'reconciled-absent',
    'refused',
  ],
  [at('sending', 'token', lost), { type: 'refused', refusal: 'other', error }, 0, 'refused', 'refused'],
  [at('sending', 'moto/sale'), { type: 'not-sent', error }, 0, 'not-sent', 'not-charged'],
  [at('sending', 'moto/sale'), { type: 'waiting-for-rate-limit' }, 0, 'waiting-for-rate-limit'],
  [at('preparing', 'moto/sale', { tries: 1, leaving: true }), { type: 'leaving' }, 0, 'let-through'],
  [at('preparing', 'moto/sale', { tries: 1, leaving: true }), { type: 'withdrawn' }, 0, 'postponed'],
  [
    at('preparing', 'moto/sale', { tries: 1, leaving: true }),
    { type: 'not-sent', error },
    0,
    'not-sent',
    'not-charged',
  ],
  [at('reconciling', 'moto/sale', lost), proof('done'), MINUTE, 'reconciled-done', 'approved'],
  [at('watching', 'moto/sale'), proof('done'), MINUTE, 'reconciled-done', 'approved'],
  [at('sending', 'moto/refund', linked), { type: 'answered', approved: true }, 0, 'refund-uncertain', 'unknown'],
  [at('reconciling', 'moto/refund', { ...lost, ...linked }), proof('done'), 0, 'refund-uncertain', 'unknown'],
  [at('watching', 'moto/refund', { ...lost, ...linked }), proof('done'), 0, 'refund-uncertain', 'unknown'],
  [
    at('watching', 'moto/refund', { ...linked, approved: 'old' }),
    { type: 'proof', says: 'unclear', askedAt: MINUTE, originalAt: 0 },
    MINUTE,
    'refund-certain',
    'refunded',
  ],
  [at('reconciling', 'moto/sale', lost), proof('declined'), MINUTE, 'reconciled-declined', 'declined'],
  [at('watching', 'moto/sale'), proof('declined'), MINUTE, 'reconciled-declined', 'declined'],
  [at('reconciling', 'moto/sale', lost), failedAt(375_000), 375_001, 'reconciled-declined', 'failed'],
  [
    at('reconciling', 'moto/sale', { ...lost, absentAt: 375_000 }),
    proof('absent', 380_000),
    381_000,
    'reconciled-absent',
    'not-charged',
  ],
  [
    at('watching', 'moto/sale', { refusal: error, absentAt: 375_000 }),
    proof('absent', 380_000),
    381_000,
    'reconciled-absent',
    'refused',
  ],
  [
    at('reconciling', 'batch/close', { ...lost, ...untraceable, baseline: batch, refusal: closedBefore }),
    tick,
    390_000,
    'done-before',
    'completed',
  ],
  [at('retrying', 'token', { ...lost, tries: 1 }), elsewhere, 0, 'service-changed-unanswered', 'failed'],
  [at('sending', 'batch/summary'), elsewhere, 0, 'service-changed-unanswered', 'failed'],
  [at('sending', 'moto/sale'), elsewhere, 0, 'service-changed', 'unknown'],
  [at('retrying', 'reversal', lost), elsewhere, 0, 'service-changed', 'unknown'],
  [at('reconciling', 'moto/sale', lost), elsewhere, 0, 'service-changed', 'unknown'],
  [at('sending', 'moto/sale', untraceable), elsewhere, 0, 'service-changed-untraceable', 'unknown'],
  [at('retrying', 'reversal', { ...lost, ...untraceable }), elsewhere, 0, 'service-changed-untraceable', 'unknown'],
  [at('preparing', 'moto/sale'), backup, 16 * MINUTE, 'perhaps-sent'],
  [at('retrying', 'moto/sale', { nextAt: 0 }), backup, 16 * MINUTE, 'perhaps-sent'],
  [at('preparing', 'moto/refund'), { type: 'ready', baseline: { at: 0, ids: [], hasOwn: true } }, 0, 'perhaps-sent'],
  [at('preparing', 'reversal', untraceable), backup, 16 * MINUTE, 'perhaps-sent-untraceable', 'unknown'],
  [at('retrying', 'reversal', { nextAt: 0, ...untraceable }), backup, MINUTE, 'perhaps-sent-untraceable', 'unknown'],
  [at('preparing', 'moto/sale'), tick, 15 * MINUTE + 1, 'never-started', 'not-charged'],
  [at('preparing', 'reversal', untraceable), restored, 15 * MINUTE + 1, 'never-started', 'not-charged'],
  [at('retrying', 'moto/sale', { nextAt: 0 }), tick, 15 * MINUTE + 1, 'never-started', 'not-charged'],
  [at('retrying', 'moto/sale', { nextAt: 0 }), restored, MINUTE, 'perhaps-sent'],
  [at('preparing', 'moto/sale', { takenUp: true }), { type: 'ready' }, MINUTE, 'perhaps-sent'],
  [at('sending', 'moto/sale', { stopWanted: true }), { type: 'withdrawn' }, 0, 'cancelled', 'cancelled'],
  [at('sending', 'moto/sale'), { type: 'withdrawn' }, 0, 'postponed'],
  [at('sending', 'reversal', lost), { type: 'withdrawn' }, 0, 'retry-postponed'],
  [at('sending', 'token', lost), { type: 'withdrawn' }, 0, 'retry-postponed'],
  [at('sending', 'reversal', { resendUntil: MINUTE }), { type: 'answer-lost' }, 0, 'answer-lost'],
  [at('retrying', 'reversal', { ...lost, resendUntil: MINUTE, nextAt: 2000 }), tick, MINUTE - 1, 'sent-again'],
  [at('retrying', 'token', { ...lost, nextAt: MINUTE }), restored, 2 * MINUTE, 'sent-again'],
  [at('retrying', 'reversal', { ...lost, resendUntil: MINUTE }), tick, MINUTE, 'resending-ended'],
  [at('retrying', 'reversal', { ...lost, resendUntil: MINUTE }), restored, 0, 'resending-ended'],
  [
    at('retrying', 'reversal', { ...lost, ...untraceable, resendUntil: MINUTE }),
    restored,
    0,
    'resending-ended-untraceable',
    'unknown',
  ],
  [at('sending', 'token', lost), { type: 'answer-lost' }, 3 * MINUTE, 'not-answered', 'failed'],
  [at('sending', 'moto/sale'), { type: 'answer-lost' }, 0, 'reconciliation-started'],
  [at('sending', 'reversal', lost), { type: 'answered', approved: false, error }, 0, 'reconciliation-started'],
  [at('sending', 'reversal'), { type: 'answered', approved: false, error }, 0, 'decline-questioned'],
  [at('sending', 'reversal', untraceable), { type: 'answered', approved: false, error }, 0, 'declined', 'declined'],
  [
    at('reconciling', 'reversal', { decline: { at: 0, error }, absentAt: 15_000 }),
    proof('absent', 20_000),
    20_000,
    'reconciled-absent',
    'declined',
  ],
  [at('sending', 'reversal', { ...lost, stopWanted: true }), { type: 'withdrawn' }, 0, 'reconciliation-started'],
  [at('reconciling', 'moto/sale', lost), tick, 390_000, 'unknown', 'unknown'],
  [at('sending', 'moto/sale', untraceable), restored, 0, 'unknown-untraceable', 'unknown'],
  [at('watching', 'moto/sale', { watchUntil: 2 * MINUTE }), tick, 37 * MINUTE, 'watch-ended', 'unknown'],
];

for (const [state, event, now, id, outcome] of CASES) {
  const past = [
    state.lostAt === undefined ? '' : ' after a lost answer',
    state.traceable ? '' : ' without a trace',
  ].join('');
  test(`${state.operation} while ${state.phase}${past}: ${event.type} at ${now} ms is ${id}`, () => {
    const { state: next, transition } = stepBackOffice(state, event, now);
    const { to } = BACK_OFFICE_TRANSITIONS.find((one) => one.id === id) ?? assert.fail(`a transition ${id}`);
    assert.deepEqual([transition?.event, next.phase, next.pending?.verdict.outcome], [id, to, outcome]);
    if (next.phase === 'closed') assert.equal(next.pending?.verdict.final, true, 'nothing follows');
  });
}

/** What must not decide: the same a moment or a fact short of it. */
const SHORT: readonly (readonly [string, BackOfficeState, BackOfficeEvent, number])[] = [
  [
    'it was there before, and may be missing from both answers',
    at('reconciling', 'moto/refund', { ...lost, absentAt: 375_000, baseline: { at: 0, ids: [], hasOwn: true } }),
    proof('absent', 380_000),
    380_000,
  ],
  ['what failed may still be approved', at('reconciling', 'moto/sale', lost), failedAt(374_999), 375_000],
  ['the chain may not show it yet', at('reconciling', 'moto/sale', lost), proof('absent', 374_999), 376_000],
  [
    'its record may be missing from one answer',
    at('reconciling', 'moto/sale', { ...lost, absentAt: 374_999 }),
    proof('absent', 380_000),
    380_000,
  ],
  [
    'its record may be missing from both, right after one another',
    at('reconciling', 'moto/sale', { ...lost, absentAt: 375_000 }),
    proof('absent', 379_999),
    380_000,
  ],
  [
    'another service never had it',
    at('watching', 'moto/sale', { serviceChanged: true, watchUntil: 60 * MINUTE }),
    proof('absent'),
    MINUTE,
  ],
  [
    'a later try says that it was done',
    at('watching', 'batch/close', { ...untraceable, refusal: closedBefore, watchUntil: 60 * MINUTE }),
    proof('absent'),
    MINUTE,
  ],
  ['the chain does not say what was reversed', at('reconciling', 'reversal', { answeredAt: 0 }), proof('done'), 1],
  [
    'a decline may have been done, and not show yet',
    at('reconciling', 'reversal', { decline: { at: 0, error } }),
    proof('absent', 14_999),
    15_000,
  ],
  ['it was done', at('reconciling', 'reversal', { answeredAt: 0 }), proof('absent', 14_000), 14_999],
  ['an earlier try may have done it', at('retrying', 'reversal', lost), { type: 'cancel' }, 0],
  ['the sale is too young', at('reconciling', 'tip-adjustment', early), proof('absent', MINUTE - 1), MINUTE],
  ['the chain may still answer', at('reconciling', 'tip-adjustment', early), tick, MINUTE + 14_999],
  [
    'it was sent late enough, too',
    at('reconciling', 'tip-adjustment', { ...early, sentEarly: undefined }),
    proof('absent', MINUTE),
    MINUTE,
  ],
  [
    'it is not to be done any more',
    at('reconciling', 'tip-adjustment', { ...early, stopWanted: true }),
    proof('absent', MINUTE),
    MINUTE,
  ],
  [
    'it was approved',
    at('reconciling', 'tip-adjustment', { ...early, sentEarly: undefined, absentAt: 375_000 }),
    proof('absent', 385_000),
    385_000,
  ],
  ['the pause is not over', at('retrying', 'reversal', { ...lost, resendUntil: MINUTE, nextAt: 1 }), tick, 0],
  ['it is looked for a little longer', at('reconciling', 'moto/sale', lost), tick, 379_999],
  ['an earlier try may have done it', at('sending', 'reversal', lost), { type: 'waiting-for-rate-limit' }, 0],
  ['another process had it sent', at('preparing', 'moto/sale', { tries: 1 }), { type: 'leaving' }, 0],
  ['it has not waited too long', at('preparing', 'moto/sale'), restored, 15 * MINUTE],
];

for (const [why, state, event, now] of SHORT) {
  test(`${state.operation} while ${state.phase}: ${event.type} decides nothing, as ${why}`, () => {
    const { state: next, transition } = stepBackOffice(state, event, now);
    assert.deepEqual([transition, next.phase, next.pending], [undefined, state.phase, undefined]);
  });
}

test('every transition is taken from every phase that it names', () => {
  const named = BACK_OFFICE_TRANSITIONS.flatMap(({ id, from }) => from.map((phase) => `${phase}: ${id}`));
  assert.deepEqual([...new Set(CASES.map(([{ phase }, , , id]) => `${phase}: ${id}`))].sort(), named.sort());
  assert.equal(new Set(named).size, named.length);
});

test('however often the process dies, the flow hears that nobody can say', () => {
  let state = at('reconciling', 'preauthorization/increase', lost);
  for (let now = MINUTE; now <= 6 * MINUTE; now += MINUTE) state = stepBackOffice(state, restored, now).state;
  assert.equal(state.phase, 'reconciling');
  const { phase, pending } = stepBackOffice(state, tick, 390_000).state;
  assert.deepEqual([phase, pending?.verdict.outcome], ['watching', 'unknown']);
  const late = stepBackOffice(state, restored, 20 * MINUTE).state;
  assert.equal(stepBackOffice(late, tick, 20 * MINUTE).state.phase, 'reconciling', 'somebody may answer right away');
  assert.equal(stepBackOffice(late, tick, 20 * MINUTE + 30_000).state.phase, 'watching');
});

test('a reversal that was done of who knows what is asked about once more after days off, before it is given up', () => {
  const late = 3 * 24 * 60 * MINUTE;
  const before = at('watching', 'reversal', { answeredAt: 0, watchUntil: 2 * 24 * 60 * MINUTE });
  const { state } = stepBackOffice(before, restored, late);
  assert.equal(state.phase, 'watching');
  const asked: BackOfficeEvent = { type: 'proof', says: 'unclear', askedAt: late + 15_000 };
  assert.equal(stepBackOffice(state, asked, late + 16_000).transition?.event, 'watch-ended');
});
