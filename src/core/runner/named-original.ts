import { isRedacted } from '../base/privacy/redact.js';
import type { Journal } from '../journal/journal.js';
import { type OperationRecord, originalIn } from '../journal/record.js';
import { chainReferenceOf } from '../original/chain-reference.js';

/** What an answer names as its original. An operation may be answered about its original, or about what belongs to it. */

export function isSameId(one: string, other: string | undefined): boolean {
  return one.toLowerCase() === other?.toLowerCase();
}

/** A service may fill a field that it has nothing for, and what looked like a card number is not compared. */
export function isNoId(named: string): boolean {
  return /^[0-]*$/.test(named) || isRedacted(named);
}

/**
 * Whether a transaction belongs to the chain of what an operation is about: what is captured may be named by its hold, a hold by
 * what has changed it. Undefined where the journal does not know that transaction. @throws JournalError
 */
export async function belongsToChain(
  record: OperationRecord,
  transactionId: string,
  journal: Pick<Journal, 'find'>,
): Promise<boolean | undefined> {
  const original = originalIn(record);
  if (original === undefined) return false;
  const ofOriginal = await journal.find({ transactionId: original });
  if (ofOriginal.some((one) => isSameId(transactionId, originalIn(one)))) return true;
  const made = await journal.find({ transactionId });
  if (made.length === 0) return undefined;
  const reference = chainReferenceOf(record);
  return made.some(
    (one) =>
      isSameId(original, originalIn(one)) || (reference !== undefined && isSameId(reference, chainReferenceOf(one))),
  );
}
