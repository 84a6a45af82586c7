import type { FaultKind } from '../../../src/simulator/index.js';
import type { Outage, Scenario } from '../scenario.js';
import { oneByOne, onlyThese, type Situation, START, upsetsEvery, withMessages } from './parts.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * A machine without a battery for its clock starts in 1970 now and then, and in between as it should. Nobody has heard how a
 * payment ended, and the status service is away for hours: whoever takes the watch up has to know how long it lasts. Or an
 * attempt that was repeated, and answered "busy", is cancelled at its terminal: whoever takes that up has to know how long ago.
 */
export const unsetClocks: Situation = (scenario, hostility, draw) => {
  const isRepeated = draw.chance(0.5);
  const fault: FaultKind = isRepeated ? 'repeated-request' : 'answer-lost';
  const outage: Outage = { from: 0, until: draw.int(3, 40) * HOUR, kind: 'lost', target: 'status' };
  const pace = isRepeated ? draw.int(4, 25) * SECOND : draw.int(10, 40) * MINUTE;
  const unset: Scenario = {
    ...onlyThese(scenario, hostility, [fault], ['unset-clock']),
    focus: { at: START, only: [fault] },
    upsets: upsetsEvery(pace, isRepeated ? 20 : 3, 'crash'),
    outages: isRepeated ? [] : [outage],
    ...(!isRepeated && { isQuick: true as const }),
    callbacks: isRepeated,
  };
  const policies = { exclusiveTerminal: draw.chance(0.5), deadlineMs: undefined, busyWaitMs: 5 * MINUTE };
  const operation = draw.pick(['sale', 'preAuthorization'] as const);
  return withMessages(unset, (message, place) => ({
    ...oneByOne(operation, policies)(message, place),
    ...(isRepeated && { at: place * MINUTE }),
    ...(isRepeated && draw.chance(0.5) && { cancelAfter: draw.int(1, 20) * SECOND }),
  }));
};
