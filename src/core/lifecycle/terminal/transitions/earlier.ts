import { REVERSAL_UNPROVEN } from '../../../operation/verdict.js';
import { all, any, not } from '../../guard.js';
import { earlierCanBeReversed, earlierCharged, takeBackEarlier, takeUpEarlier } from '../earlier-attempts.js';
import {
  approvedEarlier,
  canBeReversed,
  gatewayReversed,
  gatewaySettles,
  hasSecondApproval,
  isNotReversing,
  lateGoesBack,
  partialGoesBack,
  partialIsFinal,
  provenFailed,
  provenNotCharged,
  terminalSays,
} from '../guards.js';
import { isTakingBackSecond, otherCanBeReversed, takeBackOther, takeEarlierAlone } from '../second-approval.js';
import { startReversal, startWatch } from '../updates.js';
import { earlierVerdict, fixed, terminalVerdict } from '../verdicts.js';

import { type TerminalTransition, TRUTH, UNSETTLED } from './types.js';

const latestChargedNothing = any(
  terminalSays('declined', 'cancelled'),
  gatewaySettles('declined', 'cancelled'),
  gatewayReversed,
  provenFailed,
  provenNotCharged,
);

/** An attempt before the latest has charged: what becomes of it, and of the latest. */
export const EARLIER: readonly TerminalTransition[] = [
  {
    id: 'earlier-charge-reversal',
    from: UNSETTLED,
    on: TRUTH,
    when: all(
      earlierCharged,
      any(terminalSays('approved'), partialIsFinal),
      not(any(lateGoesBack, partialGoesBack)),
      not(approvedEarlier),
      earlierCanBeReversed,
    ),
    to: 'reversing',
    updates: takeBackEarlier,
    effects: ['save', 'deliver'],
    verdict: terminalVerdict,
    because: 'The terminal has approved the latest attempt, and the gateway one before it as well: that one goes back.',
  },
  {
    id: 'second-charge-reversal',
    from: UNSETTLED,
    on: TRUTH,
    when: all(any(approvedEarlier, earlierCharged), hasSecondApproval, canBeReversed),
    to: 'reversing',
    updates: startReversal('second'),
    effects: ['save'],
    because: 'Two attempts were approved for one message: the later one goes back.',
  },
  {
    id: 'second-charge',
    from: UNSETTLED,
    on: TRUTH,
    when: all(any(approvedEarlier, earlierCharged), hasSecondApproval, isNotReversing),
    to: 'watching',
    updates: (state, now) => ({ ...startReversal('second')(state, now), ...startWatch(state, now) }),
    effects: ['save', 'deliver'],
    verdict: fixed(REVERSAL_UNPROVEN, 'recovery'),
    because: 'Two attempts were approved, and nothing can take one back: a person must look.',
  },
  {
    id: 'another-charge-reversal',
    from: UNSETTLED,
    on: TRUTH,
    when: all(approvedEarlier, otherCanBeReversed, isNotReversing, latestChargedNothing),
    to: 'reversing',
    updates: takeBackOther,
    effects: ['save', 'deliver'],
    verdict: earlierVerdict,
    because: 'Two attempts before the latest were approved, and that one charged nothing: one of them goes back.',
  },
  {
    id: 'later-attempt-ended',
    from: UNSETTLED,
    on: TRUTH,
    when: all(approvedEarlier, latestChargedNothing),
    to: 'closed',
    updates: takeEarlierAlone,
    effects: ['save', 'deliver', 'alarm'],
    verdict: earlierVerdict,
    because: 'An earlier attempt was approved, and the later one charged nothing, or it has gone back.',
  },
  {
    id: 'earlier-attempt-taken-up',
    from: [...UNSETTLED, 'reversing'],
    on: [...TRUTH, 'reversed'],
    when: all(
      earlierCharged,
      not(approvedEarlier),
      not(isTakingBackSecond),
      any(latestChargedNothing, (_state, _now, { type }) => type === 'reversed'),
    ),
    to: 'waiting',
    updates: takeUpEarlier,
    effects: ['save'],
    because:
      'The latest attempt charged nothing, and the gateway has approved one before it: that one is looked after.',
  },
];
