import { type Entry, found } from './shape.js';

/** What is on hold, minor units: the payment's entry may keep what it was made with, and then its newest change says it. */
export function heldOf(hold: Entry, chain: readonly Entry[]): number | undefined {
  const changes = found('hold-change', chain, chain, hold).about;
  return changes.findLast(({ holdAmount = 0 }) => holdAmount > 0)?.holdAmount ?? hold.holdAmount;
}
