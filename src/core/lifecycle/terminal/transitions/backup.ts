import { REVERSAL_UNPROVEN } from '../../../operation/verdict.js';
import { all, any, not } from '../../guard.js';
import { noteUnknownAttempts } from '../attempts.js';
import type { LifecycleEvent } from '../event.js';
import {
  isNotReversing,
  isPayment,
  isReversible,
  isTraceable,
  late,
  lateIsReversed,
  mayBeBackup,
  partialIsFinal,
  partialIsReversed,
  showsOwnResult,
  terminalSays,
} from '../guards.js';
import type { LifecycleState } from '../state.js';
import { startReversal, startWatch, takeUpAttempt } from '../updates.js';
import { fixed } from '../verdicts.js';

import { ASKED, type TerminalTransition, TRUTH } from './types.js';

/** The clock that it was recorded by may have stood elsewhere. */
const perhapsSent = (state: LifecycleState, now: number, event: LifecycleEvent): Partial<LifecycleState> => {
  const foundAt = event.type === 'restored' ? event.foundAt : undefined;
  return { ...takeUpAttempt(state, now), perhapsSent: true, startedAt: Math.min(state.startedAt, foundAt ?? now) };
};

/** Others may have followed the attempt that the result is of. */
const sentByAnother = (state: LifecycleState, now: number, event: LifecycleEvent): Partial<LifecycleState> => ({
  ...perhapsSent(state, now, event),
  ...noteUnknownAttempts(state),
  mayBeBackup: true,
});

/** What is taken up so late that the journal may be a backup: the process that went on after it may have sent and told more. */
export const BACKUP: readonly TerminalTransition[] = [
  {
    id: 'perhaps-sent',
    from: ['queued', 'pausing'],
    on: ['restored'],
    when: all(mayBeBackup, isPayment),
    to: 'waiting',
    updates: perhapsSent,
    effects: ['save'],
    because:
      'Unsent says the journal, which may be a backup: what was sent after it is asked for, and nothing is sent again.',
  },
  {
    id: 'sent-by-another',
    from: ['queued'],
    on: ['terminal'],
    when: showsOwnResult,
    to: 'waiting',
    updates: sentByAnother,
    effects: ['save'],
    because:
      'It has a result although this process has not sent it: another one has, since this copy of the journal was made.',
  },
  {
    id: 'reversal-left-to-person',
    from: ['listening', ...ASKED],
    on: TRUTH,
    when: all(
      mayBeBackup,
      isReversible,
      isNotReversing,
      any(
        all(any(terminalSays('approved'), partialIsFinal), any(late, not(isTraceable)), lateIsReversed),
        all(partialIsFinal, partialIsReversed),
      ),
    ),
    to: 'watching',
    updates: (state, now) => ({ ...startReversal('late')(state, now), ...startWatch(state, now) }),
    effects: ['save', 'deliver'],
    verdict: fixed(REVERSAL_UNPROVEN, 'recovery'),
    because: 'The flow may have been told "approved" in time, and has handed over the goods: nothing told is undone.',
  },
];
