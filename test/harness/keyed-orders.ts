import { orderKey } from '../../src/core/operation/order-key.js';
import { NODE, type Payments, saleOrder } from './payments.js';

/** A sale, and what its message and its key are. */
export interface Sent {
  message?: string;
  key?: string;
  amount?: string;
  node?: string;
  repeatUnsuccessful?: boolean;
}

export function send(
  world: Payments,
  { message = 'm', key = '4711', amount = '1000', node = NODE, ...options }: Sent = {},
) {
  const order = saleOrder({ amount });
  const origin = { node, message: { _msgid: message }, key: orderKey(key, 'key', options.repeatUnsuccessful) };
  return world.engine.submit({ ...order, origin });
}

/** Of every output: the message, the outcome, and whether it repeats an order. */
export const heard = (world: Payments) =>
  world.told.map(({ origin, payload }) => [origin.message._msgid, payload.outcome, payload.repeated === true]);

export const charges = (world: Payments) => world.bank.entries().filter(({ kind }) => kind === 'charge').length;
