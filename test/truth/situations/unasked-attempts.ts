import type { FaultKind } from '../../../src/simulator/index.js';
import type { Focus, Outage } from '../scenario.js';
import { BEGUN_DESPITE_EACH_429, oneByOne, onlyThese, type Situation, withMessages } from './parts.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Attempts begin although they are answered 429, the last one never arrives, and the status service is away for as long as a
 * payment is watched: what is known of the attempts at the end only their callbacks have said.
 */
export const unaskedAttempts: Situation = (scenario, hostility, draw) => {
  const lost: FaultKind = draw.pick(['request-lost', 'rate-limited']);
  const faults: FaultKind[] = ['repeated-request-throttled', lost, 'callback-late'];
  const focus: Focus = { ...BEGUN_DESPITE_EACH_429, only: ['repeated-request-throttled', lost], isRelentless: true };
  const outage: Outage = { from: 0, until: 48 * HOUR + draw.int(-10, 25) * MINUTE, kind: 'lost', target: 'status' };
  const unasked = { ...onlyThese(scenario, hostility, faults, []), focus, outages: [outage], isQuick: true as const };
  const policies = {
    exclusiveTerminal: false,
    busyWaitMs: draw.pick([0, MINUTE]),
    deadlineMs: draw.chance(0.3) ? 20 * SECOND : undefined,
    lateApproval: draw.pick(['report', 'reverse'] as const),
  };
  return withMessages({ ...unasked, callbacks: true }, oneByOne('sale', policies));
};
