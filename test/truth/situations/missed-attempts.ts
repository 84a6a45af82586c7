import type { FaultKind } from '../../../src/simulator/index.js';
import {
  BEGUN_DESPITE_429,
  BEGUN_DESPITE_EACH_429,
  LOSSES,
  oneByOne,
  onlyThese,
  type Situation,
  upsetsEvery,
  withMessages,
} from './parts.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/**
 * An attempt charges although it was answered 429. While it is asked whether it did, its record is missing, answers get lost, its
 * result comes late, and the process dies.
 */
export const missedAttempts: Situation = (scenario, hostility, draw) => {
  const faults: FaultKind[] = ['repeated-request-throttled', ...LOSSES, 'callback-late', 'status-record-missing'];
  const upset = draw.pick(['crash', 'redeploy', undefined, undefined] as const);
  const alsoAt = draw.pick(['callback', 'status-with-record', 'POST /reversal']);
  const missed = {
    ...onlyThese(scenario, hostility, faults, []),
    focus: {
      ...draw.pick([BEGUN_DESPITE_429, BEGUN_DESPITE_EACH_429]),
      alsoAt,
      isRelentless: draw.chance(0.7) || undefined,
    },
    faultRate: draw.pick([0.05, 0.2, 0.4]),
    statusLagMs: draw.pick([1000, 10_000]),
    ...(draw.chance(0.7) && { isQuick: true as const }),
    callbacks: draw.chance(0.8),
    upsets: upset === undefined ? [] : upsetsEvery(draw.int(5, 90) * SECOND, 20, upset),
  };
  const policies = {
    exclusiveTerminal: false,
    busyWaitMs: draw.pick([0, MINUTE, 5 * MINUTE]),
    deadlineMs: draw.chance(0.4) ? draw.pick([15, 60]) * SECOND : undefined,
    lateApproval: draw.pick(['report', 'reverse'] as const),
  };
  return withMessages(missed, oneByOne(draw.pick(['sale', 'sale', 'preAuthorization'] as const), policies));
};
