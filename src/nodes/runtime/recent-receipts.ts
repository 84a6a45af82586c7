import type { Delivery, Listener } from '../../core/delivery/listener.js';
import type { ResultPayload } from '../../core/delivery/payload.js';

/**
 * The receipts of the latest payments, for the editor. In memory only, because the body of a receipt must never be stored:
 * after a restart there are none.
 */

export type Receipts = ResultPayload['receipts'];

const KEPT = 200;
/** In characters. */
const LONGEST = 64 * 1024;

const kept = new Map<string, Receipts>();

export function receiptsOf(operationId: string): Receipts | undefined {
  return kept.get(operationId);
}

/** A listener that also keeps the receipts of what is delivered to it. */
export function keepReceipts(listener: Listener): Listener {
  return {
    deliver: (delivery) => {
      keep(delivery);
      listener.deliver(delivery);
    },
    progress: (progress) => listener.progress(progress),
    stage: (change) => listener.stage?.(change),
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
