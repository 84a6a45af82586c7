import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type LifecycleEvent,
  type LifecycleState,
  stepTerminal,
} from '../../../src/core/lifecycle/terminal/lifecycle.js';
import { dueAt } from '../../../src/core/lifecycle/terminal/schedule.js';
import { after, attempts, earlierApproval, TOO_MANY } from './several-attempts.js';

/** No card is presented any more, and everything that was charged shows. */
const LIMIT = 400_000;

const REFUSED: LifecycleEvent = { type: 'refused', refusal: 'throttled', error: TOO_MANY };
const none = (at: number): [LifecycleEvent, number] => [
  { type: 'earlier', meaning: 'none', askedAt: at, lastAskedAt: at },
  at,
];
const shown = (reference: string, at: number): [LifecycleEvent, number] => [
  {
    type: 'earlier',
    meaning: 'approved',
    reference,
    transactionId: reference,
    askedAt: at,
    lastAskedAt: at,
    others: 'none',
  },
  at,
];

/**
 * Three attempts were answered 429. The flow was told of the first, and the callback of the second one came later: that goes back. The
 * third one may still begin.
 */
const secondWentBack = (): LifecycleState =>
  after(
    { ...attempts(3), phase: 'sending' },
    [earlierApproval('one'), 4500],
    [REFUSED, 5000],
    ...[21_000, 27_000].flatMap((at): [LifecycleEvent, number][] => [
      none(at),
      [{ type: 'gateway', meaning: 'none', askedAt: at }, at],
    ]),
    [earlierApproval('two'), 60_000],
    [{ type: 'reversed' }, 62_000],
  );

test('a third attempt is asked for once more although the second one has charged meanwhile, and gone back', () => {
  const state = secondWentBack();
  assert.deepEqual([state.phase, state.alarm?.error?.code], ['closed', 'SECOND_ATTEMPT_REVERSED']);
  const due = dueAt('earlier', state, {}, { callbacksWork: true, open: 1 }) ?? 0;
  assert.ok(due > 360_000 && due < LIMIT);
  const charged = stepTerminal(state, ...shown('three', LIMIT));
  assert.deepEqual([charged.effects, charged.state.alarm?.error?.code], [['alarm', 'save'], 'REVERSAL_UNPROVEN']);
  const absent = after(state, none(LIMIT), none(LIMIT + 6000));
  assert.deepEqual([absent.looksAgain, absent.alarm?.error?.code], [undefined, 'SECOND_ATTEMPT_REVERSED']);
});

test('that the second attempt still shows after it went back is no third charge', () => {
  const state = after(secondWentBack(), shown('two', LIMIT), none(LIMIT + 6000), none(LIMIT + 12_000));
  assert.deepEqual([state.looksAgain, state.alarm?.error?.code], [undefined, 'SECOND_ATTEMPT_REVERSED']);
});

test('that nobody says what a later attempt did is asked as rarely as in a watch, as no flow waits for it', () => {
  let asked = 0;
  let at = LIMIT;
  for (; at < LIMIT + 1_800_000; asked++) {
    const history = { earlier: { tries: asked + 1, at, isLost: true } };
    at = dueAt('earlier', secondWentBack(), history, { callbacksWork: true, open: 1 }) ?? Number.NaN;
  }
  assert.ok(asked < 10, `${asked}`);
});
