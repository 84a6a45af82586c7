import type { TransactionOperation } from '../../api/schema/operation-rules.js';
import type { TransactionResult } from '../../api/schema/transaction-result.js';
import { withoutAbsent } from '../../base/objects.js';
import { kindOf } from '../../operation/kinds.js';
import { type Meaning, type Reading, type Requested, readingOf } from '../../operation/result-meaning.js';
import { isCancelledInPart } from './cancelled-in-part.js';
import { isListedTwice } from './contradictions.js';
import { isAnyApproval, isTakenBack, netAmount } from './net-amount.js';
import { ownEntries } from './shape.js';
import { isRefundInPart, whatIsLeft } from './what-is-left.js';

/** What the whole chain under an operation's own reference says of it, and the entry that says so. */
export interface ChainMeaning extends Pick<Reading, 'meaning' | 'amountDiffers'> {
  entry: TransactionResult;
  /** What is left of it after refunds and reversals, minor units, where some of it went back, or it was done twice. */
  net?: number;
  /** It was done twice under one reference: to take one back is not enough. */
  isTwice?: true;
  /** Other entries of the operation show beside it, whatever became of them. */
  hasOthers?: true;
}

interface Read extends Reading {
  entry: TransactionResult;
}

/** From the one that decides to the one that says least. */
const BY_WEIGHT: readonly Meaning[] = [
  'approved',
  'partial',
  'returned',
  'undefined',
  'in-progress',
  'failed',
  'declined',
  'cancelled',
];

/**
 * One reference may have several entries of the operation itself: a decline that the cardholder answered with a PIN, then
 * an approval. The heaviest counts; an approval that was taken back as a whole says so. What approves is held against the
 * request like the terminal's own result. Undefined where there is no record.
 */
export function meaningOfChain(
  operation: TransactionOperation,
  chain: readonly TransactionResult[],
  requested: Requested,
): ChainMeaning | undefined {
  const kind = kindOf(operation);
  const own = ownEntries(chain, kind === 'refund')
    .map((entry): Read => ({ entry, ...readingOf(operation, standing(entry), requested) }))
    .sort((one, other) => BY_WEIGHT.indexOf(one.meaning) - BY_WEIGHT.indexOf(other.meaning));
  const [found] = own;
  if (found === undefined) return undefined;
  const meaning = meaningOfOwn(own, found, chain, kind);
  return own.length > 1 ? { ...meaning, hasOthers: true } : meaning;
}

function meaningOfOwn(
  own: readonly Read[],
  found: Read,
  chain: readonly TransactionResult[],
  kind: ReturnType<typeof kindOf>,
): ChainMeaning {
  const approvals = own.filter(({ entry }) => isAnyApproval(entry));
  const unclear =
    approvals.find(({ isUnclear }) => isUnclear) ?? own.find(({ entry }) => isCancelledInPart(entry, chain));
  if (unclear !== undefined) return { meaning: 'undefined', entry: unclear.entry };
  const isCharge = kind === 'charge' || kind === 'refund';
  if (isCharge && isApproval(found)) return ofCharge(approvals, found, chain, kind === 'refund');
  return kind === 'hold' && isApproval(found) ? ofHold(approvals, found, chain) : told(found);
}

/** What shows as REFUNDED was approved; what is left of that, its chain says. */
function standing(entry: TransactionResult): TransactionResult {
  return entry.finStatus === 'REFUNDED' ? { ...entry, finStatus: 'AUTHORISED' } : entry;
}

function isApproval({ meaning }: Reading): boolean {
  return meaning === 'approved' || meaning === 'partial';
}

function told({ meaning, entry, amountDiffers }: Read): ChainMeaning {
  return withoutAbsent({ meaning, entry, amountDiffers });
}

function twice(read: Read): ChainMeaning {
  return { ...told(read), amountDiffers: true, isTwice: true };
}

function ofCharge(
  approvals: readonly Read[],
  found: Read,
  chain: readonly TransactionResult[],
  isRefund: boolean,
): ChainMeaning {
  const left = whatIsLeft({ own: approvals.map(({ entry }) => entry), chain, isRefund });
  if (left === undefined) return { meaning: 'undefined', entry: found.entry };
  const { by: entry, left: net, isTwice } = left;
  const reading = approvals.find((one) => one.entry === entry) ?? found;
  if (isTwice) return { ...twice(reading), net };
  if (isRefundInPart(left, isRefund)) return told(reading);
  return net === undefined ? told(reading) : { meaning: 'returned', entry, net };
}

/** A hold moves nothing: it stands, or it was let go. What was captured and refunded shows as the status of the hold. */
function ofHold(approvals: readonly Read[], found: Read, chain: readonly TransactionResult[]): ChainMeaning {
  const contradicted = approvals.find(({ entry }) => isListedTwice(entry, chain));
  if (contradicted !== undefined) return { meaning: 'undefined', entry: contradicted.entry };
  const [first, second] = approvals.filter(({ entry }) => entry.finStatus !== 'REFUNDED' && !isTakenBack(entry, chain));
  if (first === undefined) return { meaning: 'returned', entry: found.entry, net: netAmount(chain) };
  return second === undefined ? told(first) : twice(first);
}
