import type { FaultKind } from '../../src/simulator/index.js';
import type { Outage } from './scenario.js';
import { oneByOne, onlyThese, type Situation, START, upsetsEvery, withMessages } from './situation-parts.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * A machine without a battery for its clock starts in 1970 now and then, and in between as it should. Nobody has heard how a
 * payment ended, and the status service is away for hours: whoever takes the watch up has to know how long it lasts.
 */
export const unsetClocks: Situation = (scenario, hostility, draw) => {
  const faults: FaultKind[] = ['answer-lost'];
  const outage: Outage = { from: 0, until: draw.int(3, 40) * HOUR, kind: 'lost', target: 'status' };
  const unset = {
    ...onlyThese(scenario, hostility, faults, ['unset-clock']),
    focus: { at: START, only: ['answer-lost'] as const },
    upsets: upsetsEvery(draw.int(10, 40) * MINUTE, 3, 'crash'),
    outages: [outage],
    isQuick: true as const,
    callbacks: false,
  };
  const policies = { exclusiveTerminal: draw.chance(0.5), deadlineMs: undefined };
  return withMessages(unset, oneByOne(draw.pick(['sale', 'preAuthorization']), policies));
};
