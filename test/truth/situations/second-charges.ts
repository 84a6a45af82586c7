import type { FaultKind } from '../../../src/simulator/index.js';
import { BEGUN_DESPITE_429, oneByOne, onlyThese, type Situation, withMessages } from './parts.js';

const MINUTE = 60_000;

/**
 * Of two charges for one message one goes back. Another till has seen the two as well, and has just given back something of
 * that one, so that the service says that this is done; and then it says nothing for a while. Or the process dies right before
 * somebody hears of it.
 */
export const secondCharges: Situation = (scenario, hostility, draw) => {
  const faults: FaultKind[] = ['repeated-request-throttled', 'callback-late'];
  const variants = { ...scenario.variants, completedCodes: draw.pick(['swapped', 'swapped', 'by-state'] as const) };
  const dies = draw.chance(0.4);
  const seen = {
    ...onlyThese(scenario, { ...hostility, variants }, faults, dies ? [] : ['other-till-second-charge']),
    focus: BEGUN_DESPITE_429,
    deaths: dies ? Array.from({ length: 4 }, () => ({ tellings: draw.int(1, 4), handedOver: false })) : [],
    // Who is away for longer than a reversal is tried leaves it to a person.
    downtimes: Array.from({ length: 8 }, () => draw.int(3, 20) * 1000),
    variants,
    diskMs: 0,
    isQuick: true as const,
    callbacks: draw.chance(0.8),
  };
  const policies = {
    exclusiveTerminal: false,
    busyWaitMs: draw.pick([0, MINUTE, 5 * MINUTE]),
    deadlineMs: undefined,
    lateApproval: draw.pick(['report', 'reverse'] as const),
  };
  return withMessages(seen, oneByOne('sale', policies));
};
