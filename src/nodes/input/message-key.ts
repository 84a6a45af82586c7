import { type OrderKey, orderKey } from '../../core/operation/order-key.js';
import { flagOf } from './field-values.js';
import type { Readings } from './reading.js';

/** The idempotency key of a message; undefined where it has none, or its node takes none. @throws IdempotencyKeyError, InputError */
export function messageKey({ idempotencyKey, repeatUnsuccessful }: Readings): OrderKey | undefined {
  if (idempotencyKey === undefined) return undefined;
  const repeats = repeatUnsuccessful === undefined ? false : flagOf(repeatUnsuccessful);
  return orderKey(idempotencyKey.value, idempotencyKey.source, repeats);
}
