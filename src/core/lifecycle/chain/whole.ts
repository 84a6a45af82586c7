import { exponentOf } from '../../base/currencies.js';
import { type Entry, isHold } from './shape.js';
import { tipOf } from './tips.js';

/** What a reversal of the whole takes back: the tip as it stands is part of it. Minor units; undefined where the chain does not show that. */
export function wholeOf(original: Entry, chain: readonly Entry[]): number | undefined {
  const { totalAmount, tipAmount = 0 } = original;
  const tip = tipOf(original, chain);
  // What went back may be listed with a sign.
  return totalAmount === undefined || tip === undefined ? undefined : Math.abs(totalAmount) - tipAmount + tip;
}

/** The same for a hold or for money, with its currency. Minor units; undefined where the chain names no ISO 4217 currency. */
export function wholeIn(original: Entry, chain: readonly Entry[]): { amount: string; currency: string } | undefined {
  const { currency = '', holdAmount } = original;
  const amount = isHold(original) ? holdAmount : wholeOf(original, chain);
  return amount === undefined || exponentOf(currency) === undefined ? undefined : { amount: String(amount), currency };
}
