import type { FaultKind } from '../../../src/simulator/index.js';
import type { ActorName } from '../actors/names.js';
import type { Focus, Outage } from '../scenario.js';
import { BEGUN_DESPITE_EACH_429, oneByOne, onlyThese, type Situation, upsetsEvery, withMessages } from './parts.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Nobody hears of the attempts that begin although they are answered 429 before several of them have charged. */
export const unheardAttempts: Situation = (scenario, hostility, draw) => {
  const faults: FaultKind[] = ['repeated-request-throttled', 'callback-late'];
  const focus: Focus = { ...BEGUN_DESPITE_EACH_429, isRelentless: true };
  const isCalm = draw.chance(0.6);
  const actors = isCalm ? [] : draw.pick<ActorName[]>([[], ['restored-backup'], ['jumping-clock']]);
  const upset = isCalm ? undefined : draw.pick(['crash', 'redeploy', undefined] as const);
  const from = draw.int(0, 30) * SECOND;
  const outage: Outage = { from, until: from + draw.int(1, 60) * MINUTE, kind: 'lost', target: 'status' };
  const unheard = {
    ...onlyThese(scenario, hostility, faults, actors),
    focus,
    statusLagMs: 10_000,
    isQuick: true as const,
    outages: isCalm || draw.chance(0.5) ? [] : [outage],
    upsets: upset === undefined ? [] : upsetsEvery(draw.int(5, 60) * SECOND, 40, upset),
  };
  const policies = {
    exclusiveTerminal: false,
    busyWaitMs: draw.pick([0, MINUTE]),
    deadlineMs: draw.chance(0.3) ? 20 * SECOND : undefined,
    lateApproval: draw.pick(['report', 'reverse'] as const),
  };
  return withMessages({ ...unheard, callbacks: draw.chance(0.7) }, (message, place) => ({
    ...oneByOne('sale', policies)(message, place),
    ...(draw.chance(0.3) && { cancelAfter: draw.int(1, 20) * SECOND }),
  }));
};
