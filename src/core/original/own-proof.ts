import type { TransactionResult } from '../api/schema/transaction-result.js';
import { type Negative, type Proof, wholeOf } from '../lifecycle/chain/chain-evidence.js';
import { APPROVED, type EntryKind, found, isOfKind } from '../lifecycle/chain/shape.js';
import type { BackOfficeOperation } from '../operation/back-office-order.js';
import { kindOf } from '../operation/kinds.js';
import { leftOf } from './net-amount.js';

const UNCLEAR: Proof = { says: 'unclear' };
/** What may name no original although it has one. */
const FOLLOW_UPS: readonly EntryKind[] = ['reversal', 'tip'];
/** From the one that may still turn into an approval to the one that says least. */
const NEGATIVE: ReadonlyMap<string, Negative> = new Map<string, Negative>([
  ['FAILED', 'failed'],
  ['PROCESSED', 'declined'],
  ['DECLINED', 'declined'],
  ['CANCELLED', 'cancelled'],
]);

/** What the chain under the own reference of an operation without a terminal says of it. */
export function ownProof(operation: BackOfficeOperation, chain: readonly TransactionResult[]): Proof {
  const isRefund = kindOf(operation) === 'refund';
  const about: readonly EntryKind[] = isRefund ? FOLLOW_UPS : [...FOLLOW_UPS, 'refund'];
  const own = chain.filter((entry, place) => place === 0 || startsChain(entry, about));
  const approved = own.find(isApproved);
  if (approved !== undefined) return approvedProof(approved, chain, isRefund);
  if (own.some(({ finStatus }) => !NEGATIVE.has(finStatus))) return UNCLEAR;
  for (const [status, meaning] of NEGATIVE) {
    const by = own.find(({ finStatus }) => finStatus === status);
    if (by !== undefined) return { says: 'declined', by, meaning };
  }
  return { says: 'absent' };
}

function startsChain(entry: TransactionResult, about: readonly EntryKind[]): boolean {
  const { originalEFTTransactionID: original = '' } = entry;
  return original === '' && !about.some((kind) => isOfKind(entry, kind));
}

function isApproved({ finStatus, issuerResponseCode = '00' }: TransactionResult): boolean {
  return APPROVED.has(finStatus) && !(finStatus === 'PROCESSED' && issuerResponseCode !== '00');
}

/** Somebody may have given it back before anybody could ask for it: what counts is what is left. */
function approvedProof(by: TransactionResult, chain: readonly TransactionResult[], isRefund: boolean): Proof {
  const whole = wholeOf(by, chain) ?? 0;
  const isCounted = leftOf(by, [by]) !== 0;
  const left = isCounted ? Math.abs(leftOf(by, chain)) : whole;
  const kinds: readonly EntryKind[] = isRefund ? ['reversal'] : ['reversal', 'refund'];
  const back = kinds.map((kind) => found(kind, chain, chain, by));
  const isInDoubt = back.some(({ about, doubtful }) => doubtful.length > 0 || (about.length > 0 && !isCounted));
  if (isInDoubt) return UNCLEAR;
  // Something went back, and the chain does not show how much.
  if (left === whole) return by.finStatus === 'REFUNDED' && !isRefund ? UNCLEAR : { says: 'done', by };
  // Of a refund nobody takes back a part.
  return left > whole || (left > 0 && isRefund) ? UNCLEAR : { says: 'done', by, left };
}
