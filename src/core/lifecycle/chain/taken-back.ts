import { REVERSAL_TYPES } from '../../api/schema/entry-types.js';
import type { ReversedKind } from '../../operation/kinds.js';
import { capturesBefore } from './captures.js';
import { type Entry, entryIn, isHold, isOfKind, isOfUnknownKind, subjectOf } from './shape.js';

/** What a reversal took back: what was only held, or money. */

/** What the type of a reversal's result says of it. That of a hold and that of its capture have the same. */
export function takenBackByType(type: string | undefined): ReversedKind | undefined {
  const isOpen = type === undefined || type === 'PRE_AUTHORIZATION_REVERSAL' || !REVERSAL_TYPES.has(type);
  return isOpen ? undefined : 'money';
}

/**
 * What the chain says that a reversal took back, whoever captured the hold meanwhile; undefined while it does not show that.
 * @param reversal its entry
 * @param originalId what was to be reversed
 */
export function takenBackIn(chain: readonly Entry[], reversal: Entry, originalId: string): ReversedKind | undefined {
  const named = subjectOf(reversal, chain) ?? entryIn(chain, originalId);
  if (named === undefined) return undefined;
  // What names no type may be a hold.
  if (isOfUnknownKind(named)) return takenBackByType(reversal.type);
  if (!isHold(named)) return isOfKind(named, 'hold-change') ? undefined : 'money';
  const captures = capturesBefore(reversal, named, chain);
  if (captures === undefined) return undefined;
  return captures.length > 0 ? 'money' : 'hold';
}
