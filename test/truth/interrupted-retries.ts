import type { FaultKind } from '../../src/simulator/index.js';
import type { ActorName } from './actors/names.js';
import { onlyThese, type Situation, upsetsEvery, withMessages } from './situation-parts.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const WHERE = ['POST /batch/close', 'POST /reversal', 'POST /preauthorization/increase'] as const;

/**
 * What the flow asks for about its payments is answered 429, or not at all. Before it goes again the process dies, for hours in some
 * seeds, or the environment points at another service.
 */
export const interruptedRetries: Situation = (scenario, hostility, draw) => {
  const at = draw.pick(WHERE);
  const only: [FaultKind, ...FaultKind[]] = ['rate-limited', 'rate-limited', 'answer-delayed'];
  const isElsewhere = draw.chance(0.5);
  const actors: ActorName[] = isElsewhere ? [] : ['long-downtime'];
  const interrupted = {
    ...onlyThese(scenario, hostility, only, actors),
    focus: { at, only, isRelentless: true as const },
    upsets: upsetsEvery(draw.int(2, 15) * SECOND, 40, draw.pick(['crash', 'redeploy'])),
    callbacks: true,
    ...(isElsewhere && { elsewhereMs: draw.scale(MINUTE, HOUR) }),
    ...(at === 'POST /batch/close' && { closesBatches: true as const }),
  };
  const operation = at === 'POST /preauthorization/increase' ? 'preAuthorization' : 'sale';
  return withMessages(interrupted, (message, place) => ({
    ...message,
    at: place * 30 * SECOND,
    operation,
    amount: '2500',
    followUps: 3,
  }));
};
