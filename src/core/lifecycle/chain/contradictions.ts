import type { Entry } from './shape.js';

/** Where a chain contradicts itself, nobody knows which is true. */

/** What did not succeed may be tried again under the same id. */
const TRIED: ReadonlySet<string> = new Set(['DECLINED', 'FAILED']);

/** Whether a transaction is listed with two states or amounts. Its capture may have the id of a hold. */
export function isListedTwice(entry: Entry, chain: readonly Entry[]): boolean {
  const { transactionID: id = '', type, finStatus } = entry;
  if (id === '' || TRIED.has(finStatus)) return false;
  return chain.some(
    (other) => other !== entry && other.transactionID === id && other.type === type && !TRIED.has(other.finStatus),
  );
}
