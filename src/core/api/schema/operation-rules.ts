/** What each operation of `POST /transactions` must, may and must not carry. One table. */

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
  // A release is always whole: an amount would be taken for a partial one.
  preAuthorizationReversal: { ...linked, amount: 'none' },
  tokenizeCard: moneyless,
  printReceipt: moneyless,
  cardPan: moneyless,
  pingDevice: moneyless,
  stopCurrentTransaction: moneyless,
};

/** Whether it is a payment of its own. What works on an earlier one cannot be reversed as if it had never been. */
export function startsPayment(operation: TransactionOperation): boolean {
  const { amount, original } = OPERATION_RULES[operation];
  return amount === 'required' && original !== 'required';
}

/** The body of `POST /transactions` (spec: TransactionRequest), with every rule that can be checked before it leaves. */

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
