import type { FaultKind } from '../../../src/simulator/index.js';
import type { ActorName } from '../actors/names.js';
import { BEGUN_DESPITE_EACH_429, oneByOne, onlyThese, type Situation, withMessages } from './parts.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/**
 * Attempts begin although they are answered 429. The results of some come while the next one is prepared, and those of others
 * never come: only the status service knows that they have charged.
 */
export const lostResults: Situation = (scenario, hostility, draw) => {
  const missing: FaultKind[] = draw.chance(0.5) ? ['status-record-missing'] : [];
  const faults: FaultKind[] = ['repeated-request-throttled', 'callback-late', 'callback-lost', ...missing];
  const actors: ActorName[] = draw.chance(0.25) ? ['restored-backup'] : [];
  const lost = {
    ...onlyThese(scenario, hostility, faults, actors),
    focus: { ...BEGUN_DESPITE_EACH_429, isRelentless: draw.chance(0.5) || undefined },
    faultRate: 0.2,
    statusLagMs: draw.pick([1000, 10_000]),
    ...(draw.chance(0.5) && { isQuick: true as const }),
    callbacks: true,
  };
  const policies = {
    exclusiveTerminal: false,
    busyWaitMs: draw.pick([0, MINUTE, 5 * MINUTE]),
    deadlineMs: draw.chance(0.3) ? draw.pick([20, 60]) * SECOND : undefined,
    lateApproval: draw.pick(['report', 'reverse'] as const),
  };
  return withMessages(lost, oneByOne(draw.pick(['sale', 'sale', 'preAuthorization']), policies));
};
