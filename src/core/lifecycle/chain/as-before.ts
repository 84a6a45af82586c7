import { withoutAbsent } from '../../base/objects.js';
import { isCancelledInPart } from './cancelled-in-part.js';
import { isListedTwice } from './contradictions.js';
import {
  type Entry,
  type EntryKind,
  entryIn,
  found,
  isApproved,
  isCharge,
  isOfKind,
  isOfUnknownKind,
  mayBeApproved,
} from './shape.js';
import type { Sought } from './sought.js';

/** Whether a payment stands as it did before. The service may show what was done to it on the payment alone, without an entry of its own. */

/** What the payment showed before. Minor units; absent where it did not say. */
export interface Standing {
  /** Without its tip. */
  total?: number;
  captured?: number;
}

/** The states that something of a kind leaves behind, and the kinds whose entries explain them. */
const LEFT_BY: Partial<Record<Sought['what'], { states: ReadonlySet<string>; kinds: readonly EntryKind[] }>> = {
  refund: { states: new Set(['REFUNDED', 'CANCELLED']), kinds: ['refund', 'reversal'] },
  capture: { states: new Set(['CAPTURED']), kinds: ['capture'] },
};

export function standingOf({ totalAmount, tipAmount = 0, capturedAmount: captured }: Entry): Standing {
  const total = totalAmount === undefined ? undefined : totalAmount - tipAmount;
  return withoutAbsent({ total, captured });
}

export interface Shown {
  chain: readonly Entry[];
  /** Entries that came since the payment stood as `before`; all where nobody knows that. */
  came: readonly Entry[];
  /** Those that are not known to be another operation's. */
  added: readonly Entry[];
  original: Entry;
}

/** Whether what the chain shows can be explained without the operation that is sought. */
export function standsAsBefore({ chain, came, added, original }: Shown, { what }: Sought, before?: Standing): boolean {
  if (isListedTwice(original, chain) || isCancelledInPart(original, chain)) return false;
  if (added.some((entry) => entry !== original && isOfUnknownKind(entry) && mayBeApproved(entry))) return false;
  if (added.some((entry) => isAboutUnlisted(entry, chain))) return false;
  if (added.some((entry) => isCalledCharge(entry, original, before !== undefined))) return false;
  const left = LEFT_BY[what];
  if (left?.states.has(original.finStatus) && !left.kinds.some((kind) => hasAny(kind, chain, original))) return false;
  const now = standingOf(original);
  const isChanged =
    (before?.total !== undefined && before.total !== now.total) ||
    (before?.captured !== undefined && before.captured !== now.captured);
  return !isChanged || came.some((entry) => entry !== original && isApproved(entry));
}

/**
 * The service may call what is done to a payment by the type of the payment, with or without the name of the payment.
 * @param hasCome it is known to have come since the payment stood as before
 */
function isCalledCharge(entry: Entry, original: Entry, hasCome: boolean): boolean {
  const { originalEFTTransactionID: about = '' } = entry;
  if (entry === original || !isCharge(entry) || !mayBeApproved(entry)) return false;
  return about === '' ? hasCome : about === original.transactionID;
}

/** Something is hidden: it was done to a transaction that the chain does not list. */
function isAboutUnlisted(entry: Entry, chain: readonly Entry[]): boolean {
  const { originalEFTTransactionID: about } = entry;
  return mayBeApproved(entry) && !!about && entryIn(chain, about) === undefined;
}

/** Whether the entries of a chain explain the state of its first. */
export function isExplained(chain: readonly Entry[]): boolean {
  const [first, ...others] = chain;
  if (first === undefined) return true;
  if (others.some((entry) => isAboutUnlisted(entry, chain))) return false;
  // Of a refund it says that the refund was done.
  if (isOfKind(first, 'refund') || first.finStatus === 'CANCELLED') return true;
  return Object.values(LEFT_BY).every(
    ({ states, kinds }) => !states.has(first.finStatus) || kinds.some((kind) => hasAny(kind, chain, first)),
  );
}

function hasAny(kind: EntryKind, chain: readonly Entry[], original: Entry): boolean {
  const { about, doubtful } = found(kind, chain, chain, original);
  return [...about, ...doubtful].some(isApproved);
}
