import type { TransactionResult } from '../api/transaction-result.js';
import { fromMajorString } from '../money.js';
import { type BackOfficeOrder, originalOf } from './operations.js';

/** What the chain of an operation proves about it. The chain is what the status service gives with `all`. */

/** What the chain showed before an additive operation was sent. Minor units. */
export interface Before {
  /** When it was asked for, epoch ms. */
  at: number;
  hold?: number;
  /** `transactionID` of every operation. */
  ids: string[];
}

export type Proof =
  | { says: 'done'; by?: TransactionResult }
  | { says: 'declined'; by: TransactionResult }
  /** It is not there. Proves something only when it would have to be. */
  | { says: 'absent' }
  | { says: 'unclear' };

const APPROVED: ReadonlySet<string> = new Set(['AUTHORISED', 'CAPTURED', 'PROCESSED', 'REFUNDED']);
const DECLINED: ReadonlySet<string> = new Set(['DECLINED', 'CANCELLED', 'FAILED']);
const REVERSALS: ReadonlySet<string> = new Set([
  'REVERSAL',
  'MOTO_REVERSAL',
  'PRE_AUTHORIZATION_REVERSAL',
  'VOID_SALE',
]);
const REFUNDS: ReadonlySet<string> = new Set(['MOTO_REFUND', 'REFUND']);
const CAPTURES: ReadonlySet<string> = new Set(['PRE_AUTHORIZATION_CAPTURE']);

/** Undefined while the status service, which lags, does not show the original. */
export function noteBefore(
  chain: readonly TransactionResult[],
  order: BackOfficeOrder,
  at: number,
): Before | undefined {
  const original = originalIn(chain, order);
  if (original === undefined) return undefined;
  const ids = chain.map(({ transactionID = '' }) => transactionID);
  return original.holdAmount === undefined ? { at, ids } : { at, ids, hold: original.holdAmount };
}

export function proofIn(
  chain: readonly TransactionResult[],
  order: BackOfficeOrder,
  before: Before | undefined,
): Proof {
  const proof = shownBy(chain, order, before);
  // What does not say yet how it ended may be what is looked for.
  return proof.says === 'absent' && chain.some(isOpen) ? { says: 'unclear' } : proof;
}

function isOpen({ finStatus }: TransactionResult): boolean {
  return !APPROVED.has(finStatus) && !DECLINED.has(finStatus) && finStatus !== 'PARTIAL_APPROVAL';
}

function shownBy(chain: readonly TransactionResult[], order: BackOfficeOrder, before: Before | undefined): Proof {
  switch (order.operation) {
    case 'moto/sale':
      return ownProof(chain[0]);
    case 'moto/refund':
      return originalOf(order) === undefined ? ownProof(chain[0]) : refundProof(chain, order, before);
    case 'reversal':
    case 'moto/reversal':
      return entryProof(chain, order, REVERSALS, minorOf(order.body.amount, order.body.currency));
    case 'preauthorization/capture':
      return entryProof(chain, order, CAPTURES, capturedBy(order));
    case 'preauthorization/increase':
      return holdProof(chain, order, before);
    case 'tip-adjustment': {
      const sale = originalIn(chain, order);
      const wanted = minorOf(order.body.amount, order.body.currency) ?? 0;
      if (sale === undefined) return { says: 'unclear' };
      return (sale.tipAmount ?? 0) === wanted ? { says: 'done', by: sale } : { says: 'absent' };
    }
    default:
      return { says: 'unclear' };
  }
}

function ownProof(first: TransactionResult | undefined): Proof {
  if (first === undefined) return { says: 'absent' };
  const { finStatus, issuerResponseCode = '00' } = first;
  if (finStatus === 'PROCESSED' && issuerResponseCode !== '00') return { says: 'declined', by: first };
  if (APPROVED.has(finStatus)) return { says: 'done', by: first };
  return DECLINED.has(finStatus) ? { says: 'declined', by: first } : { says: 'unclear' };
}

function entryProof(
  chain: readonly TransactionResult[],
  order: BackOfficeOrder,
  types: ReadonlySet<string>,
  amount: number | undefined,
): Proof {
  const entry = chain.find(
    ({ type = '', finStatus, originalEFTTransactionID, totalAmount }) =>
      types.has(type) &&
      APPROVED.has(finStatus) &&
      originalEFTTransactionID === originalOf(order) &&
      (amount === undefined || totalAmount === amount),
  );
  return entry === undefined ? { says: 'absent' } : { says: 'done', by: entry };
}

function refundProof(chain: readonly TransactionResult[], order: BackOfficeOrder, before: Before | undefined): Proof {
  if (before === undefined || order.operation !== 'moto/refund') return { says: 'unclear' };
  const added = chain.filter(({ transactionID = '' }) => !before.ids.includes(transactionID));
  return entryProof(added, order, REFUNDS, minorOf(order.body.amount, order.body.currency));
}

function holdProof(chain: readonly TransactionResult[], order: BackOfficeOrder, before: Before | undefined): Proof {
  const hold = originalIn(chain, order);
  if (order.operation !== 'preauthorization/increase' || hold?.holdAmount === undefined) return { says: 'unclear' };
  const { increaseAmount, subtract, currency = hold.currency } = order.body;
  const delta = minorOf(increaseAmount, currency);
  if (before?.hold === undefined || delta === undefined) return { says: 'unclear' };
  const change = hold.holdAmount - before.hold;
  if (change === 0) return { says: 'absent' };
  return change === (subtract === undefined ? delta : -delta) ? { says: 'done', by: hold } : { says: 'unclear' };
}

/** What a capture takes in all: the tip comes on top. */
function capturedBy(order: BackOfficeOrder & { operation: 'preauthorization/capture' }): number | undefined {
  const { capturedAmount, tipAmount = '0', currency } = order.body;
  const captured = minorOf(capturedAmount, currency);
  const tip = minorOf(tipAmount, currency);
  return captured === undefined || tip === undefined ? undefined : captured + tip;
}

function originalIn(chain: readonly TransactionResult[], order: BackOfficeOrder): TransactionResult | undefined {
  const original = originalOf(order);
  return chain.find(({ transactionID }) => transactionID === original);
}

function minorOf(amount: string | undefined, currency: string | undefined): number | undefined {
  return amount === undefined || currency === undefined ? undefined : Number(fromMajorString(amount, currency));
}
