import { TransientMap } from '../../../core/base/transient.js';
import type { ResultPayload } from '../../../core/delivery/payload.js';

/** The receipts of the latest payments, in memory: for the editor, where an environment keeps none. */

export type Receipts = ResultPayload['receipts'];

const KEPT = 200;

const kept = new TransientMap<Receipts>();

export function recentReceipts(operationId: string): Receipts | undefined {
  return kept.get(operationId);
}

export function noteRecent(operationId: string, receipts: Receipts): void {
  kept.delete(operationId);
  kept.set(operationId, receipts);
  const [oldest] = kept.ids();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
}
