import { type Summary, type TakenBack, takenBackBy } from '../../admin/contract.js';

/** An operation as it is shown: beside what it takes back, or what took it back. */
export interface Entry extends Summary {
  takenBack?: TakenBack;
}

/** @param original what the operation is about; @param reversals operations that take it back: both as far as they are known */
export function entryOf(summary: Summary, original: Summary | undefined, reversals: readonly Summary[]): Entry {
  const { reverses, terminal, amount, currency } = summary;
  const effects = reversals.map((reversal) => takenBackBy(summary, reversal));
  const takenBack = effects.find((effect) => effect === 'done') ?? effects.find((effect) => effect === 'open');
  const entry = takenBack === undefined ? summary : { ...summary, takenBack };
  if (reverses === undefined || original === undefined) return entry;
  // The whole of it was asked for without saying how much that is.
  const money = amount === '' ? { amount: original.amount, currency: original.currency } : { amount, currency };
  return { ...entry, ...money, terminal: terminal || original.terminal };
}
