import type { TransactionResult } from '../../api/schema/transaction-result.js';
import { withoutAbsent } from '../../base/objects.js';
import { type Shown, type Standing, standingOf, standsAsBefore } from './as-before.js';
import { heldOf } from './held.js';
import {
  type Entry,
  entryIn,
  type Found,
  found,
  isApproved,
  isDeclined,
  isHold,
  mayBeApproved,
  TAKEN_BACK,
} from './shape.js';
import type { Sought } from './sought.js';
import { tipOf } from './tips.js';
import { isRefundInPart, whatIsLeft } from './what-is-left.js';
import { wholeOf } from './whole.js';

/** What the chain of an operation proves about it. */

/** What the chain showed before an operation was sent. Minor units. */
export interface Baseline extends Standing {
  /** When it was asked for, epoch ms. */
  at: number;
  hold?: number;
  tip?: number;
  /** Of a reversal of money: what it takes back if it is of the whole, where the chain is not behind what this journal has done. */
  whole?: { amount: string; currency: string };
  /** Of a reversal of money: together with what refunds have given back it is more than was taken. */
  isTooMuch?: true;
  /** Of a tip: something of its payment has gone back. */
  hasGoneBack?: true;
  /** When the original was made, epoch ms. */
  originalAt?: number;
  /** `transactionID` of every operation. */
  ids: string[];
  /** Number of the batch that is to be closed, which was open then. */
  batch?: string;
  /** The chain had the operation's own entry, so that a later process had sent it: the journal is a backup. `ids` leaves it out. */
  hasOwn?: true;
}

/** How it ended without being done. */
export type Negative = 'declined' | 'cancelled' | 'failed';

export type Proof =
  /** `left`: what is left of it, minor units, where some of it went back, or it was done twice. */
  | { says: 'done'; by?: TransactionResult; left?: number; isTwice?: true }
  | { says: 'declined'; by: TransactionResult; meaning: Negative }
  /** It is not there. Proves something only when it would have to be. */
  | { says: 'absent' }
  | { says: 'unclear' };

const ABSENT: Proof = { says: 'absent' };
const UNCLEAR: Proof = { says: 'unclear' };
const NONE: ReadonlySet<Entry> = new Set();

/** Undefined while the status service, which lags, does not show the original. */
export function baselineOf(chain: readonly Entry[], originalId: string | undefined, at: number): Baseline | undefined {
  const original = entryIn(chain, originalId);
  if (original === undefined) return undefined;
  const { efttimestamp: originalAt } = original;
  return {
    at,
    ids: idsIn(chain),
    ...standingOf(original),
    ...withoutAbsent({ hold: heldOf(original, chain), tip: tipOf(original, chain), originalAt }),
  };
}

/** The same where the chain has entries of the operation itself, which the journal calls unsent. */
export function withOwn(
  baseline: Baseline,
  chain: readonly Entry[],
  sought: Sought | undefined,
  others: ReadonlySet<Entry>,
): Baseline {
  const own = sought === undefined ? [] : idsIn(ownOf(chain, sought, others));
  return own.length === 0
    ? baseline
    : { ...baseline, ids: baseline.ids.filter((id) => !own.includes(id)), hasOwn: true };
}

/** The entries that have the mark and the amount of an operation, and which no other one is known to have made. */
export function ownOf(chain: readonly Entry[], sought: Sought, others: ReadonlySet<Entry>): Entry[] {
  const original = entryIn(chain, sought.original);
  if (sought.mark === undefined || original === undefined) return [];
  const { about, doubtful } = found(sought.what, chain, chain, original);
  return [...about, ...doubtful].filter((entry) => !others.has(entry) && isOwn(entry, sought));
}

export function idsIn(chain: readonly Entry[]): string[] {
  return chain.map(({ transactionID = '' }) => transactionID);
}

/**
 * What the chain of the original says of a follow-up. Whatever of the right kind came meanwhile and is not known to be
 * another's may be its work, whether or not it fits.
 * @param others entries that other operations are known to have made
 */
