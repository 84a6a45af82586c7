import { REVERSAL_UNPROVEN, UNKNOWN } from '../../../operation/verdict.js';
import { all, any, not } from '../../guard.js';
import {
  earlierCanBeReversed,
  earlierCharged,
  othersAreKnown,
  othersMayHaveCharged,
  takeBackEarlier,
  takeUpEarlier,
} from '../earlier-attempts.js';
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
  reliesOnNo,
  terminalSays,
} from '../guards.js';
import {
  alarmAgain,
  isTakingBackSecond,
  otherCanBeReversed,
  takeBackOther,
  takeEarlierAlone,
} from '../second-approval.js';
import { startReversal, startWatch, takeUpAttempt } from '../updates.js';
import { earlierVerdict, fixed, terminalVerdict } from '../verdicts.js';

import { ASKED, type TerminalTransition, TRUTH } from './types.js';

const latestChargedNothing = any(
  ({ latestNotBegun }) => latestNotBegun === true,
  terminalSays('declined', 'cancelled'),
  gatewaySettles('declined', 'cancelled'),
  gatewayReversed,
  provenFailed,
  provenNotCharged,
);

/** An attempt before the latest has charged: what becomes of it, and of the latest. */
export const EARLIER: readonly TerminalTransition[] = [
  {
    id: 'busy-attempt-approved-among-others',
    from: ['listening'],
    on: ['terminal'],
    when: all(reliesOnNo, othersMayHaveCharged, terminalSays('approved', 'partial')),
    to: 'waiting',
    updates: takeUpAttempt,
    effects: ['save', 'deliver'],
    verdict: fixed(UNKNOWN, 'recovery'),
    because:
      'The result of one of the attempts shows that it has begun. "No" no longer holds, and the others are asked for before the flow hears the end.',
  },
  {
    id: 'attempt-approved-among-others',
    from: ['pausing', 'listening'],
    on: ['terminal'],
    when: all(othersMayHaveCharged, terminalSays('approved', 'partial')),
    to: 'waiting',
    updates: takeUpAttempt,
    effects: ['save'],
    because:
      'The result of one of the attempts shows that it has begun. The others are asked for before the flow hears of it.',
  },
  {
    id: 'answered-beside-earlier-charge',
    from: ['sending'],
    on: ['accepted', 'answer-lost', 'restored'],
    when: any(approvedEarlier, earlierCharged),
    to: 'waiting',
    effects: ['save'],
    because: 'An earlier attempt has charged: what becomes of it and of the latest is decided after the answer.',
  },
  {
    id: 'answer-awaited',
    from: ['sending'],
    on: TRUTH,
    when: any(approvedEarlier, earlierCharged),
    to: 'sending',
    effects: ['save'],
    because: 'An earlier attempt has charged, and the request of the latest is on its way: its answer comes first.',
  },
  {
    id: 'earlier-charge-reversal',
    from: ASKED,
    on: TRUTH,
    when: all(
      earlierCharged,
      any(terminalSays('approved'), partialIsFinal),
      not(any(lateGoesBack, partialGoesBack)),
      not(approvedEarlier),
      earlierCanBeReversed,
    ),
    to: 'reversing',
    updates: (state, now) => ({
      ...takeBackEarlier(state, now),
      ...(state.earlier?.other !== undefined && alarmAgain()),
    }),
    effects: ['save', 'deliver', 'alarm'],
    verdict: terminalVerdict,
    because: 'The terminal has approved the latest attempt, and the gateway one before it as well: that one goes back.',
  },
  {
    id: 'second-charge-reversal',
    from: ASKED,
    on: TRUTH,
    when: all(any(approvedEarlier, earlierCharged), hasSecondApproval, canBeReversed, othersAreKnown),
    to: 'reversing',
    updates: startReversal('second'),
    effects: ['save'],
    because: 'Two attempts were approved for one message: the later one goes back.',
  },
  {
    id: 'second-charge',
    from: ASKED,
    on: TRUTH,
    when: all(any(approvedEarlier, earlierCharged), hasSecondApproval, isNotReversing, othersAreKnown),
    to: 'watching',
    updates: (state, now) => ({ ...startReversal('second')(state, now), ...startWatch(state, now) }),
    effects: ['save', 'deliver'],
    verdict: fixed(REVERSAL_UNPROVEN, 'recovery'),
    because: 'Two attempts were approved, and nothing can take one back: a person must look.',
  },
  {
    id: 'another-charge-reversal',
    from: ASKED,
    on: TRUTH,
    when: all(approvedEarlier, otherCanBeReversed, isNotReversing, latestChargedNothing),
    to: 'reversing',
    updates: takeBackOther,
    effects: ['save', 'deliver', 'alarm'],
    verdict: earlierVerdict,
    because: 'Two attempts before the latest were approved, and that one charged nothing: one of them goes back.',
  },
  {
    id: 'later-attempt-ended',
    from: ASKED,
    on: TRUTH,
    when: all(approvedEarlier, latestChargedNothing, othersAreKnown),
    to: 'closed',
    updates: takeEarlierAlone,
    effects: ['save', 'deliver', 'alarm'],
    verdict: earlierVerdict,
    because: 'An earlier attempt was approved, and the later one charged nothing, or it has gone back.',
  },
  {
    id: 'earlier-attempt-taken-up',
    from: [...ASKED, 'reversing'],
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
