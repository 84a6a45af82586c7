import { type Entry, found } from './shape.js';

/** What a reversal of the whole takes back: the tip as it stands is part of it. Minor units. */
export function wholeOf(original: Entry, chain: readonly Entry[]): number | undefined {
  const { totalAmount, tipAmount = 0 } = original;
  // What went back may be listed with a sign.
  return totalAmount === undefined ? undefined : Math.abs(totalAmount) - tipAmount + (tipOf(original, chain) ?? 0);
}

/** The tip as it stands: an adjustment is a change of the payment's entry, or an entry of its own, of which the last counts. */
export function tipOf(original: Entry, chain: readonly Entry[]): number | undefined {
  const last = found('tip', chain, chain, original).about.at(-1);
  return last === undefined ? original.tipAmount : (last.tipAmount ?? last.totalAmount);
}
