/** Fields that each operation of `POST /transactions` must, may and must not carry. */

interface OperationRule {
  amount: 'required' | 'none';
  /** `originalTransactionId`. */
  original: 'required' | 'optional' | 'none';
  honoursReference: boolean;
}

const fresh: OperationRule = { amount: 'required', original: 'none', honoursReference: true };
const keyed: OperationRule = { amount: 'required', original: 'none', honoursReference: false };
const linked: OperationRule = { amount: 'required', original: 'required', honoursReference: false };
const moneyless: OperationRule = { amount: 'none', original: 'none', honoursReference: false };

export const OPERATION_RULES: Readonly<Record<TransactionOperation, OperationRule>> = {
  sale: fresh,
  saleAndTokenizeCard: fresh,
  preAuthorization: fresh,
  refund: { ...fresh, original: 'optional' },
  moToSale: keyed,
  moToPreAuthorization: keyed,
  moToRefund: { ...keyed, original: 'optional' },
  saleReversal: linked,
  refundReversal: linked,
  moToReversal: linked,
  preAuthorizationIncrease: linked,
  preAuthorizationCapture: linked,
  // A release is always in full; the service would read an amount as a partial release.
  preAuthorizationReversal: { ...linked, amount: 'none' },
  tokenizeCard: moneyless,
  printReceipt: moneyless,
  cardPan: moneyless,
  pingDevice: moneyless,
  stopCurrentTransaction: moneyless,
};

/** The operations of `POST /transactions` (spec: TransactionRequest). */
export const TRANSACTION_OPERATIONS = [
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

export type TransactionOperation = (typeof TRANSACTION_OPERATIONS)[number];
