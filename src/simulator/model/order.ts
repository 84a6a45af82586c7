import type { Operation } from './vocabulary.js';

/** The tip screen of a sale. */
export interface TipConfiguration {
  /** Minor units. */
  baseAmount: number;
  headerName: string;
  tipPercentages: number[];
  enterAmountEnabled: boolean;
  skipEnabled: boolean;
  footer: string;
}

/** A valid `POST /transactions` body with its defaults filled in. */
export interface Order {
  operation: Operation;
  serial_number: string;
  terminal_type: string;
  /** Minor units; 0 if the operation has no amount. */
  amount: number;
  /** Empty if the operation has no amount. */
  currency: string;
  transactionReference?: string;
  callbackUrl?: string;
  token?: string;
  customerReference: string;
  duplicateCheck: boolean;
  /** A refused request has used up its reference. */
  isReferenceUsed: boolean;
  signatureBypass: boolean;
  pinBypass: boolean;
  tip?: TipConfiguration;
  externalId?: string;
  metadata: Record<string, string> | null;
  moneyRemittanceOptions: Record<string, unknown> | null;
  /** Empty if there is none. */
  originalTransactionId: string;
  returnDeviceInfo: boolean;
  cardPresent: boolean;
  tokenize: boolean;
  receipt?: string;
  cardToken?: string;
}
