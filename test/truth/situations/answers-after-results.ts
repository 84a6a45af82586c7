import type { FaultKind } from '../../../src/simulator/index.js';
import type { Focus } from '../scenario.js';
import { IN_PART, oneByOne, onlyThese, type Situation, START, withMessages } from './parts.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const REPEATED: readonly FaultKind[] = ['repeated-request', 'repeated-request-throttled'];

/**
 * The answer to the request for a payment comes after its result, and may be a refusal: the request had been sent twice. The flow
 * waits for neither, and wants back what comes late, or in part.
 */
export const answersAfterResults: Situation = (scenario, hostility, draw) => {
  const focus: Focus = {
    at: START,
    only: ['answer-delayed', ...draw.pick([[], REPEATED])],
    isRelentless: true,
    isSecondsLate: draw.chance(0.7) || undefined,
  };
  const after = {
    ...onlyThese(scenario, hostility, ['answer-delayed', 'callback-before-answer', ...REPEATED], []),
    focus,
    callbacks: true,
  };
  const policies = {
    exclusiveTerminal: false,
    busyWaitMs: draw.pick([0, MINUTE]),
    deadlineMs: draw.pick([undefined, 2 * SECOND, 10 * SECOND]),
    lateApproval: draw.pick(['report', 'reverse', 'reverse'] as const),
    partialApproval: draw.pick(['accept', 'reverse'] as const),
  };
  const isInPart = draw.chance(0.5);
  const isCancelled = draw.chance(0.3);
  return withMessages(after, (message, place) => ({
    ...oneByOne('sale', policies)(message, place),
    ...(isInPart && { amount: IN_PART }),
    ...(isCancelled && { cancelAfter: draw.int(1, 5000) }),
  }));
};
