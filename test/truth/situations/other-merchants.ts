import type { Draw } from '../draw.js';
import type { Hostility } from '../hostility.js';
import type { Message, Scenario } from '../scenario.js';
import { oneByOne, onlyThese, type Situation, withMessages } from './parts.js';

const DAY = 24 * 60 * 60_000;

/** Payments of a merchant, one after the other, of which the flow changes each. */
function paymentsOf(
  scenario: Scenario,
  hostility: Hostility,
  operation: Message['operation'],
  merchant: Partial<Scenario>,
): Scenario {
  const alone = { ...onlyThese(scenario, hostility, [], []), isQuick: true as const, focus: undefined, ...merchant };
  const pay = oneByOne(operation, { deadlineMs: undefined });
  return withMessages(alone, (message, place) => ({ ...pay(message, place), followUps: 3 }));
}

/** Merchants, cards and originals that differ from those of every other seed, for what the service says about them alone. */
const MERCHANTS: readonly [Situation, ...Situation[]] = [
  /** One whose acquirer takes no keyed cards. */
  (scenario, hostility, draw) =>
    paymentsOf(scenario, hostility, draw.pick(['moToSale', 'moToRefund', 'moToPreAuthorization'] as const), {
      merchant: { capabilities: { supportsMoto: false } },
      callbacks: draw.chance(0.5),
    }),
  /** One of group S. */
  (scenario, hostility) => paymentsOf(scenario, hostility, 'sale', { merchant: { group: 'S' } }),
  /** Canadian debit cards. */
  (scenario, hostility) => paymentsOf(scenario, hostility, 'sale', { scheme: 'INTERAC' }),
  /** The money goes to another account than the terminal's own. */
  (scenario, hostility) => {
    const sales = paymentsOf(scenario, hostility, 'sale', {});
    const messages = sales.messages.map((message) => ({ ...message, extras: { merchantAuth: [{ mid: '12345678' }] } }));
    return { ...sales, messages };
  },
  /** What is changed was paid more than 90 days ago. */
  (scenario, hostility, draw) => {
    const operation = draw.pick(['sale', 'moToSale'] as const);
    const late = paymentsOf(scenario, hostility, operation, {
      changesAfter: 91 * DAY,
      fumbles: operation === 'moToSale',
    });
    return draw.chance(0.5) ? { ...late, retainsNothing: true } : late;
  },
  /** The flow names holds that nobody knows. */
  (scenario, hostility) => paymentsOf(scenario, hostility, 'preAuthorization', { namesUnknownHolds: true }),
];

export const otherMerchants: Situation = (scenario, hostility, draw: Draw) =>
  draw.pick(MERCHANTS)(scenario, hostility, draw);
