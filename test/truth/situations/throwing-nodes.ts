import type { FaultKind } from '../../../src/simulator/index.js';
import type { Death, Upset } from '../scenario.js';
import { oneByOne, onlyThese, type Situation, withMessages } from './parts.js';

const SECOND = 1000;

/**
 * Whoever listens in Node-RED throws while a node sends a result, before its flow has heard it or after that, also where a deploy
 * has held the result back, the node is gone, and callback-in sends it, or the process ends before it is sent once more.
 */
export const throwingNodes: Situation = (scenario, hostility, draw) => {
  const faults: FaultKind[] = draw.chance(0.5) ? ['gateway-answer-lost', 'answer-lost'] : [];
  const upsets = Array.from({ length: draw.int(0, 30) }, (): Upset => {
    return { at: draw.int(1, 600) * (SECOND / 10), kind: 'redeploy', nodesDeleted: draw.chance(0.4) };
  });
  const deaths = Array.from({ length: draw.int(0, 4) }, (): Death => ({ tellings: draw.int(1, 6), handedOver: true }));
  const throwing = {
    ...onlyThese(scenario, hostility, faults, []),
    focus: faults.length > 0 ? { at: 'processing', only: ['gateway-answer-lost'] as const } : undefined,
    throwing: draw.pick([0.2, 0.5, 0.8]),
    upsets,
    deaths,
    callbacks: draw.chance(0.5),
    isQuick: true as const,
  };
  const policies = {
    deadlineMs: draw.pick([undefined, 30 * SECOND]),
    lateApproval: draw.pick(['report', 'reverse'] as const),
  };
  const operation = draw.pick(['sale', 'refund', 'preAuthorization'] as const);
  return withMessages(throwing, (message, place) => ({
    ...oneByOne(operation, policies)(message, place),
    at: place * 5 * SECOND,
  }));
};
