import type { TransactionOperation } from '../api/schema/operation-rules.js';
import type { BackOfficeOperation } from './back-office-order.js';

export type Operation = TransactionOperation | BackOfficeOperation;

/**
 * What a reversal takes back: what was only held, or what had moved. Its result has one type for both, so the journal
 * has to say (spec: POST /reversal, preAuthorizationReversal).
 */
export type ReversedKind = 'hold' | 'money';

const HOLDS: ReadonlySet<Operation> = new Set(['preAuthorization', 'moToPreAuthorization']);

const CAPTURES: ReadonlySet<Operation> = new Set(['preauthorization/capture', 'preAuthorizationCapture']);

const REVERSALS: ReadonlySet<Operation> = new Set([
  'reversal',
  'moto/reversal',
  'saleReversal',
  'refundReversal',
  'moToReversal',
  'preAuthorizationReversal',
]);

const CHANGING_HOLDS: ReadonlySet<Operation> = new Set(['preauthorization/increase', 'preAuthorizationIncrease']);

export function isHold(operation: Operation): boolean {
  return HOLDS.has(operation);
}

/** Whether an operation undoes another one. */
export function isReversal(operation: Operation): boolean {
  return REVERSALS.has(operation);
}

/** Whether it only changes another operation, or takes it back: nothing is ever asked about it, but about the other. */
export function isAboutOriginal(operation: Operation): boolean {
  return operation === 'tip-adjustment' || changesHold(operation) || isReversal(operation);
}

export function changesHold(operation: Operation): boolean {
  return CHANGING_HOLDS.has(operation);
}

export function isCapture(operation: Operation): boolean {
  return CAPTURES.has(operation);
}

/** Operations whose success moves no money. */
const WITHOUT_MONEY: ReadonlySet<TransactionOperation> = new Set([
  'tokenizeCard',
  'printReceipt',
  'cardPan',
  'pingDevice',
  'stopCurrentTransaction',
]);

/** Operations whose success places or changes a hold: nothing has moved until the capture. */
export const ON_HOLD: ReadonlySet<TransactionOperation> = new Set([
  'preAuthorization',
  'moToPreAuthorization',
  'preAuthorizationIncrease',
  'preAuthorizationReversal',
]);

export const GIVING_BACK: ReadonlySet<TransactionOperation> = new Set([
  'refund',
  'moToRefund',
  'saleReversal',
  'refundReversal',
  'moToReversal',
]);

/** Whether an operation can move money, or place a hold on it. */
export function movesMoney(operation: TransactionOperation): boolean {
  return !WITHOUT_MONEY.has(operation);
}