export function proofIn(
  chain: readonly Entry[],
  sought: Sought,
  baseline: Baseline | undefined,
  others: ReadonlySet<Entry> = NONE,
): Proof {
  const original = entryIn(chain, sought.original);
  // A chain that does not show what the operation is about is another one, or is not there yet: it proves nothing.
  if (original === undefined) return UNCLEAR;
  const came = chain.filter(({ transactionID = '' }) => !baseline?.ids.includes(transactionID));
  const added = came.filter((entry) => !others.has(entry));
  const shown = { chain, came, added, original };
  const proof = shownBy(shown, sought, baseline);
  if (proof.says !== 'absent') return proof;
  // What does not say yet how it ended may be what is looked for.
  const isOneOpen = chain.some((entry) => !others.has(entry) && isOpen(entry, original));
  const mayBeDone = isOneOpen || wentBackOtherwise(shown, sought) || !standsAsBefore(shown, sought, baseline);
  return mayBeDone ? UNCLEAR : proof;
}

/** A service may give money back in another way than it was asked for: a reversal as a refund, or a refund on the day itself as a reversal. */
const OTHERWISE: Partial<Record<Sought['what'], 'refund' | 'reversal'>> = { refund: 'reversal', reversal: 'refund' };

function wentBackOtherwise({ chain, added, original }: Shown, { what, mark }: Sought): boolean {
  const kind = OTHERWISE[what];
  if (kind === undefined) return false;
  const { about, doubtful } = found(kind, added, chain, original);
  return [...about, ...doubtful].some(
    (entry) => entry.customerReference === mark || !isMarkedByAnother(entry, original),
  );
}

/** Of the original a partial approval is an end; of what was done to it nobody knows how much that was. */
function isOpen(entry: Entry, original: Entry): boolean {
  const isPart = entry === original && entry.finStatus === 'PARTIAL_APPROVAL';
  return !mayBeApproved(entry) && !isDeclined(entry) && !isPart;
}

function shownBy(shown: Shown, sought: Sought, baseline: Baseline | undefined): Proof {
  const { chain, added, original } = shown;
  const candidates = found(sought.what, added, chain, original);
  switch (sought.what) {
    case 'refund':
    case 'capture':
      return leftOver(markedProof(candidates, sought), chain, sought.what === 'refund');
    case 'hold-change': {
      const proof = markedProof(candidates, sought);
      if (proof.says === 'done' && wentTheOtherWay(shown, proof.by, sought, baseline)) return UNCLEAR;
      // Where changes are no entries, only the amount on hold shows them, and not whose they were.
      const isListed = found('hold-change', chain, chain, original).about.length > 0;
      const isUnchanged = original.holdAmount !== undefined && original.holdAmount === baseline?.hold;
      return proof.says === 'absent' && !isListed && !isUnchanged ? UNCLEAR : proof;
    }
    case 'reversal':
      return reversalProof(shown, candidates, sought);
    case 'tip':
      return tipProof(shown, sought.amount ?? 0, baseline);
  }
}

/** A decrease after which more is held was done as something else, and so was an increase after which less is held. */
function wentTheOtherWay(
  { chain, came, original }: Shown,
  by: Entry | undefined,
  { amount = 0 }: Sought,
  baseline: Baseline | undefined,
): boolean {
  // What else came may have changed the hold, too.
  if (came.some((entry) => entry !== by && entry !== original)) return false;
  const held = by?.holdAmount || heldOf(original, chain);
  if (held === undefined || baseline?.hold === undefined) return false;
  return amount < 0 ? held > baseline.hold : held < baseline.hold;
}

/** Its own entry has its mark, and the amount that was asked for. An equal one without the mark is anybody's. */
function markedProof({ about, doubtful }: Found, sought: Sought): Proof {
  const own = about.filter((entry) => isOwn(entry, sought));
  const [entry] = own;
  if (own.length === 1 && entry !== undefined && isApproved(entry)) return { says: 'done', by: entry };
  return about.length + doubtful.length > 0 ? UNCLEAR : ABSENT;
}

