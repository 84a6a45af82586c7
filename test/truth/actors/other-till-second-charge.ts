import { toMajor } from '../decimals.js';
import { CHARGING } from '../ledger.js';
import type { Actor } from './actor.js';

const SECOND = 1000;
const TAKES_BACK: ReadonlySet<string> = new Set([
  'terminal earlier-charge-reversal',
  'terminal another-charge-reversal',
  'terminal second-approval',
]);

/**
 * Somebody at another till sees that a customer was charged twice, and gives something of the second charge back right before
 * we take it back. Then the service cannot be reached for a while.
 */
export const otherTillSecondCharge: Actor = ({ world, draw }) => {
  world.transitionListeners.push((id, asked) => {
    const record = world.disk.of(asked.id);
    if (!TAKES_BACK.has(id) || record?.kind !== 'terminal' || !draw.chance(0.8)) return;
    const { reference } = record.state.reversing?.second ?? {};
    const entry = world.simulator.bank.entries(reference).find(({ kind }) => CHARGING.has(kind));
    if (reference === undefined || entry === undefined) return;
    const { transactionId: originalGuid, currency, moved } = entry;
    const body = { originalGuid, amount: toMajor(draw.pick([100, 200, moved]), currency), currency };
    world.acts.add('other-till-second-charge');
    world.note?.(`another till: /moto/refund ${JSON.stringify(body)}`);
    world.others.post('/moto/refund', body);
    const from = world.time + SECOND;
    world.outages.push({ from, until: from + draw.int(1, 60) * SECOND, kind: 'lost', target: 'service' });
  });
};
