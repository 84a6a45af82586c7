import type { Proof } from './chain-evidence.js';
import { type Entry, entryIn, isOfKind, isOfUnknownKind, mayBeApproved } from './shape.js';

/** The service said that a reversal was done; its entry of the chain says of what, and how much. */
export function answeredProof(transactionId: string | undefined, chain: readonly Entry[]): Proof {
  const by = entryIn(chain, transactionId);
  const isReversed = by !== undefined && mayBeApproved(by) && (isOfKind(by, 'reversal') || isOfUnknownKind(by));
  return isReversed ? { says: 'done', by } : { says: 'unclear' };
}
