import type { Draw } from '../draw.js';
import type { Hostility } from '../hostility.js';
import type { Message, Scenario } from '../scenario.js';
import { oneByOne, onlyThese, type Situation, withMessages } from './parts.js';

/**
 * Charges by token are answered 429, and before one is sent again the machine falls struck until nobody waits for the charge any
 * more, or a backup is taken and restored when others may have sent it.
 */
export const strikesAfter429: Situation = (scenario, hostility, draw) => {
  const struck = { ...struckAt('POST /moto/sale', scenario, hostility, draw), retriesByToken: true as const };
  return withFollowUps(struck, 'saleAndTokenizeCard');
};

/** The same with increases of holds that the journal does not know, which nobody can be asked about before they are sent again. */
export const strikesAfter429OfUnknown: Situation = (scenario, hostility, draw) => {
  const at = 'POST /preauthorization/increase';
  return withFollowUps({ ...struckAt(at, scenario, hostility, draw), namesUnknownHolds: true }, 'preAuthorization');
};

function struckAt(at: string, scenario: Scenario, hostility: Hostility, draw: Draw): Scenario {
  const only = ['rate-limited'] as const;
  return {
    ...onlyThese(scenario, hostility, only, [draw.pick(['sleeper', 'restored-backup'] as const)]),
    focus: { at, only, isRelentless: true },
    isQuick: true,
    strikesAfter429: true,
    callbacks: draw.chance(0.5),
  };
}

function withFollowUps(struck: Scenario, operation: Message['operation']): Scenario {
  const pay = oneByOne(operation, { deadlineMs: undefined });
  return withMessages(struck, (message, place) => ({ ...pay(message, place), followUps: 3 }));
}
