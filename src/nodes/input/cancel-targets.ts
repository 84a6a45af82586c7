import { CancelError, IdempotencyKeyError } from '../../core/base/errors.js';
import { isObject } from '../../core/base/objects.js';
import type { CancelTarget } from '../../core/engine/cancellation.js';
import { orderKey } from '../../core/operation/order-key.js';

/**
 * What `msg.cancel` names, to be tried in this order until one is known; undefined where the message is a payment.
 * @param node the id of the node that has the message: `true` means all of its operations
 * @throws CancelError
 */
export function cancelTargets(cancel: unknown, node: string): CancelTarget[] | undefined {
  if (cancel === undefined || cancel === null || cancel === false) return undefined;
  if (cancel === true) return [{ node }];
  if (typeof cancel === 'string') return [{ operationId: cancel }, keyTarget(cancel, cancel)];
  if (!isObject(cancel)) throw new CancelError(cancel);
  const [[name, value] = [], ...others] = Object.entries(cancel);
  if (others.length > 0) throw new CancelError(cancel);
  if (name === 'idempotencyKey') return [keyTarget(value, cancel)];
  if (typeof value === 'string' && value !== '') {
    if (name === 'operationId') return [{ operationId: value }];
    if (name === 'terminal') return [{ terminal: value }];
  }
  throw new CancelError(cancel);
}

function keyTarget(value: unknown, cancel: unknown): CancelTarget {
  try {
    const key = orderKey(value, 'msg.cancel');
    if (key !== undefined) return { key };
  } catch (error) {
    if (!(error instanceof IdempotencyKeyError)) throw error;
  }
  throw new CancelError(cancel);
}
