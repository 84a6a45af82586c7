import type { FaultKind, Variants } from '../../../src/simulator/index.js';
import type { ActorName } from '../actors/names.js';
import { LOSSES, oneByOne, onlyThese, type Situation, withMessages } from './parts.js';

const SECOND = 1000;

/** The service heeds nothing of what went back of a payment before. */
const HEEDLESS: Partial<Variants> = { reversalAfterRefund: 'done', refundBeyondRest: 'done' };

/** A flow and another till give back the same payment, and the service refuses neither: who has seen the one leaves the other. */
export const givenBackTwice: Situation = (scenario, hostility, draw) => {
  const actors = draw.pick<ActorName[]>([
    ['other-till-back-office'],
    ['other-till-reversal', 'other-till-back-office'],
  ]);
  const faults: readonly FaultKind[] = draw.chance(0.5) ? LOSSES : [];
  const tipAfterReturn = scenario.variants.tipAfterReturn === 'ignored' ? 'ignored' : 'done';
  const variants = { ...scenario.variants, ...HEEDLESS, tipAfterReturn } as const;
  const twice = {
    ...onlyThese(scenario, { ...hostility, variants }, faults, actors),
    variants,
    callbacks: true,
    statusLagMs: draw.pick([SECOND, 10 * SECOND]),
    isQuick: true as const,
  };
  const operation = draw.pick(['sale', 'sale', 'moToSale'] as const);
  return withMessages(twice, (message, place) => ({
    ...oneByOne(operation, { exclusiveTerminal: true, deadlineMs: undefined })(message, place),
    followUps: 4,
  }));
};
