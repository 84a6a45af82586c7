import { oneByOne, onlyThese, type Situation, withMessages } from './parts.js';

const MINUTE = 60_000;

/**
 * A backup of the journal knows a payment as it was at its terminal. What the process told after that nobody remembers, the
 * terminal's result is kept no longer, and the flow has decided that what is approved late goes back.
 */
export const forgottenTellings: Situation = (scenario, hostility, draw) => {
  const variants = { ...scenario.variants, resultLife: 'minute' as const };
  const forgotten = {
    ...onlyThese(scenario, { ...hostility, variants }, [], ['restored-backup']),
    focus: undefined,
    variants,
    backedUp: 'at-terminal' as const,
    fumbles: draw.chance(0.4),
    callbacks: draw.chance(0.6),
  };
  const policies = {
    exclusiveTerminal: draw.chance(0.7),
    deadlineMs: draw.pick([undefined, 3 * MINUTE]),
    lateApproval: 'reverse' as const,
  };
  return withMessages(forgotten, oneByOne(draw.pick(['sale', 'sale', 'preAuthorization']), policies));
};
