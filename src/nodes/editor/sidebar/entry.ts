import { type Summary, type TakenBack, takenBackBy } from '../../admin/contract.js';

/** An operation as the sidebar shows it, combined with the operation it reverses or its own reversal. */
export interface Entry extends Summary {
  takenBack?: TakenBack;
}

/**
 * @param original the operation that this one refers to, if known
 * @param reversals the known operations that reverse this one
 */
export function entryOf(summary: Summary, original: Summary | undefined, reversals: readonly Summary[]): Entry {
  const { reverses, terminal, amount, currency } = summary;
  const effects = reversals.map((reversal) => takenBackBy(summary, reversal));
  const takenBack = effects.find((effect) => effect === 'done') ?? effects.find((effect) => effect === 'open');
  const entry = takenBack === undefined ? summary : { ...summary, takenBack };
  if (reverses === undefined || original === undefined) return entry;
  // A full reversal may have been requested without an amount: the original has it.
  const money = amount === '' ? { amount: original.amount, currency: original.currency } : { amount, currency };
  return { ...entry, ...money, terminal: terminal || original.terminal };
}
