import type { BackOfficeOrder } from '../../../src/core/operation/back-office-order.js';
import { OTHER_KEY } from '../other-systems.js';
import { KEY } from '../service.js';
import type { Actor } from './actor.js';

const REPEATED: ReadonlySet<string> = new Set([
  'reversal',
  'moto/refund',
  'preauthorization/capture',
  'preauthorization/increase',
  'tip-adjustment',
]);

/** Two tills of one shop want the same at the same time: each of our changes another till makes too, a little before or after. */
export const otherTillSameAmount: Actor = ({ world, play, draw }) => {
  play.onAsk((asked) => {
    const { request } = asked;
    if (request.kind !== 'back-office' || !REPEATED.has(request.order.operation) || !draw.chance(0.5)) return;
    const { order } = request;
    world.clock.after(draw.scale(1, 30_000), () => {
      world.acts.add('other-till-same-amount');
      world.note?.(`another till repeats ${asked.id}: ${order.operation}`);
      const { path, body } = requestOf(order);
      world.others.post(path, body, draw.pick([OTHER_KEY, KEY]));
    });
  });
};

function requestOf({ operation, body }: BackOfficeOrder): { path: string; body: object } {
  if (!('transactionID' in body)) return { path: `/${operation}`, body };
  const { transactionID, ...fields } = body;
  return { path: `/transactions/${transactionID}/tip-adjustment`, body: fields };
}
