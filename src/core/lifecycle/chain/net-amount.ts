import { REVERSAL_TYPES } from '../../api/schema/entry-types.js';
import { type Entry, entryIn, found, isApproved, isCaptureOf, subjectOf } from './shape.js';
import { wholeOf } from './whole.js';

/** The net amount of a chain, from its entries as the status service lists them (spec: status service). */

/** Which way money goes: to the merchant, or back. Every other type moves none. */
const DIRECTIONS: ReadonlyMap<string, 1 | -1> = new Map<string, 1 | -1>([
  ['SALE', 1],
  ['SALE_AND_TOKENIZE_CARD', 1],
  ['MOTO_SALE', 1],
  ['PRE_AUTHORIZATION_CAPTURE', 1],
  ['REFUND', -1],
  ['MOTO_REFUND', -1],
]);

/** What the cardholder has paid in the end, minor units: the approved amount less refunds and reversals. */
export function netAmount(chain: readonly Entry[]): number {
  return chain.reduce((sum, entry) => sum + movedBy(entry, chain), 0);
}

/** What is left of one entry after its own refunds and reversals, minor units; below 0 for a refund. */
export function leftOf(entry: Entry, chain: readonly Entry[]): number {
  const refunds = found('refund', chain, chain, entry).about;
  return [entry, ...refunds].reduce((sum, one) => sum + movedBy(one, chain), 0);
}

/**
 * A CANCELLED entry was fully reversed, or never approved: either way it moved nothing in the end, and neither the entry
 * nor its reversal counts.
 */
function movedBy(entry: Entry, chain: readonly Entry[]): number {
  const direction = directionOf(entry);
  if (direction === undefined || !isAnyApproval(entry)) return 0;
  return direction * ((wholeOf(entry, chain) ?? 0) - reversedOf(entry, chain));
}

/** What reversals took back of an entry, minor units; 0 where the chain does not show how much. */
export function reversedOf(entry: Entry, chain: readonly Entry[]): number {
  const reversal = reversalOf(entry, chain);
  // By the id of its hold a capture is cancelled as a whole.
  if (reversal !== undefined && cancelsCapture(reversal, entry, chain)) return wholeOf(entry, chain) ?? 0;
  // A reversal may be listed with a sign.
  return Math.abs(reversal?.totalAmount ?? 0);
}

/** Undefined where it moves no money. */
export function directionOf({ type = '' }: Entry): 1 | -1 | undefined {
  return DIRECTIONS.get(type);
}

/** Whether an approved entry that moves money says how much, and its reversal how much of that went back. */
export function saysHowMuch(entry: Entry, chain: readonly Entry[]): boolean {
  const reversal = reversalOf(entry, chain);
  if (reversal !== undefined && cancelsCapture(reversal, entry, chain)) return true;
  const { totalAmount = 0 } = entry;
  const isSaid = directionOf(entry) === 1 ? totalAmount > 0 : totalAmount !== 0;
  if (wholeOf(entry, chain) === undefined) return false;
  return isSaid && (reversal === undefined || reversal.totalAmount !== undefined);
}

/** Whether reversals in its chain took all of it back: only the first entry of a chain shows that by its own status. */
export function isTakenBack(entry: Entry, chain: readonly Entry[]): boolean {
  const reversal = reversalOf(entry, chain);
  if (reversal === undefined) return false;
  return isRelease(reversal) || Math.abs(reversal.totalAmount ?? Number.NaN) === wholeOf(entry, chain);
}

/** Entries keep the status they were processed with: of several reversals the last replaces those before it. */
export function reversalOf(entry: Entry, chain: readonly Entry[]): Entry | undefined {
  return chain.findLast((later) => isAnyApproval(later) && reverses(later, entry, chain));
}

/** It lets the whole hold go, whatever amount it names. */
function isRelease({ type }: Entry): boolean {
  return type === 'PRE_AUTHORIZATION_REVERSAL';
}

/** As a whole or in part. */
export function isAnyApproval(entry: Entry): boolean {
  return isApproved(entry) || entry.finStatus === 'PARTIAL_APPROVAL';
}

/** A reversal is of the entry that it names; where the chain has none of that id, of its first. */
function reverses(reversal: Entry, entry: Entry, chain: readonly Entry[]): boolean {
  if (!REVERSAL_TYPES.has(reversal.type ?? '')) return false;
  return namedBy(reversal, chain) === entry || cancelsCapture(reversal, entry, chain);
}

function namedBy({ originalEFTTransactionID }: Entry, chain: readonly Entry[]): Entry | undefined {
  return entryIn(chain, originalEFTTransactionID) ?? chain[0];
}

/**
 * Once a hold is captured, its reversal cancels the capture, whatever type that has: the gateway decides by the state of the
 * original. The chain does not show what one of another amount than the capture's did.
 */
export function cancelsCapture(reversal: Entry, entry: Entry, chain: readonly Entry[]): boolean {
  const hold = subjectOf(reversal, chain) ?? namedBy(reversal, chain);
  const isLater = chain.indexOf(reversal) > chain.indexOf(entry);
  const isOfHold = isLater && hold !== undefined && isCaptureOf(entry, hold, chain);
  return isOfHold && (isRelease(reversal) || isOfAll(reversal, entry, chain));
}

/** One that names no amount is of all. */
function isOfAll({ totalAmount }: Entry, entry: Entry, chain: readonly Entry[]): boolean {
  return totalAmount === undefined || Math.abs(totalAmount) === wholeOf(entry, chain);
}
