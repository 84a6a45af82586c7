import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openLmdbJournal } from '../../src/core/journal/lmdb/lmdb-journal.js';
import type { OperationRecord } from '../../src/core/journal/record.js';
import { type OrderKey, orderKey } from '../../src/core/operation/order-key.js';
import { sampleRecord } from '../core/journal/sample-record.js';
import type { Draw } from '../truth/draw.js';

/** A journal that has seen some life, as bytes, and what it gives out. */
export interface Sample {
  bytes: Buffer;
  records: OperationRecord[];
}

const PAYMENTS = 440;
export const ENVIRONMENTS = ['till', 'kiosk', 'web'] as const;

/** The idempotency key of an order. */
function keyOf(order: string): OrderKey {
  const key = orderKey(order, 'test');
  assert.ok(key);
  return key;
}

/** Payments of all sizes, most of them over, some pruned, so that the file has free pages too. */
export async function sampleJournal(folder: string, draw: Draw): Promise<Sample> {
  let count = 0;
  const journal = await openLmdbJournal(folder, undefined, () => count);
  const records: OperationRecord[] = [];
  for (; count < PAYMENTS; count++) {
    const environment = draw.pick(ENVIRONMENTS);
    const filler = 'x'.repeat(draw.scale(1, 4_000));
    const transactionId = `transaction-${count}`;
    const original = draw.chance(0.2) ? `transaction-${draw.int(0, count)}` : undefined;
    const key = draw.chance(0.3) ? { key: keyOf(`order ${count}`) } : {};
    const origin = { node: 'n', message: { filler }, ...key };
    const base = sampleRecord({ environment, createdAt: 1_000 + count, origin });
    const request = original === undefined ? base.request : { ...base.request, originalTransactionId: original };
    await journal.record({ ...base, request });
    const open: OperationRecord = { ...base, request, transactionId, updatedAt: 5_000 + count };
    await journal.advance(open);
    const last = draw.chance(0.3) ? open : { ...open, closed: true, updatedAt: 10_000 + count };
    if (last !== open) await journal.advance(last);
    records.push(last);
  }
  const pruned = PAYMENTS / 10;
  while ((await journal.prune(PAYMENTS - pruned)) > 0);
  const left = records.filter(({ closed }, place) => !(closed && place < pruned));
  const stored = await Promise.all(left.map(({ operationId }) => journal.find({ operationId })));
  await journal.close();
  return { bytes: await readFile(join(folder, 'journal.mdb')), records: stored.flat() };
}
