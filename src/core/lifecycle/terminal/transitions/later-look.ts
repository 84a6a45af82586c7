import { endLook, laterCanBeReversed, laterStaysOpen, nothingFollowed } from '../later-look.js';
import { alarmAgain, takeBackLater } from '../second-approval.js';

import type { TerminalTransition } from './types.js';

/** The flow has heard of an approval, and another attempt might still begin: what came of it, once none can any more. */
export const LATER_LOOK: readonly TerminalTransition[] = [
  {
    id: 'later-charge-reversal',
    from: ['closed'],
    on: ['earlier'],
    when: laterCanBeReversed,
    to: 'reversing',
    updates: takeBackLater,
    effects: ['alarm', 'save'],
    because: 'Another attempt was charged after the flow had been told of one, and its result was lost: it goes back.',
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
      'A person must look: another attempt was charged after the flow had been told of one, or nobody can rule that out.',
  },
  {
    id: 'nothing-followed',
    from: ['closed'],
    on: ['earlier'],
    when: nothingFollowed,
    to: 'closed',
    updates: endLook,
    effects: ['save'],
    because: 'No other attempt was charged after the one that the flow was told of, and none can be any more.',
  },
];
