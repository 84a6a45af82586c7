import { OTHER_REFERENCE } from '../other-systems.js';
import { TERMINALS } from '../scenario.js';
import type { Actor } from './actor.js';

const REVERSED_BY: Readonly<Record<string, string>> = {
  charge: 'saleReversal',
  refund: 'refundReversal',
};

/** Somebody at another till takes the same back as we do, on a terminal, with a reference of their own. */
export const otherTillReversal: Actor = ({ world, play, draw }) => {
  play.onAsk(({ id, request }) => {
    if (request.kind !== 'back-office' || request.order.operation !== 'reversal' || !draw.chance(0.6)) return;
    const { body } = request.order;
    const originalTransactionId = 'originalGuid' in body ? body.originalGuid : '';
    const entry = world.simulator.bank.entries().find(({ transactionId }) => transactionId === originalTransactionId);
    const operation = REVERSED_BY[entry?.kind ?? ''];
    if (entry === undefined || operation === undefined) return;
    const { currency, moved } = entry;
    const wanted = 'amount' in body && body.amount !== undefined ? body.amount : undefined;
    const amount = wanted === undefined ? String(Math.abs(moved)) : wanted.replace('.', '').replace(/^0+/, '');
    world.clock.after(draw.scale(1, 60_000), () => {
      world.acts.add('other-till-reversal');
      world.note?.(`another till takes back what ${id} does: ${operation} ${amount}`);
      const order = { operation, amount, currency, originalTransactionId, customerReference: OTHER_REFERENCE };
      world.others.post('/transactions', { ...draw.pick(TERMINALS), ...order });
    });
  });
};
