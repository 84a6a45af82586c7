import { PROVISIONAL, REVERSAL_UNPROVEN, WATCH_ENDED } from '../../../operation/verdict.js';
import { all, any, not } from '../../guard.js';
import {
  approvedEarlier,
  gatewayHasNone,
  gatewayReversed,
  gatewaySays,
  reportedUnknown,
  reversalIsOverdue,
  terminalSays,
  watchHasLastAnswer,
  watchIsOver,
} from '../guards.js';
import { startWatch, takeEarlier } from '../updates.js';
import { fixed, gatewayVerdict, neverCharged, reversedVerdict } from '../verdicts.js';

import { type TerminalTransition, TRUTH } from './types.js';

/** What was not settled in time: reversed by policy, watched for two days, and what comes after the end. */
export const WATCHING: readonly TerminalTransition[] = [
  {
    id: 'reversed',
    from: ['reversing', 'watching'],
    on: ['reversed'],
    to: 'closed',
    updates: takeEarlier,
    effects: ['save', 'deliver'],
    verdict: reversedVerdict,
    because: 'The gateway confirmed the reversal.',
  },
  {
    id: 'reversal-found',
    from: ['reversing'],
    on: TRUTH,
    when: any(terminalSays('declined', 'cancelled'), gatewayReversed),
    to: 'closed',
    updates: takeEarlier,
    effects: ['save', 'deliver'],
    verdict: reversedVerdict,
    because: 'A lost answer to a reversal, or a reversal by the terminal: the chain shows it.',
  },
  {
    id: 'reversal-unproven',
    from: ['reversing'],
    on: TRUTH,
    when: reversalIsOverdue,
    to: 'watching',
    updates: startWatch,
    effects: ['save', 'deliver'],
    verdict: fixed(REVERSAL_UNPROVEN, 'recovery'),
    because: 'A person must look: approved, and nobody confirms that it was taken back.',
  },
  {
    id: 'unconfirmed-approval-found',
    from: ['watching'],
    on: TRUTH,
    when: all(reportedUnknown, gatewaySays('approved', 'partial')),
    to: 'watching',
    effects: ['save', 'deliver'],
    verdict: fixed(PROVISIONAL, 'status'),
    because: 'The gateway has it after all; the terminal has not confirmed it.',
  },
  {
    id: 'watch-ended-approved',
    from: ['watching'],
    on: TRUTH,
    when: all(watchHasLastAnswer, gatewaySays('approved', 'partial'), not(approvedEarlier)),
    to: 'closed',
    effects: ['save', 'deliver'],
    verdict: gatewayVerdict,
    because: 'After two days no terminal delivers any more, so none can take it back.',
  },
  {
    id: 'watch-ended-not-charged',
    from: ['watching'],
    on: TRUTH,
    when: all(watchHasLastAnswer, gatewayHasNone),
    to: 'closed',
    effects: ['save', 'deliver'],
    verdict: neverCharged,
    because: 'After two days no terminal delivers any more, and the status service still has no record.',
  },
  {
    id: 'watch-ended',
    from: ['watching'],
    on: TRUTH,
    when: any(watchIsOver, watchHasLastAnswer),
    to: 'closed',
    effects: ['save', 'deliver'],
    verdict: fixed(WATCH_ENDED, 'recovery'),
    because: 'Nobody will say any more: a person must look.',
  },
  {
    id: 'late-result',
    from: ['closed'],
    on: ['terminal'],
    to: 'closed',
    effects: ['late', 'save'],
    because: 'Late never undoes final; callback-in shows it.',
  },
];
