import { all, not } from '../../guard.js';
import { endLook, laterCanBeReversed, laterStaysOpen, nothingFollowed } from '../later-look.js';
import { areOneTransaction } from '../one-transaction.js';
import { alarmAgain, takeBackLater } from '../second-approval.js';

import type { TerminalTransition } from './types.js';

/** The flow knows of an approval, and another attempt may have begun after it: the engine looks once more when none can charge any more. */
export const LATER_LOOK: readonly TerminalTransition[] = [
  {
    id: 'later-charge-reversal',
    from: ['closed'],
    on: ['earlier'],
    when: all(laterCanBeReversed, not(areOneTransaction)),
    to: 'reversing',
    updates: takeBackLater,
    effects: ['alarm', 'save'],
    because:
      'The flow knows of one charge. Another attempt has charged since, and its result is lost: that charge goes back.',
  },
  {
    id: 'later-charge-unproven',
    from: ['closed'],
    on: ['earlier', 'tick'],
    when: laterStaysOpen,
    to: 'closed',
    updates: alarmAgain,
    effects: ['alarm', 'save'],
    because:
      'The flow knows of one charge. Another attempt has charged since, or nobody can rule that out: a person must look.',
  },
  {
    id: 'nothing-followed',
    from: ['closed'],
    on: ['earlier'],
    when: nothingFollowed,
    to: 'closed',
    updates: endLook,
    effects: ['save'],
    because: 'The status service shows no other charge, and no terminal waits for a card any more.',
  },
];
