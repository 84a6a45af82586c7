import type { FaultKind } from '../../../src/simulator/index.js';
import { BEGUN_DESPITE_EACH_429, oneByOne, onlyThese, type Situation, withMessages } from './parts.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/**
 * Attempts charge although they were answered 429, and the result of one comes while the request of the next is on its way. That
 * next one certainly does not begin, as its terminal is offline.
 */
export const refusedAfterCharge: Situation = (scenario, hostility, draw) => {
  const only: readonly [FaultKind, ...FaultKind[]] = [
    'repeated-request-throttled',
    'request-delayed',
    'terminal-offline',
  ];
  const refused = {
    ...onlyThese(scenario, hostility, [...only, 'callback-late'], []),
    focus: {
      ...BEGUN_DESPITE_EACH_429,
      only,
      alsoAt: 'callback',
      sparesStops: true as const,
      isRelentless: true as const,
      isSecondsLate: true as const,
    },
    faultRate: draw.pick([0.3, 0.5]),
    statusLagMs: 10_000,
    isQuick: true as const,
    callbacks: true,
    diskMs: 0,
  };
  const policies = {
    exclusiveTerminal: false,
    busyWaitMs: draw.pick([MINUTE, 5 * MINUTE]),
    deadlineMs: draw.chance(0.8) ? draw.pick([10, 15, 20]) * SECOND : undefined,
    lateApproval: draw.pick(['report', 'reverse', 'reverse'] as const),
  };
  return withMessages(refused, oneByOne(draw.pick(['sale', 'preAuthorization'] as const), policies));
};
