import { exponentOf } from '../../base/currencies.js';
import { isExplained } from './as-before.js';
import { isCancelledInPart } from './cancelled-in-part.js';
import { isListedTwice } from './contradictions.js';
import { directionOf, isAnyApproval, netAmount, saysHowMuch } from './net-amount.js';
import { isOpenReturn } from './open-returns.js';
import {
  type Entry,
  entryIn,
  found,
  isCharge,
  isDeclined,
  isOfAnother,
  isOfKind,
  isOfUnknownKind,
  ownEntries,
} from './shape.js';

/** The net amount of a chain, where the chain shows it: an amount that is wrong is worse than none. */

export interface ShownNet {
  currency: string;
  /** Minor units. */
  minor: number;
}

/**
 * Undefined where the chain does not show how much that is.
 * @param reference the one that was asked about
 */
export function shownNet(chain: readonly Entry[], reference: string): ShownNet | undefined {
  const [first] = chain;
  const currency = currencyOf(first);
  if (first === undefined || exponentOf(currency) === undefined) return undefined;
  const isRefund = isOfKind(first, 'refund');
  // What is done to a payment later may have a reference of the service's own.
  if (ownEntries(chain, isRefund).some((entry) => isOfAnother(entry, [reference]))) return undefined;
  if (chain.some((entry) => isListedTwice(entry, chain) || isCancelledInPart(entry, chain))) return undefined;
  if (chain.some((entry) => mayBeChange(entry, chain))) return undefined;
  if (chain.some((entry) => isOpenReturn(entry, chain) || mayContainTip(entry, chain))) return undefined;
  if (!isExplained(chain) || !chain.every((entry) => isCountable(entry, chain, currency))) return undefined;
  const minor = netAmount(chain);
  // More went back than the chain shows to have come.
  return minor < 0 && !isRefund ? undefined : { currency, minor };
}

/** A second charge that names the first is of the same amount, unless it is what changed the first. */
function mayBeChange(entry: Entry, chain: readonly Entry[]): boolean {
  const named = entryIn(chain, entry.originalEFTTransactionID);
  if (named === undefined || !isCharge(entry) || !isCharge(named)) return false;
  return isAnyApproval(entry) && isAnyApproval(named) && entry.totalAmount !== named.totalAmount;
}

/** The total of a payment that does not say its tip may contain that of the tip's own entry, unless that says what both make. */
function mayContainTip(entry: Entry, chain: readonly Entry[]): boolean {
  const { totalAmount = 0, tipAmount } = entry;
  if (directionOf(entry) !== 1 || tipAmount !== undefined || !isAnyApproval(entry)) return false;
  const tip = found('tip', chain, chain, entry).about.at(-1);
  return tip !== undefined && (tip.tipAmount === undefined || tip.totalAmount !== totalAmount + tip.tipAmount);
}

function currencyOf({ currency = '' }: Partial<Entry> = {}): string {
  return currency.toUpperCase();
}

/** Whether the chain shows what an entry adds to the sum, or takes from it. */
function isCountable(entry: Entry, chain: readonly Entry[], currency: string): boolean {
  if (isDeclined(entry)) return true;
  if (isOfUnknownKind(entry)) return false;
  const isTip = isOfKind(entry, 'tip');
  const moves = directionOf(entry) !== undefined;
  if (!moves && !isTip && !isOfKind(entry, 'reversal')) return true;
  if (!isAnyApproval(entry)) return false;
  if (!['', currency].includes(currencyOf(entry))) return false;
  if (isTip) return (entry.tipAmount ?? entry.totalAmount) !== undefined;
  return !moves || saysHowMuch(entry, chain);
}
