import { type Focus, TERMINALS } from '../scenario.js';
import { oneByOne, onlyThese, type Situation, START, upsetsEvery, withMessages } from './parts.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/**
 * So much is asked of one key that every request waits for the rate limit, and some are answered 429 or do not leave at all.
 * Meanwhile the flow cancels, or the process stops.
 */
export const crowdedKeys: Situation = (scenario, hostility, draw) => {
  const only: Focus['only'] = ['rate-limited', 'rate-limited', 'rate-limited', 'rate-limited', 'connection-refused'];
  const crowded = {
    ...onlyThese(scenario, hostility, only, ['burst']),
    focus: { at: START, only, isRelentless: true as const },
    upsets: draw.chance(0.6) ? upsetsEvery(draw.int(2, 12) * SECOND, 40, 'redeploy') : [],
    callbacks: draw.chance(0.5),
  };
  const policies = { exclusiveTerminal: false, busyWaitMs: 5 * MINUTE, deadlineMs: undefined };
  const isCancelled = draw.chance(0.6);
  return withMessages(crowded, (message, place) => ({
    ...oneByOne('sale', policies)(message, place),
    at: Math.floor(place / TERMINALS.length) * 30 * SECOND,
    ...(isCancelled && { cancelAfter: draw.int(500, 12_000) }),
  }));
};

/**
 * Follow-ups of many payments wait for the rate limit of one key: their answers are lost, or are 429. While one waits to be sent again,
 * the process stops.
 */
export const crowdedFollowUps: Situation = (scenario, hostility, draw) => {
  const only: Focus['only'] = ['answer-lost', 'server-error-after', 'rate-limited', 'rate-limited'];
  const crowded = {
    ...onlyThese(scenario, hostility, only, ['burst']),
    focus: { at: 'POST /reversal', alsoAt: 'POST /moto/sale', only, isRelentless: true as const },
    upsets: upsetsEvery(draw.int(2, 20) * SECOND, 60, 'redeploy'),
    retriesByToken: true as const,
    callbacks: true,
    isQuick: true as const,
  };
  return withMessages(crowded, (message, place) => ({
    ...oneByOne('saleAndTokenizeCard', { exclusiveTerminal: false, deadlineMs: undefined })(message, place),
    at: Math.floor(place / TERMINALS.length) * 30 * SECOND,
    followUps: 3,
  }));
};

/**
 * Many changes of holds that the journal does not know wait for the rate limit of one key. A backup is taken while they do, and
 * restored when others may have sent them.
 */
export const crowdedUnknownHolds: Situation = (scenario, hostility, draw) => {
  const crowded = {
    ...onlyThese(scenario, hostility, [], ['burst', 'restored-backup']),
    backedUp: 'while-waiting' as const,
    namesUnknownHolds: true as const,
    callbacks: draw.chance(0.5),
    isQuick: true as const,
  };
  return withMessages(crowded, oneByOne('saleAndTokenizeCard', { deadlineMs: undefined }));
};
