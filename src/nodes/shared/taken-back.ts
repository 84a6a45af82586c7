import type { Summary } from './admin-summary.js';
import { isSuccess } from './success.js';

/** Asked by the runtime before it takes anything back, and by the sidebar for what it shows. Knows nothing of either. */

/** The whole of it has gone back, or is about to. */
export type TakenBack = 'done' | 'open';

/** What a reversal did to an operation; undefined where it is about another, failed, or was about a part. */
export function takenBackBy(original: Summary, reversal: Summary): TakenBack | undefined {
  const { reverses, outcome, stage, amount } = reversal;
  const isAbout = original.transactionId !== '' && reversal.original === original.transactionId;
  const isWhole = reverses === 'whole' || (reverses === 'part' && amount === original.amount);
  if (!isAbout || !isWhole) return undefined;
  if (outcome !== undefined && isSuccess(outcome)) return 'done';
  return outcome === undefined || stage !== undefined ? 'open' : undefined;
}
