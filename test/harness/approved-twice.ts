import type { HttpAnswer } from '../../src/core/base/seams.js';
import { type Payments, payments } from './payments.js';

export const BUSY: HttpAnswer = { status: 400, body: JSON.stringify({ error: 1001, message: 'Device busy' }) };
export const THROTTLED: HttpAnswer = {
  status: 429,
  body: JSON.stringify({ error: { statusCode: 429, name: 'TooManyRequestsError' } }),
};

/**
 * The first attempt of a sale arrived twice: its repetition was answered 429, and it began all the same. The second attempt was approved,
 * and the flow was told so. `call` is the callback of the first one: approved, too.
 * @param reversal HTTP status of every reversal
 * @param id transaction of the first attempt
 */
export async function approvedTwice({ reversal = 200, id = 'first' } = {}) {
  const references: string[] = [];
  const reversed: string[] = [];
  const world: Payments = payments({
    engine: {
      send: async (request) => {
        const body = JSON.parse(request.body ?? '{}');
        if (body.operation === 'sale' && references.push(body.transactionReference) === 1) return THROTTLED;
        if (!request.url.endsWith('/reversal')) return world.simulator.send(request);
        reversed.push(body.originalGuid);
        const done = { issuerResponseCode: '00', reversalGuid: 'reversal' };
        return { status: reversal, body: JSON.stringify(reversal === 200 ? done : {}) };
      },
    },
  });
  await world.sale({}, { busyWaitMs: 60_000 });
  const { payload } = await world.untilTold();
  const [first = '', second] = references;
  if (payload.outcome !== 'approved' || payload.reference !== second) throw new Error('the second one is not approved');
  const call = () => world.callback(first, { transactionID: id, finStatus: 'AUTHORISED', totalAmount: 1000 });
  return { world, reversed, first, call };
}
