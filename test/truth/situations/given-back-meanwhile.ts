import { BEGUN_DESPITE_EACH_429, oneByOne, onlyThese, type Situation, START, withMessages } from './parts.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/**
 * A payment begins although it is answered 429, and another till gives back a part, or all of it, while the flow still waits for
 * the next attempt. Nobody can be asked before that.
 */
export const givenBackMeanwhile: Situation = (scenario, hostility, draw) => {
  const only = ['repeated-request-throttled', 'rate-limited'] as const;
  const from = draw.int(0, 5) * SECOND;
  const waiting = {
    ...onlyThese(scenario, hostility, [...only, 'callback-lost'], ['other-till-back-office']),
    focus: { ...BEGUN_DESPITE_EACH_429, at: START, only, isRelentless: true as const },
    outages: [{ from, until: from + draw.int(1, 4) * MINUTE, kind: 'refused' as const, target: 'status' as const }],
    callbacks: draw.chance(0.3),
    isQuick: true as const,
  };
  const policies = {
    exclusiveTerminal: false,
    busyWaitMs: 5 * MINUTE,
    deadlineMs: undefined,
    lateApproval: draw.pick(['report', 'reverse'] as const),
  };
  return withMessages(waiting, (message, place) => ({
    ...oneByOne('sale', policies)(message, place),
    at: place * 5 * SECOND,
  }));
};
