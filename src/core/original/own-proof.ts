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

/** What the service has approved under one reference. */
interface Approvals {
  own: readonly TransactionResult[];
  chain: readonly TransactionResult[];
  isRefund: boolean;
}

/** What the chain under the own reference of an operation without a terminal says of it. */
export function ownProof(operation: BackOfficeOperation, chain: readonly TransactionResult[]): Proof {
  const isRefund = kindOf(operation) === 'refund';
  const about: readonly EntryKind[] = isRefund ? FOLLOW_UPS : [...FOLLOW_UPS, 'refund'];
  const own = chain.filter((entry, place) => place === 0 || startsChain(entry, about));
  const approved = own.filter(isApproved);
  const [first] = approved;
  if (first !== undefined) return approvedProof({ own: approved, chain, isRefund }, first);
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

/**
 * Somebody may have given it back before anybody could ask for it, and it may have been sent on twice: what counts is what
 * is left.
 */
function approvedProof(approvals: Approvals, first: TransactionResult): Proof {
  const { own, chain, isRefund } = approvals;
  if (isInDoubt(approvals)) return UNCLEAR;
  const by = own.find((one) => leftOf(one, chain) !== 0) ?? first;
  const whole = wholeOf(by, chain) ?? 0;
  const left = isCounted(approvals) ? Math.abs(own.reduce((sum, one) => sum + leftOf(one, chain), 0)) : whole;
  if (left === whole) return { says: 'done', by };
  if (left > whole) return { says: 'done', by, left, isTwice: true };
  // Of a refund nobody takes back a part.
  return left > 0 && isRefund ? UNCLEAR : { says: 'done', by, left };
}

/** Something may have gone back, or come twice, and the chain does not show of what, or how much. */
function isInDoubt(approvals: Approvals): boolean {
  const { own, chain, isRefund } = approvals;
  const canCount = isCounted(approvals);
  const kinds: readonly EntryKind[] = isRefund ? ['reversal'] : ['reversal', 'refund'];
  return own.some((one) => {
    const back = kinds.map((kind) => found(kind, chain, chain, one));
    const isUnnamed = back.some(({ about, doubtful }) => doubtful.length > 0 || (about.length > 0 && !canCount));
    const isPartUnknown = one.finStatus === 'REFUNDED' && !isRefund && leftOf(one, chain) === leftOf(one, [one]);
    return isUnnamed || isPartUnknown || (own.length > 1 && !canCount);
  });
}

/** An entry without its type or its amount cannot be counted. */
function isCounted({ own }: Approvals): boolean {
  return own.every((one) => leftOf(one, [one]) !== 0);
}
