import type { FaultKind } from '../../../src/simulator/index.js';
import { type Death, TERMINALS, type Trouble } from '../scenario.js';
import { oneByOne, onlyThese, type Situation, withMessages } from './parts.js';

const SECOND = 1000;
const DAYS = 4 * 24 * 60 * 60 * SECOND;

/**
 * The terminal says that it does not know how a payment ended, and is switched off. The status service knows, with the
 * surcharge that came on top. The process dies right before or after it has told that, and the next one tells it again.
 */
export const toldAgain: Situation = (scenario, hostility, draw) => {
  const faults: FaultKind[] = ['gateway-answer-lost'];
  const variants = { ...scenario.variants, surcharge: draw.pick(['on-top', 'on-top', 'none'] as const) };
  const deaths = Array.from({ length: 8 }, (): Death => ({ tellings: draw.int(1, 3), handedOver: draw.chance(0.7) }));
  const troubles = TERMINALS.map(({ serial_number: serial }): Trouble => {
    return { at: draw.int(33, 48) * SECOND, serial, kind: 'offline', ms: DAYS };
  });
  const again = {
    ...onlyThese(scenario, { ...hostility, variants }, faults, []),
    focus: { at: 'processing', only: ['gateway-answer-lost'] as const },
    variants,
    deaths,
    troubles,
    isQuick: true as const,
    callbacks: draw.chance(0.5),
  };
  const policies = {
    exclusiveTerminal: draw.chance(0.7),
    deadlineMs: undefined,
    lateApproval: draw.pick(['report', 'report', 'reverse'] as const),
  };
  const operation = draw.pick(['sale', 'refund', 'preAuthorization'] as const);
  return withMessages(again, (message, place) => ({
    ...oneByOne(operation, policies)(message, place),
    at: place * SECOND,
  }));
};
