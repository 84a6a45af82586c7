import type { Card } from './cards.js';
import type { Merchant } from './merchant.js';
import type { EntryMode, FinStatus, ResultType, Verification } from './vocabulary.js';

/** What a request carries and its result gives back unchanged. */
export interface Echo {
  customerReference: string;
  metadata: Record<string, string> | null;
  moneyRemittanceOptions: Record<string, unknown> | null;
}

export const NO_ECHO: Echo = { customerReference: '', metadata: null, moneyRemittanceOptions: null };

/** All amounts of one transaction, minor units. */
export interface Amounts {
  requested: number;
  /** With tip and surcharge; on a partial approval what was approved. */
  total: number;
  tip: number;
  surcharge: number;
  due: number;
  /** What is held now. */
  hold: number;
  captured: number;
  increase: number;
}

export function amountsOf(requested: number, more: Partial<Amounts> = {}): Amounts {
  return { requested, total: requested, tip: 0, surcharge: 0, due: 0, hold: 0, captured: 0, increase: 0, ...more };
}

/** What the issuer, or whoever stood in for it, said. */
export interface Decision {
  finStatus: FinStatus;
  statusMessage: string;
  errorMessage: string;
  issuerCode: string;
  approvalCode: string;
  /** `0000` online approval, `0010` online decline, `1000` decided before any issuer. */
  arc: string;
}

/** One transaction as the gateway keeps it. */
export interface Transaction {
  /** `transactionID`. */
  readonly id: string;
  /** Of the chain. */
  readonly reference: string;
  readonly originalId: string;
  readonly merchant: Merchant;
  /** Empty for what came over the back office. */
  readonly serial: string;
  readonly type: ResultType;
  /** Epoch ms. */
  readonly at: number;
  readonly currency: string;
  readonly card: Card | undefined;
  readonly entry: EntryMode;
  readonly verification: Verification;
  /** Empty unless the card was tokenised with it. */
  readonly cardToken: string;
  readonly echo: Echo;
  readonly rrn: string;
  readonly batchNumber: string;
  readonly amounts: Amounts;
  /** Only a bank that changes its mind replaces it. */
  decision: Decision;

  /** The present status, which the first of a chain shows; later ones keep the status they were processed with. */
  status: FinStatus;
  /** Minor units taken back by reversals. */
  reversed: number;
  /** Minor units given back by refunds. */
  refunded: number;
  /** Its batch is closed: no reversal, tip or capture reversal any more. */
  settled: boolean;
  /** What the status service shows, and from when on; oldest first. */
  readonly views: View[];
}

export interface View {
  /** When it became so, epoch ms. */
  at: number;
  /** From when on the status service shows it, epoch ms. */
  from: number;
  status: FinStatus;
  amounts: Amounts;
}

/** Whether money moved, or was held, when it was processed. */
export function wasApproved({ decision }: Transaction): boolean {
  return decision.finStatus === 'AUTHORISED' || decision.finStatus === 'PARTIAL_APPROVAL';
}
