import { randomUUID } from 'node:crypto';
import { jsonOf } from '../../../src/core/journal/lmdb/rows/record-bytes.js';
import { poolStore } from '../../../src/core/journal/lmdb/store-pool.js';
import type { OperationRecord } from '../../../src/core/journal/record.js';
import { sampleRecord } from '../../core/journal/sample-record.js';

/** How the journal that is measured was filled. */
export interface Filling {
  closed: number;
  open: number;
  environments: readonly string[];
  /** When the last one was made, epoch ms. */
  now: number;
  /** Ids to look for. */
  known: { operationId: string; transactionId: string }[];
}

/** Every so many records one is remembered, to be looked for. */
const REMEMBERED = 1_000;
const AT_ONCE = 2_000;
const TERMINALS = 100;
export const BETWEEN_PAYMENTS = 20_000;

/** Fills a journal as years of payments would: closed ones, and open ones at the end. */
export async function fill(
  folder: string,
  closed: number,
  open: number,
  environments: readonly string[],
): Promise<Filling> {
  // A journal of that age: its clock goes from payment to payment.
  let age = 0;
  const { store, leave } = await poolStore(folder, () => age);
  const now = Date.now();
  const known: Filling['known'] = [];
  const total = closed + open;
  for (let done = 0; done < total; done += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, total - done) }, (_, place) => {
      const number = done + place;
      const createdAt = now - (total - number) * BETWEEN_PAYMENTS;
      return paymentAt(number, createdAt, environments[number % environments.length] ?? '', number < closed);
    });
    await store.change(() => {
      for (const record of batch) {
        age += BETWEEN_PAYMENTS;
        store.records.add(record, jsonOf(record));
      }
    });
    for (const [place, { operationId, transactionId }] of batch.entries())
      if ((done + place) % REMEMBERED === 0 && transactionId) known.push({ operationId, transactionId });
  }
  await leave();
  return { closed, open, environments, now, known };
}

/** A sale as the engine records it: about 3 KB, of which the result is the largest part. */
function paymentAt(number: number, createdAt: number, environment: string, closed: boolean): OperationRecord {
  const operationId = randomUUID();
  // Open ones each have a terminal of their own, or they would wait for one another.
  const terminal = { serial_number: `terminal-${closed ? number % TERMINALS : number}`, terminal_type: 'A920' };
  const result = Object.fromEntries(
    Array.from({ length: 30 }, (_, place) => [`field${place}`, `value ${place} `.repeat(4)]),
  );
  const timeline = ['recorded', 'sent', 'accepted', 'result-by-callback', 'delivered'].map((event, place) => ({
    at: createdAt + place * 900,
    event,
  }));
  return {
    ...sampleRecord({ operationId, environment, createdAt, terminal }),
    updatedAt: createdAt + 5_000,
    timeline,
    closed,
    ...(closed ? { transactionId: randomUUID(), result } : {}),
  };
}
