import type { OrderStore } from '../rows/order-store.js';
import type { Records } from '../rows/records.js';

/** How many records are mended in one transaction. */
const MENDED_AT_ONCE = 50;

/**
 * Proves the records by their checksums, and the index and the keys of orders by the records: every key that follows from a
 * record has to be there.
 * A key too many does no harm, because a reader compares it with the record. A damaged record is reported by `records`.
 * @param mend adds the missing keys of these records
 */
export async function* checkRecords(
  records: Records,
  orders: OrderStore,
  mend: (sequences: readonly number[]) => Promise<void>,
): AsyncGenerator<void, void, void> {
  const lacking: number[] = [];
  for (const sequence of records.sequences()) {
    const operation = records.readOrReport(sequence);
    const isLacking = operation !== undefined && (records.lacksKeys(operation, sequence) || orders.lacksKey(operation));
    if (isLacking) lacking.push(sequence);
    if (lacking.length >= MENDED_AT_ONCE) await mend(lacking.splice(0));
    yield;
  }
  if (lacking.length > 0) await mend(lacking);
}