/** Somebody may have given back what was captured, or have taken a refund back, before anybody could ask for it. */
function leftOver(proof: Proof, chain: readonly Entry[], isRefund: boolean): Proof {
  if (proof.says !== 'done' || proof.by === undefined) return proof;
  const left = whatIsLeft({ own: [proof.by], chain, isRefund });
  if (left === undefined) return UNCLEAR;
  return isRefundInPart(left, isRefund) ? proof : { says: 'done', ...left };
}

function isOwn(entry: Entry, sought: Sought): boolean {
  const { mark } = sought;
  return mark !== undefined && entry.customerReference === mark && fits(entry, sought);
}

function fits(entry: Entry, { what, amount }: Sought): boolean {
  switch (what) {
    case 'capture':
      return captures(entry, amount);
    case 'hold-change':
      return changes(entry, amount);
    case 'reversal':
      return amount === undefined || sizeOf(entry) === amount;
    default:
      return sizeOf(entry) === amount;
  }
}

/** What goes back may be written with a sign. */
function sizeOf({ totalAmount }: Entry): number | undefined {
  return totalAmount && Math.abs(totalAmount);
}

/** A surcharge comes on top of what was asked for. */
function captures(
  { totalAmount, capturedAmount, tipAmount = 0, surcharge }: Entry,
  amount: number | undefined,
): boolean {
  if (amount === undefined) return false;
  const isOnTop = totalAmount !== undefined && totalAmount === amount + (surcharge?.amount ?? 0);
  return totalAmount === amount || isOnTop || (capturedAmount !== undefined && capturedAmount + tipAmount === amount);
}

/** A decrease may be written without its sign. */
function changes({ increaseAmount, totalAmount }: Entry, amount: number | undefined): boolean {
  return amount !== undefined && Math.abs(increaseAmount ?? totalAmount ?? Number.NaN) === Math.abs(amount);
}

/**
 * A reversal at the gateway carries no mark; sent twice it is done once, so that one of the same amount without a mark is as
 * good as its own. A hold is released as a whole, whatever has become of it since. Of anything else a part is no proof of the whole.
 */
function reversalProof({ chain, original }: Shown, candidates: Found, sought: Sought): Proof {
  const { about, doubtful } = candidates;
  const whole = isHold(original) ? undefined : wholeOf(original, chain);
  const wanted = isHold(original) ? undefined : (sought.amount ?? whole ?? Number.NaN);
  const asked = { ...sought, amount: wanted };
  if (sought.mark !== undefined) {
    const proof = markedProof(candidates, asked);
    if (proof.says !== 'absent') return proof;
  } else {
    const entry = about.find((one) => isApproved(one) && fits(one, asked) && !isMarkedByAnother(one, original));
    if (entry !== undefined) return { says: 'done', by: entry };
    if (about.length + doubtful.length > 0) return UNCLEAR;
  }
  if (!TAKEN_BACK.has(original.finStatus)) return ABSENT;
  // It is back, and that may be this operation's doing, unless the chain shows whose it was.
  const everything = [
    ...found('reversal', chain, chain, original).about,
    ...found('refund', chain, chain, original).about,
  ];
  return everything.some(isApproved) ? ABSENT : UNCLEAR;
}

/** Somebody's terminal has made it: what the gateway makes of a payment has no mark, or that of the payment. */
function isMarkedByAnother({ customerReference: mark = '' }: Entry, { customerReference: own }: Entry): boolean {
  return mark !== '' && mark !== own;
}

/** The last tip replaces those before it, so that what was done may not show any more. */
function tipProof({ chain, original }: Shown, wanted: number, baseline: Baseline | undefined): Proof {
  const tip = tipOf(original, chain);
  // A service that lists no tips shows none either once one was set.
  const isListed = original.tipAmount !== undefined || found('tip', chain, chain, original).about.length > 0;
  if (tip === undefined || !isListed) return UNCLEAR;
  if (tip === wanted) return { says: 'done', by: original };
  return baseline !== undefined && tip === (baseline.tip ?? 0) ? ABSENT : UNCLEAR;
}
