import type { ActorName } from '../actors/names.js';
import { LOSSES, oneByOne, onlyThese, type Situation, withMessages } from './parts.js';

/**
 * A reversal is lost, and nobody can be asked until the flow has been told that nobody knows. Then the flow asks for it once
 * more, or another till has taken the same back: whose the entry is that shows in the end is the question.
 */
export const doubtfulReversals: Situation = (scenario, hostility, draw) => {
  const actors = draw.pick<ActorName[]>([[], ['other-till-reversal'], ['other-till-reversal']]);
  const doubtful = {
    ...onlyThese(scenario, hostility, LOSSES, actors),
    focus: {
      at: 'POST /reversal',
      only: LOSSES,
      isDarkAfter: true as const,
      isRelentless: draw.chance(0.5) || undefined,
    },
    callbacks: true,
    isQuick: true as const,
    insists: true as const,
  };
  const operation = draw.pick(['sale', 'refund', 'moToSale'] as const);
  return withMessages(doubtful, (message, place) => ({
    ...oneByOne(operation, { exclusiveTerminal: true, deadlineMs: undefined })(message, place * 4),
    followUps: 3,
  }));
};
