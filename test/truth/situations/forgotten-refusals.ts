import type { FaultKind } from '../../../src/simulator/index.js';
import type { ActorName } from '../actors/names.js';
import { IN_PART, oneByOne, onlyThese, type Situation, START, withMessages } from './parts.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * The flow was told "busy", and what kept the terminal busy was its own attempt. From a backup of the journal the next process
 * knows that much. Hours later the terminal's callback says "approved", while nobody can ask the status service.
 */
export const forgottenRefusals: Situation = (scenario, hostility, draw) => {
  const faults: FaultKind[] = ['repeated-request', 'callback-late'];
  const actors: ActorName[] = ['restored-backup'];
  const variants = { ...scenario.variants, resultLife: 'minute' as const };
  const forgotten = {
    ...onlyThese(scenario, { ...hostility, variants }, faults, actors),
    focus: {
      at: 'callback',
      alsoAt: START,
      only: ['callback-late'] as const,
      isRelentless: true as const,
      isHoursLate: true as const,
    },
    variants,
    backedUp: 'after-no' as const,
    outages: [{ from: draw.int(2, 12) * MINUTE, until: 6 * HOUR, kind: 'refused' as const, target: 'status' as const }],
    callbacks: true,
  };
  const policies = {
    exclusiveTerminal: false,
    busyWaitMs: 0,
    deadlineMs: draw.pick([undefined, 20 * SECOND]),
    lateApproval: 'reverse' as const,
    partialApproval: draw.pick(['accept', 'reverse'] as const),
  };
  const isInPart = draw.chance(0.4);
  return withMessages(forgotten, (message, place) => ({
    ...oneByOne('sale', policies)(message, place),
    ...(isInPart && { amount: IN_PART }),
  }));
};
