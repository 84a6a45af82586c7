import { all, any, not } from '../../guard.js';
import { pauseAtBusy } from '../attempts.js';
import { earlierMayHaveBegun, hasEarlierAttempts, mayTryThrottledAgain, mayUseOtherKey, refusedAs } from '../guards.js';
import { endWith, leaveWithOtherKey, pauseForOtherKey, pauseForThrottle } from '../updates.js';
import { notSent, refusal } from '../verdicts.js';

import type { TerminalTransition } from './types.js';

/** The request was refused, or did not leave: whether another one follows, and what the flow hears. */
export const REFUSED: readonly TerminalTransition[] = [
  {
    id: 'terminal-busy',
    from: ['sending'],
    on: ['refused'],
    when: refusedAs('busy'),
    to: 'pausing',
    updates: pauseAtBusy,
    effects: ['save'],
    because: '1001 may be about our own request that was sent twice: a stop, or the status service, has to say.',
  },
  {
    id: 'throttled',
    from: ['sending'],
    on: ['refused'],
    when: all(refusedAs('throttled'), mayTryThrottledAgain),
    to: 'pausing',
    updates: pauseForThrottle,
    effects: ['save'],
    because: '429: back off one second and retry.',
  },
  {
    id: 'key-replaced',
    from: ['sending'],
    on: ['refused'],
    when: all(mayUseOtherKey, not(hasEarlierAttempts)),
    to: 'queued',
    updates: leaveWithOtherKey,
    effects: ['new-attempt', 'save', 'post'],
    because: 'A key that is refused lets nothing begin: the request goes again with the other key.',
  },
  {
    id: 'key-replaced-after-attempts',
    from: ['sending'],
    on: ['refused'],
    when: mayUseOtherKey,
    to: 'pausing',
    updates: pauseForOtherKey,
    effects: ['save'],
    because: 'A key that is refused lets nothing begin: the next attempt goes with the other key.',
  },
  {
    id: 'refused-after-attempts',
    from: ['sending'],
    on: ['refused'],
    when: all(any(hasEarlierAttempts, refusedAs('throttled')), earlierMayHaveBegun),
    to: 'pausing',
    updates: endWith(refusal),
    effects: ['save'],
    because:
      'The earlier attempts are asked for before the flow hears that none has begun; so is one that met a 429, which may be the answer to a request that was sent twice.',
  },
  {
    id: 'not-sent-after-attempts',
    from: ['sending', 'pausing'],
    on: ['not-sent'],
    when: all(
      earlierMayHaveBegun,
      any(hasEarlierAttempts, ({ phase }) => phase === 'pausing'),
    ),
    to: 'pausing',
    updates: endWith(notSent),
    effects: ['save'],
    because: 'This attempt did not leave; the earlier ones are asked for before the flow hears that none has begun.',
  },
  {
    id: 'refused',
    from: ['sending'],
    on: ['refused'],
    to: 'closed',
    effects: ['save', 'deliver'],
    verdict: refusal,
    because: 'A refusal at the POST is certain: nothing began.',
  },
  {
    id: 'not-sent',
    from: ['queued', 'sending', 'pausing'],
    on: ['not-sent'],
    to: 'closed',
    effects: ['save', 'deliver'],
    verdict: notSent,
    because: 'Name not resolved or connection refused: not a byte arrived.',
  },
];
