import type { TransactionOperation } from '../api/schema/operation-rules.js';
import type { BackOfficeOperation } from './back-office-order.js';
import type { Outcome } from './outcome.js';

export type Operation = TransactionOperation | BackOfficeOperation;

/** What an operation does to money. */
export type Kind = 'charge' | 'refund' | 'hold' | 'hold-change' | 'capture' | 'tip' | 'reversal' | 'release' | 'none';

const KINDS: Readonly<Record<Operation, Kind>> = {
  sale: 'charge',
  saleAndTokenizeCard: 'charge',
  moToSale: 'charge',
  'moto/sale': 'charge',
  refund: 'refund',
  moToRefund: 'refund',
  'moto/refund': 'refund',
  preAuthorization: 'hold',
  moToPreAuthorization: 'hold',
  preAuthorizationIncrease: 'hold-change',
  'preauthorization/increase': 'hold-change',
  preAuthorizationCapture: 'capture',
  'preauthorization/capture': 'capture',
  'tip-adjustment': 'tip',
  saleReversal: 'reversal',
  refundReversal: 'reversal',
  moToReversal: 'reversal',
  'moto/reversal': 'reversal',
  // Of a hold it is a release; only its original tells.
  reversal: 'reversal',
  preAuthorizationReversal: 'release',
  tokenizeCard: 'none',
  token: 'none',
  printReceipt: 'none',
  cardPan: 'none',
  pingDevice: 'none',
  stopCurrentTransaction: 'none',
  'batch/close': 'none',
  'batch/summary': 'none',
  'batch/detail': 'none',
};

interface Effect {
  /** The outcome of a success. */
  outcome: Outcome;
  /** Whether a success moves money. A hold moves nothing until its capture. */
  moneyMoved: 'yes' | 'no';
  /** It makes a payment of its own, or only changes or reverses another operation. */
  role?: 'payment' | 'change';
}

const EFFECTS: Readonly<Record<Kind, Effect>> = {
  charge: { outcome: 'approved', moneyMoved: 'yes', role: 'payment' },
  refund: { outcome: 'refunded', moneyMoved: 'yes', role: 'payment' },
  hold: { outcome: 'approved', moneyMoved: 'no', role: 'payment' },
  'hold-change': { outcome: 'approved', moneyMoved: 'no', role: 'change' },
  capture: { outcome: 'approved', moneyMoved: 'yes' },
  tip: { outcome: 'approved', moneyMoved: 'yes', role: 'change' },
  reversal: { outcome: 'refunded', moneyMoved: 'yes', role: 'change' },
  release: { outcome: 'completed', moneyMoved: 'no', role: 'change' },
  none: { outcome: 'completed', moneyMoved: 'no' },
};

/**
 * What a reversal takes back: what was only held, or what had moved. Its result has one type for both, so the journal
 * has to say (spec: POST /reversal, preAuthorizationReversal).
 */
export type ReversedKind = 'hold' | 'money';

export function isOperation(value: unknown): value is Operation {
  return typeof value === 'string' && Object.hasOwn(KINDS, value);
}

export function kindOf(operation: Operation): Kind {
  return KINDS[operation];
}

/** The service has one operation for both ways in which a hold is changed; the flow is told which it was. */
const DECREASES = {
  preAuthorizationIncrease: 'preAuthorizationDecrease',
  'preauthorization/increase': 'preauthorization/decrease',
} as const;

/** An operation as the flow is told of it. */
export type ToldOperation = Operation | (typeof DECREASES)[keyof typeof DECREASES];

export function decreaseOf(operation: Operation): ToldOperation {
  return Object.hasOwn(DECREASES, operation) ? DECREASES[operation as keyof typeof DECREASES] : operation;
}

/** Whether what is told of in a message has only changed or reversed another operation. */
export function isToldAboutOriginal(told: unknown): boolean {
  return isOperation(told) ? isAboutOriginal(told) : Object.values<unknown>(DECREASES).includes(told);
}

/** What the success of an operation of this kind says. */
export function successOf(kind: Kind): Pick<Effect, 'outcome' | 'moneyMoved'> {
  const { outcome, moneyMoved } = EFFECTS[kind];
  return { outcome, moneyMoved };
}

/** Whether an operation can move money, or place a hold on it. */
export function movesMoney(operation: Operation): boolean {
  return KINDS[operation] !== 'none';
}

/** Whether the operation starts a payment. Follow-ups to an earlier one cannot be reversed by policy. */
export function startsPayment(operation: Operation): boolean {
  return EFFECTS[KINDS[operation]].role === 'payment';
}

/** Whether it only changes or reverses another operation: the status service is asked about that other one. */
export function isAboutOriginal(operation: Operation): boolean {
  return EFFECTS[KINDS[operation]].role === 'change';
}

/** Whether to do it twice is to do it once: the service refuses the second time. */
export function isDoneOnce(operation: Operation): boolean {
  return KINDS[operation] === 'capture' || isReversal(operation);
}

export function isReversal(operation: Operation): boolean {
  return KINDS[operation] === 'reversal' || KINDS[operation] === 'release';
}
