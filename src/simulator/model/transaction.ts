import type { Card } from './cards.js';
import type { Merchant } from './merchant.js';
import type { EntryMode, FinStatus, ResultType, Verification } from './vocabulary.js';

/** Fields of a request that its result repeats unchanged. */
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
  /** The amount held at present. */
  hold: number;
  captured: number;
  increase: number;
}

export function amountsOf(requested: number, more: Partial<Amounts> = {}): Amounts {
  return { requested, total: requested, tip: 0, surcharge: 0, due: 0, hold: 0, captured: 0, increase: 0, ...more };
}

/** The decision of the issuer, or of the gateway in its place. */
export interface Decision {
  finStatus: FinStatus;
  statusMessage: string;
  errorMessage: string;
  issuerCode: string;
  approvalCode: string;
  /** `0000` approved online, `0010` declined online, `1000` decided before the issuer was asked. */
  arc: string;
}

/** One transaction as the gateway keeps it. */
export interface Transaction {
  /** `transactionID`. */
  readonly id: string;
  /** `transactionReference` of the chain. */
  readonly reference: string;
  readonly originalId: string;
  readonly merchant: Merchant;
  /** Serial number of the terminal; empty for the back office. */
  readonly serial: string;
  readonly type: ResultType;
  /** Epoch ms. */
  readonly at: number;
  readonly currency: string;
  readonly card: Card | undefined;
  readonly entry: EntryMode;
  readonly verification: Verification;
  /** Empty unless the operation tokenised the card. */
  readonly cardToken: string;
  readonly echo: Echo;
  readonly rrn: string;
  readonly batchNumber: string;
  readonly amounts: Amounts;
  /** Only a bank that changes its mind replaces it. */
  decision: Decision;

  /**
   * The present status, shown by the first transaction of a chain; the others keep the status they were processed
   * with.
   */
  status: FinStatus;
  /** Minor units reversed so far. */
  reversed: number;
  /** Minor units refunded so far. */
  refunded: number;
  /** Its batch is closed, so neither a reversal nor a tip is possible any more. */
  settled: boolean;
  /** The states that the status service shows, each from its time on; oldest first. */
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

/** Whether money moved or was held when the transaction was processed. */
export function wasApproved({ decision }: Transaction): boolean {
  return decision.finStatus === 'AUTHORISED' || decision.finStatus === 'PARTIAL_APPROVAL';
}
