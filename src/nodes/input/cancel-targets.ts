import { CancelError, IdempotencyKeyError } from '../../core/base/errors.js';
import { isObject } from '../../core/base/objects.js';
import type { CancelTarget } from '../../core/engine/cancellation.js';
import { orderKey } from '../../core/operation/order-key.js';
import { MONEY_TYPES } from '../form/unheard.js';

/** Whether a node starts what a message can cancel. Any other one has to answer each message. */
export function canCancel(type: string): boolean {
  // A card that is to be stored is awaited on the terminal, as for a payment.
  return MONEY_TYPES.has(type) || type === 'payment-token';
}

/**
 * What `msg.cancel` names, to be tried in this order until one is known; undefined where the message is a payment.
 * @param node the node that has the message: `true` means all of its operations
 * @throws CancelError
 */
export function cancelTargets(
  cancel: unknown,
  node: Readonly<Record<'id' | 'type', string>>,
): CancelTarget[] | undefined {
  if (cancel === undefined || cancel === null || cancel === false) return undefined;
  if (!canCancel(node.type))
    throw new CancelError(cancel, `nothing at ${node.type}, which starts no payment to cancel`);
  if (cancel === true) return [{ node: node.id }];
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
