import type { Delivery, Listener } from '../../core/delivery/listener.js';
import type { ResultPayload } from '../../core/delivery/payload.js';

/**
 * Receipts of the latest payments, to be looked at in the editor. In memory alone: the body of a receipt is never
 * written down, so those of earlier lives are gone.
 */

export type Receipts = ResultPayload['receipts'];

const KEPT = 200;
const LONGEST = 64 * 1024;

const kept = new Map<string, Receipts>();

export function receiptsOf(operationId: string): Receipts | undefined {
  return kept.get(operationId);
}

/** A node's ears that also keep the receipts of what it is told. */
export function keepReceipts(listener: Listener): Listener {
  return {
    deliver: (telling) => {
      keep(telling);
      listener.deliver(telling);
    },
    progress: (progress) => listener.progress(progress),
  };
}

function keep({ payload: { operationId, receipts } }: Delivery): void {
  const { customer, merchant } = receipts;
  if (customer.kind === 'none' && merchant.kind === 'none') return;
  if (customer.value.length > LONGEST || merchant.value.length > LONGEST) return;
  kept.delete(operationId);
  kept.set(operationId, receipts);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
}
