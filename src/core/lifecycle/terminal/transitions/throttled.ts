import { NO_WITNESS, ONLY_CALLBACK } from '../../../operation/verdict.js';
import { all, any, not } from '../../guard.js';
import {
  approvedEarlier,
  hasNoWitness,
  hasOwnResult,
  isBusy,
  isCancelledInPause,
  isCancelledUnsent,
  isPayment,
  isStale,
  isTraceable,
  mayTryThrottledAgain,
  refusedAs,
} from '../guards.js';
import { listen, startWatch, takeUpAttempt } from '../updates.js';
import { fixed } from '../verdicts.js';

import type { TerminalTransition } from './types.js';

/** No attempt follows the one that was answered 429: the minute is over, it was cancelled, it is too old, or it cannot leave. */
const isLastThrottled = any(
  all(refusedAs('throttled'), not(mayTryThrottledAgain)),
  (_state, _now, { type }) => type === 'not-sent',
  isCancelledInPause,
  isCancelledUnsent,
  all(({ phase }, _now, { type }) => phase === 'pausing' && (type === 'tick' || type === 'restored'), isStale),
);

/** A 429 may answer the repetition of a request that has begun, as "busy" may, and nobody can be asked about any attempt. */
const leavesOpen = all(
  isPayment,
  not(isTraceable),
  not(isBusy),
  not(hasOwnResult),
  not(approvedEarlier),
  ({ throttled }) => throttled !== undefined,
  isLastThrottled,
);

/** After a 429 an operation that the status service does not know is not sent any more: the flow hears what it hears after "busy". */
export const THROTTLED: readonly TerminalTransition[] = [
  {
    id: 'throttled-without-witness',
    from: ['sending', 'pausing'],
    on: ['refused', 'not-sent', 'cancel', 'withdrawn', 'tick', 'restored'],
    when: all(leavesOpen, hasNoWitness),
    to: 'watching',
    updates: (state, now) => ({ ...takeUpAttempt(state, now), ...startWatch(state, now) }),
    effects: ['save', 'deliver'],
    verdict: fixed(NO_WITNESS, 'answer'),
    because: 'An attempt may have begun although it was answered 429, and nobody could ever say so.',
  },
  {
    id: 'throttled-untraceable',
    from: ['sending', 'pausing'],
    on: ['refused', 'not-sent', 'cancel', 'withdrawn', 'tick', 'restored'],
    when: leavesOpen,
    to: 'listening',
    updates: listen,
    effects: ['save', 'deliver'],
    verdict: fixed(ONLY_CALLBACK, 'answer'),
    because:
      'An attempt may have begun although it was answered 429. Only its callback would say so, which may get lost: that none comes proves nothing.',
  },
];
