import type { Draw } from '../draw.js';
import type { Message, Scenario } from '../scenario.js';
import { scenarioOf } from '../worlds.js';
import type { Target } from './endpoints.js';

/**
 * A few messages, and a process that dies or is deployed anew now and then. What goes wrong beside that is what the
 * answers say.
 */
export function fuzzScenario(seed: number, { operations }: Target, draw: Draw): Scenario {
  const scenario = scenarioOf(seed, 'today');
  const exclusiveTerminal = draw.chance(0.5);
  const leadingThere = (message: Message): Message =>
    operations === undefined
      ? { ...message, policies: { ...message.policies, exclusiveTerminal }, followUps: draw.chance(0.5) ? 2 : 0 }
      : {
          ...message,
          operation: draw.pick(operations),
          amount: '1000',
          extras: {},
          policies: { busyWaitMs: 0, lateApproval: 'report', partialApproval: 'accept' },
          cancelAfter: undefined,
          followUps: 3,
        };
  return {
    ...scenario,
    messages: scenario.messages.slice(0, draw.pick([1, 1, 2])).map(leadingThere),
    focus: undefined,
    faultRate: draw.chance(0.15) ? 0.05 : 0,
    fumbles: false,
    upsets: draw.chance(0.3) ? scenario.upsets.slice(0, 1) : [],
    deaths: draw.chance(0.3) ? scenario.deaths : [],
    elsewhereMs: undefined,
    fullDisk: [],
    diskMs: 0,
    outages: [],
    troubles: [],
  };
}
