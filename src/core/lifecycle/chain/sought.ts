import type { TransactionOrder } from '../../api/schema/transaction-request.js';
import { saidAmount } from '../../base/money.js';
import { type BackOfficeOrder, originalOf } from '../../operation/back-office-order.js';
import { kindOf } from '../../operation/kinds.js';

/** What a follow-up was to do to an earlier payment, whichever way it was sent. The chain of that payment is searched for it. */
export interface Sought {
  what: 'refund' | 'reversal' | 'capture' | 'hold-change' | 'tip';
  /** `transactionID` of the payment. */
  original: string;
  /** Minor units; a decrease of a hold is negative, a capture contains its tip. Undefined: the whole, or not known. */
  amount?: number;
  /** The `customerReference` it was sent with, by which its own entry is told from an equal one of another system. */
  mark?: string;
}

/**
 * Undefined where the operation is about no earlier payment, or changes nothing: after a lost answer nobody looks for it then.
 * @param currency of the original
 */
export function soughtAtGateway(order: BackOfficeOrder, currency: string | undefined): Sought | undefined {
  const original = originalOf(order);
  if (original === undefined) return undefined;
  switch (order.operation) {
    case 'moto/refund': {
      const { amount, currency: own, customerReference: mark } = order.body;
      return { what: 'refund', original, amount: minorOf(amount, own), mark };
    }
    case 'reversal':
    case 'moto/reversal':
      return { what: 'reversal', original, amount: minorOf(order.body.amount, order.body.currency) };
    case 'preauthorization/capture': {
      const { capturedAmount, tipAmount = '0', currency: own = currency, customerReference: mark } = order.body;
      const amount = sumOf(minorOf(capturedAmount, own), minorOf(tipAmount, own));
      return { what: 'capture', original, amount, mark };
    }
    case 'preauthorization/increase': {
      const { increaseAmount, subtract, currency: own = currency, customerReference: mark } = order.body;
      const delta = minorOf(increaseAmount, own);
      const amount = delta === undefined || subtract === undefined ? delta : -delta;
      return { what: 'hold-change', original, amount, mark };
    }
    case 'tip-adjustment':
      return { what: 'tip', original, amount: minorOf(order.body.amount, order.body.currency) };
    default:
      return undefined;
  }
}

/** Undefined where the operation is about no earlier payment. */
export function soughtOnTerminal(order: TransactionOrder): Sought | undefined {
  const { operation, originalTransactionId: original, amount: digits, customerReference: mark } = order;
  const kind = kindOf(operation);
  const what = kind === 'release' ? 'reversal' : kind;
  const isFollowUp = what === 'refund' || what === 'reversal' || what === 'capture' || what === 'hold-change';
  if (original === undefined || !isFollowUp) return undefined;
  return { what, original, amount: digits === undefined ? undefined : Number(digits), mark };
}

/** The currency may be one that the chain names. */
function minorOf(amount: string | undefined, currency: string | undefined): number | undefined {
  const minor = saidAmount(amount, currency);
  return minor === undefined ? undefined : Number(minor);
}

function sumOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}
