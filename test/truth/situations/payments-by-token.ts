import type { FaultKind } from '../../../src/simulator/index.js';
import type { ActorName } from '../actors/names.js';
import type { Focus, Message, Outage } from '../scenario.js';
import { LOSSES, oneByOne, onlyThese, type Situation, withMessages } from './parts.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const FAULTS: readonly [FaultKind, ...FaultKind[]] = [
  ...LOSSES,
  'rate-limited',
  'acts-late',
  'moto-authorised-without-code',
  'moto-00-without-code',
  'failed-then-approved',
  'status-record-missing',
];

/**
 * Charges by token are lost, refused for now or answered with what proves nothing, nobody can be asked for a while, and a flow
 * that is told "safe" charges once more.
 */
export const paymentsByToken: Situation = (scenario, hostility, draw) => {
  const actors = draw.pick<ActorName[]>([[], ['freezer'], ['sleeper'], ['jumping-clock'], ['other-till-back-office']]);
  const focus: Focus = { at: 'POST /moto/sale', alsoAt: 'status-with-record' };
  const from = draw.int(0, 30) * MINUTE;
  const outage: Outage = { from, until: from + draw.int(1, 20) * MINUTE, kind: 'lost', target: 'status' };
  const paid = {
    ...onlyThese(scenario, hostility, FAULTS, [...actors, 'obeys-retry']),
    focus,
    statusLagMs: draw.pick([1000, 10_000]),
    isQuick: true as const,
    retriesByToken: true as const,
    outages: draw.chance(0.5) ? [outage] : [],
  };
  const pay = oneByOne('saleAndTokenizeCard', { deadlineMs: undefined });
  return withMessages(paid, (message: Message, place) => ({ ...pay(message, place), followUps: 3 }));
};
