import { saidAmount } from '../../base/money.js';
import { requestedAmount } from './amounts.js';
import type { Asked } from './asked.js';
import type { Reply } from './reply.js';

/**
 * An answer to a tip, with the tip that it names as its amount where that is not the one that was asked for. The service describes
 * no amount in it: a tip may be in either unit, and an amount that stands alone may contain what was charged without the tip.
 */
export function withSaidTip({ request, state }: Asked, reply: Reply): Reply {
  if (request.operation !== 'tip-adjustment') return reply;
  const { tip, amount: alone, ...rest } = reply;
  const said = tip || alone;
  const asked = requestedAmount(request);
  if (!said || asked === undefined) return rest;
  const named = saidAmount(said, reply.currency || asked.currency);
  const whole = BigInt(state.baseline?.total ?? 0) + asked.amount;
  const isAsAsked = named === asked.amount || (tip ? tip === String(asked.amount) : named === whole);
  return isAsAsked ? rest : { ...rest, amount: said };
}
