import type { Meaning } from '../../operation/result-meaning.js';

/** What the status service has said of an operation on a terminal. */
export interface KnownToGateway {
  meaning: Meaning | 'none';
  /** Epoch ms. */
  askedAt: number;
  /** What is left of a payment of which some went back, minor units. */
  net?: number;
  isTwice?: true;
  /** The transaction that it has shown as approved, at any time. */
  approvedId?: string;
  mayBeAnothers?: true;
  amountDiffers?: true;
  othersAbsent?: true;
  /** Since when it shows a decline, epoch ms. */
  declinedAt?: number;
  /** When it was first asked, after the end of the terminal, and said "no" about what it has shown as approved. Epoch ms. */
  deniedAt?: number;
  /** When it was asked first so that "no record" counts, and had none. Epoch ms. */
  noneAt?: number;
  needsChange?: true;
}
