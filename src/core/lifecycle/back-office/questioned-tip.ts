import { RESEND_FOR, TIP_RELIABLE } from '../../base/timings.js';
import { type Guard as AnyGuard, all, not } from '../guard.js';
import { tipCountsFrom, tipRepeatsAt, tipRepeatsBy } from './early-tip.js';
import { type BackOfficeTransition, sourceOf } from './groups.js';
import { isApproved, isTraceable, resendIsOver, says } from './guards.js';
import type { BackOfficeEvent, BackOfficeState } from './state.js';
import { startTry } from './updates.js';

/** A tip that was approved so soon after its sale, or after something of that went back, that it may have had no effect. */

type Guard = AnyGuard<BackOfficeState, BackOfficeEvent>;

const isTooEarly: Guard = (state, now, event) => state.sentEarly === true && isApproved(state, now, event);

/** The chain, asked once the sale was old enough, does not show the tip, or does not answer. */
const isToRepeat: Guard = (state, now, event) =>
  event.type === 'proof'
    ? event.askedAt >= (tipRepeatsAt(state) ?? Number.POSITIVE_INFINITY)
    : now >= (tipRepeatsBy(state) ?? Number.POSITIVE_INFINITY);

/** It says as much as a lost answer: from here on a refusal may be that of a tip that was set. */
const questionTip: BackOfficeTransition['updates'] = (state, now) => {
  if (state.baseline?.hasGoneBack) return { approved: 'early', lostAt: now, resendUntil: undefined };
  // A sale of the future says that a clock was wrong: it is older than this answer all the same.
  const nextAt = Math.min(tipCountsFrom(state) ?? now, now + TIP_RELIABLE);
  return { approved: 'early', lostAt: now, nextAt, resendUntil: nextAt + RESEND_FOR };
};

export const QUESTIONED_TIP: readonly BackOfficeTransition[] = [
  {
    id: 'tip-questioned',
    from: ['sending'],
    on: ['answered'],
    when: all(isTooEarly, isTraceable),
    to: 'reconciling',
    updates: questionTip,
    effects: ['save'],
    parameters: sourceOf,
    because:
      'So soon after the sale, or after something of it went back, a tip may be approved and have no effect: the chain shows whether it is there.',
  },
  {
    id: 'tip-questioned-untraceable',
    from: ['sending'],
    on: ['answered'],
    when: isTooEarly,
    to: 'retrying',
    updates: questionTip,
    effects: ['save'],
    because:
      'So soon after the sale a tip may be approved and have no effect: it is sent again once the answer counts.',
  },
  {
    id: 'tip-repeated',
    from: ['reconciling'],
    on: ['tick', 'proof'],
    when: all(isToRepeat, not(says('done')), not(resendIsOver)),
    to: 'sending',
    updates: startTry,
    effects: ['new-attempt', 'save', 'post'],
    because: 'The chain does not show the tip, and from now on the answer counts: a tip replaces the tip.',
  },
];
