import type { FaultKind } from '../../../src/simulator/index.js';
import type { Focus, Trouble } from '../scenario.js';
import { TERMINALS } from '../scenario.js';
import { APART, BEGUN_DESPITE_EACH_429, oneByOne, onlyThese, type Situation, withMessages } from './parts.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/**
 * The flow hears of an approval within seconds, although another attempt, which was answered 429, waits for its card. That one is
 * charged after it, and its result is lost, as its terminal goes offline.
 */
export const laterCharges: Situation = (scenario, hostility, draw) => {
  const only: Focus['only'] = ['repeated-request-throttled', 'rate-limited'];
  const faults: FaultKind[] = [...only, 'callback-late', 'callback-lost'];
  const troubles = scenario.messages.flatMap((_message, place) =>
    TERMINALS.map(({ serial_number: serial }): Trouble => {
      const at = place * APART + draw.int(25, 45) * SECOND;
      return { at, serial, kind: 'offline', ms: 9 * MINUTE };
    }),
  );
  const later = {
    ...onlyThese(scenario, hostility, faults, []),
    focus: { ...BEGUN_DESPITE_EACH_429, only, isRelentless: true as const, isHardlyLate: true as const },
    faultRate: 0.1,
    isUneven: true as const,
    callbacks: true,
    troubles,
    outages: draw.chance(0.2)
      ? [{ from: 5 * MINUTE, until: 2 * 60 * MINUTE, kind: 'refused' as const, target: 'status' as const }]
      : [],
  };
  const policies = {
    exclusiveTerminal: false,
    busyWaitMs: MINUTE,
    deadlineMs: undefined,
    lateApproval: 'report' as const,
  };
  return withMessages(later, oneByOne(draw.pick(['sale', 'preAuthorization'] as const), policies));
};
