import { randomUUID } from 'node:crypto';
import { serviceOf } from '../../../src/core/engine/service/service-id.js';
import { jsonOf } from '../../../src/core/journal/lmdb/rows/record-bytes.js';
import { poolStore } from '../../../src/core/journal/lmdb/store-pool.js';
import type { OperationRecord, TerminalRecord } from '../../../src/core/journal/record.js';
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
const OPEN_FOR = 5 * 60_000;
/** One of so many open ones is without an answer; the others wait for their cardholders. */
const UNANSWERED = 10;

/** The access of the environments whose payments they are. */
export const ACCESS = {
  baseUrl: 'https://service.example/v1',
  statusUrl: 'https://service.example/status',
  apiKey: 'none',
};

/**
 * Fills a journal as years of payments would: closed ones, and open ones at the end.
 * @param openForMs since when the oldest of the open ones has been: minutes after a crash, days after a long pause
 */
export async function fill(
  folder: string,
  closed: number,
  open: number,
  environments: readonly string[],
  openForMs = OPEN_FOR,
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
      const openMs = (openForMs * Math.min(total - number, open)) / open;
      const createdAt = Math.floor(now - openMs - Math.max(0, closed - number) * BETWEEN_PAYMENTS);
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

function accepted(record: TerminalRecord, resultId: string): TerminalRecord {
  const { state, createdAt } = record;
  return { ...record, resultId, state: { ...state, phase: 'waiting', signAt: createdAt, resultId } };
}

/** A sale as the engine records it: about 3 KB, of which the result is the largest part. */
export function paymentAt(number: number, createdAt: number, environment: string, closed: boolean): OperationRecord {
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
  const sample = sampleRecord({ operationId, environment, createdAt, terminal, service: serviceOf(ACCESS) });
  return {
    ...(closed || number % UNANSWERED === 0 ? sample : accepted(sample, `result-${number}`)),
    updatedAt: createdAt + (closed ? 5_000 : 0),
    timeline,
    closed,
    ...(closed ? { transactionId: randomUUID(), result } : {}),
  };
}
