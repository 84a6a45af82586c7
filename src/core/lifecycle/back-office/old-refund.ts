import { CLOCK_DIFFERENCE, REFUND_AGE } from '../../base/timings.js';
import { UNKNOWN, type Verdict } from '../../operation/verdict.js';
import { type Guard as AnyGuard, all, not } from '../guard.js';
import { ASKED, type BackOfficeTransition } from './groups.js';
import { isDone, says } from './guards.js';
import type { BackOfficeEvent, BackOfficeState } from './state.js';
import { startWatch } from './updates.js';
import { done } from './verdicts.js';

/**
 * A refund of what is too old is approved by the service, and may never reach the cardholder (spec: Limits). What nobody knows the age
 * of may be too old.
 */

type Guard = AnyGuard<BackOfficeState, BackOfficeEvent>;

export const REFUND_UNCERTAIN: Verdict = {
  ...UNKNOWN,
  error: Object.freeze({
    code: 'REFUND_UNCERTAIN',
    name: 'RefundUncertain',
    message:
      'the service approved it, but a refund of a payment that is 90 days old or of unknown age may never be paid out: ' +
      'check the settlement of the acquirer, or refund to the card itself',
  }),
};

export const isRefundOfOld: Guard = ({ isLinkedRefund, startedAt, originalAt, shownAt, baseline }) => {
  // The clock may have been wrong at the sale: the oldest of these counts, and one of the future says nothing. The service's
  // clock may be a little ahead of this one.
  const last = startedAt + CLOCK_DIFFERENCE;
  const known = [originalAt, shownAt, baseline?.originalAt].filter((at) => at !== undefined && at <= last) as number[];
  return isLinkedRefund === true && (known.length === 0 || startedAt - Math.min(...known) > REFUND_AGE);
};

const isDoubted: Guard = ({ approved }) => approved === 'old';

/** What was found during a watch goes on being watched as long as it was to be. */
const doubtApproval: BackOfficeTransition['updates'] = (state, now) => ({
  approved: 'old',
  ...(state.watchUntil === undefined && startWatch(state, now)),
});

export const OLD_REFUND: readonly BackOfficeTransition[] = [
  {
    id: 'refund-uncertain',
    from: ['sending', ...ASKED],
    on: ['answered', 'proof'],
    when: all(isDone, isRefundOfOld, not(isDoubted)),
    to: 'watching',
    updates: doubtApproval,
    effects: ['save', 'deliver'],
    verdict: (_state, event) => ({ verdict: REFUND_UNCERTAIN, source: event.type === 'proof' ? 'status' : 'answer' }),
    because:
      'A refund of a payment that is too old, or of unknown age, may never be paid out. The chain may show its age later.',
  },
  {
    id: 'refund-certain',
    from: ['watching'],
    on: ['proof'],
    when: all(isDoubted, not(isRefundOfOld), says('unclear', 'absent')),
    to: 'closed',
    effects: ['save', 'deliver'],
    verdict: done('answer'),
    because: 'It was approved, and only the age of the payment was open: the chain shows that it is young enough.',
  },
];
