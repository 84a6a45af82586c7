/** The service's constants, spelt as in the API description. */

export const OPERATIONS = [
  'sale',
  'refund',
  'refundReversal',
  'saleReversal',
  'saleAndTokenizeCard',
  'tokenizeCard',
  'printReceipt',
  'cardPan',
  'pingDevice',
  'stopCurrentTransaction',
  'moToSale',
  'moToRefund',
  'moToReversal',
  'moToPreAuthorization',
  'preAuthorization',
  'preAuthorizationIncrease',
  'preAuthorizationCapture',
  'preAuthorizationReversal',
] as const;

export type Operation = (typeof OPERATIONS)[number];

export type ResultType =
  | 'SALE'
  | 'REFUND'
  | 'REVERSAL'
  | 'PRE_AUTHORIZATION'
  | 'PRE_AUTHORIZATION_INCREASE'
  | 'PRE_AUTHORIZATION_CAPTURE'
  | 'PRE_AUTHORIZATION_REVERSAL'
  | 'MOTO_SALE'
  | 'MOTO_REFUND'
  | 'MOTO_REVERSAL'
  | 'TOKENIZE_CARD'
  | 'SALE_AND_TOKENIZE_CARD'
  | 'TIP_ADJUSTMENT'
  | 'TRANSACTION_STATUS'
  | 'CARD_PAN'
  | 'UNDEFINED';

export type FinStatus =
  | 'IN_PROGRESS'
  | 'UNDEFINED'
  | 'AUTHORISED'
  | 'DECLINED'
  | 'FAILED'
  | 'CANCELLED'
  | 'PARTIAL_APPROVAL'
  | 'REFUNDED'
  | 'PROCESSED'
  | 'CAPTURED';

export type EntryMode = 'ICC' | 'CONTACTLESS_ICC' | 'MAG_STRIPE' | 'CNP';

export type Verification =
  | 'NOT_REQUIRED'
  | 'PIN'
  | 'SIGNATURE'
  | 'PIN_SIGNATURE'
  | 'MOBILE_PASS_CODE'
  | 'PIN_BYPASS'
  | 'CVC'
  | 'FAILED'
  | 'UNDEFINED';

export type Tender = 'CREDIT' | 'DEBIT' | 'PREPAID';

export type Scheme =
  | 'VISA'
  | 'MASTERCARD'
  | 'MAESTRO'
  | 'AMEX'
  | 'DISCOVER'
  | 'JCB'
  | 'DINERS'
  | 'UNIONPAY'
  | 'INTERAC';

/** Operations that the status service can find by their own `transactionReference`. */
export const HONOURS_REFERENCE: ReadonlySet<Operation> = new Set([
  'sale',
  'refund',
  'saleAndTokenizeCard',
  'preAuthorization',
]);

/** One entry of a result's `customFields`. */
export interface CustomField {
  key: string;
  value: string;
}
