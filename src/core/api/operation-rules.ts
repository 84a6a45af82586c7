import type * as z from 'zod';
import { AMOUNT_LIMIT } from '../money.js';
import type { TransactionOperation, TransactionOrder } from './transaction-request.js';

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

/** Fields that only some operations know. */
const FIELDS_OF: Partial<Record<keyof TransactionOrder, readonly TransactionOperation[]>> = {
  tipConfiguration: ['sale'],
  cardPresent: ['saleReversal', 'refundReversal', 'preAuthorizationReversal'],
  returnDeviceInfo: ['pingDevice'],
  receipt: ['printReceipt'],
  cardToken: ['moToSale'],
  channel: ['moToSale'],
};

/** Reports every rule of the table that the body breaks. */
export function checkOperationRules(body: TransactionOrder, context: z.core.$RefinementCtx): void {
  const { operation } = body;
  const expect = (field: keyof TransactionOrder, message: string): void =>
    context.addIssue({ code: 'custom', path: [field], message });

  checkAmount(body, expect);
  const { original } = OPERATION_RULES[operation];
  if (original === 'required' && body.originalTransactionId === undefined) {
    expect('originalTransactionId', `the transactionID of the original (${operation} needs it)`);
  }
  if (original === 'none' && body.originalTransactionId !== undefined) {
    expect('originalTransactionId', `no original with ${operation}`);
  }
  if (operation === 'printReceipt' && body.receipt === undefined) expect('receipt', 'printable HTML or a URL');
  for (const [field, operations] of Object.entries(FIELDS_OF) as [keyof TransactionOrder, TransactionOperation[]][]) {
    if (body[field] !== undefined && !operations.includes(operation)) {
      expect(field, `no ${field} with ${operation} (only with ${operations.join(', ')})`);
    }
  }
}

function checkAmount(
  { operation, amount, currency }: TransactionOrder,
  expect: (field: 'amount' | 'currency', message: string) => void,
): void {
  if (OPERATION_RULES[operation].amount === 'none') {
    if (amount !== undefined) expect('amount', `no amount with ${operation}`);
    if (currency !== undefined) expect('currency', `no currency with ${operation}`);
    return;
  }
  if (amount === undefined) expect('amount', `digits in minor units, such as 1250 (${operation} needs it)`);
  else if (amount.startsWith('-') && operation !== 'preAuthorizationIncrease') {
    expect('amount', 'digits in minor units, such as 1250');
  } else if (isOutOfBounds(amount)) expect('amount', `an amount above 0 and below ${AMOUNT_LIMIT} minor units`);
  if (currency === undefined) expect('currency', `an ISO 4217 currency code such as EUR (${operation} needs it)`);
}

/** Zero or too much; what is no number at all has been reported already. */
function isOutOfBounds(amount: string): boolean {
  if (!/^-?\d+$/.test(amount)) return false;
  const size = BigInt(amount.replace('-', ''));
  return size === 0n || size >= AMOUNT_LIMIT;
}
