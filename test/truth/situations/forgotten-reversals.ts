import type { FaultKind } from '../../../src/simulator/index.js';
import type { ActorName } from '../actors/names.js';
import { LOSSES, oneByOne, onlyThese, type Situation, START, withMessages } from './parts.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/**
 * What came too late went back, and a backup of the journal knows nothing of that. Hours later the terminal's callback
 * arrives, and says "approved".
 */
export const forgottenReversals: Situation = (scenario, hostility, draw) => {
  const faults: FaultKind[] = ['callback-late', 'callback-lost', 'acts-late', ...LOSSES];
  const actors: ActorName[] = ['restored-backup'];
  const variants = { ...scenario.variants, resultLife: 'minute' as const };
  const forgotten = {
    ...onlyThese(scenario, { ...hostility, variants }, faults, actors),
    focus: {
      at: 'callback',
      alsoAt: draw.pick([undefined, START, START, 'GET /transaction-result']),
      only: ['callback-late', 'callback-late', 'callback-lost'] as const,
      isRelentless: true as const,
      isHoursLate: true as const,
    },
    variants,
    backedUp: draw.pick(['while-sent', 'while-sent', 'at-terminal'] as const),
    fumbles: draw.chance(0.4),
    callbacks: true,
  };
  const policies = {
    exclusiveTerminal: draw.chance(0.7),
    deadlineMs: draw.pick([undefined, 20 * SECOND, 3 * MINUTE]),
    lateApproval: 'reverse' as const,
  };
  return withMessages(forgotten, oneByOne(draw.pick(['sale', 'sale', 'preAuthorization']), policies));
};
