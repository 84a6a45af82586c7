import type { TransactionResult } from '../../api/schema/transaction-result.js';
import type { BackOfficeOperation } from '../../operation/back-office-order.js';
import { kindOf } from '../../operation/kinds.js';
import { isCancelledInPart } from './cancelled-in-part.js';
import type { Negative, Proof } from './chain-evidence.js';
import { isApproved, isOfAnother, mayBeApproved, ownEntries } from './shape.js';
import { isRefundInPart, whatIsLeft } from './what-is-left.js';

const UNCLEAR: Proof = { says: 'unclear' };
/** From the one that may still turn into an approval to the one that says least. */
const NEGATIVE: ReadonlyMap<string, Negative> = new Map<string, Negative>([
  ['FAILED', 'failed'],
  ['PROCESSED', 'declined'],
  ['DECLINED', 'declined'],
  ['CANCELLED', 'cancelled'],
]);

/**
 * What the chain under the own reference of an operation without a terminal says of it.
 * @param references of all its attempts
 */
export function ownProof(
  operation: BackOfficeOperation,
  chain: readonly TransactionResult[],
  references: readonly string[],
): Proof {
  const isRefund = kindOf(operation) === 'refund';
  const own = ownEntries(chain, isRefund);
  if (own.some((entry) => isOfAnother(entry, references))) return UNCLEAR;
  if (own.some((entry) => isCancelledInPart(entry, chain))) return UNCLEAR;
  const approved = own.filter(isApproved);
  if (approved.length > 0) {
    const left = whatIsLeft({ own: approved, chain, isRefund });
    return left === undefined || isRefundInPart(left, isRefund) ? UNCLEAR : { says: 'done', ...left };
  }
  if (own.some(isOpen)) return UNCLEAR;
  for (const [status, meaning] of NEGATIVE) {
    const by = own.find(({ finStatus }) => finStatus === status);
    if (by !== undefined) return { says: 'declined', by, meaning };
  }
  return { says: 'absent' };
}

function isOpen(entry: TransactionResult): boolean {
  return !NEGATIVE.has(entry.finStatus) || mayBeApproved(entry);
}
