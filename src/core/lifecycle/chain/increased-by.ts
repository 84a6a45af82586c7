import type { Baseline } from './chain-evidence.js';
import { type Entry, entryIn, isApproved, isHold, isOfKind, isOfUnknownKind, subjectOf } from './shape.js';
import type { Sought } from './sought.js';

/**
 * What may be the increase of a hold that is sought, by whichever type and without a mark: nothing else came since the baseline, and
 * it is as much as was asked for. Undefined also where the entry of the hold shows a change, which is that of the hold as it stands.
 * @param others entries that other operations are known to have made
 */
export function increasedBy(
  chain: readonly Entry[],
  { what, original: id, amount = 0 }: Sought,
  baseline: Baseline | undefined,
  others: ReadonlySet<Entry>,
): Entry | undefined {
  const original = entryIn(chain, id);
  if (what !== 'hold-change' || amount <= 0 || original === undefined || baseline === undefined) return undefined;
  const added = chain.filter((entry) => !baseline.ids.includes(entry.transactionID ?? '') && !others.has(entry));
  const [by] = added;
  if (by === undefined || added.length > 1 || original.holdAmount !== baseline.hold) return undefined;
  const isChange = isOfKind(by, 'hold-change') || isHold(by) || isOfUnknownKind(by);
  const isAbout = !by.originalEFTTransactionID || subjectOf(by, chain) === original;
  const isSameCurrency = !by.currency || by.currency === original.currency;
  const isAsMuch = isSameCurrency && (by.increaseAmount ?? by.totalAmount) === amount;
  return isChange && isAbout && isAsMuch && isApproved(by) ? by : undefined;
}
