import { oneByOne, onlyThese, type Situation, withMessages } from './situation-parts.js';

/**
 * Charges by token are answered 429, and before one is sent again the machine falls struck until nobody waits for the charge any
 * more, or a backup is taken and restored when others may have sent it.
 */
export const strikesAfter429: Situation = (scenario, hostility, draw) => {
  const only = ['rate-limited'] as const;
  const struck = {
    ...onlyThese(scenario, hostility, only, [draw.pick(['sleeper', 'restored-backup'] as const)]),
    focus: { at: 'POST /moto/sale', only, isRelentless: true as const },
    isQuick: true as const,
    retriesByToken: true as const,
    strikesAfter429: true as const,
    callbacks: draw.chance(0.5),
  };
  const pay = oneByOne('saleAndTokenizeCard', { deadlineMs: undefined });
  return withMessages(struck, (message, place) => ({ ...pay(message, place), followUps: 3 }));
};
