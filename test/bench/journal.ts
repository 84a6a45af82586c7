import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openLmdbJournal } from '../../src/core/journal/lmdb/lmdb-journal.js';
import { sampleId, sampleRecord } from '../core/journal/sample-record.js';

/**
 * How long the embedded journal takes to have an operation on the disk: one after the other, and 64 at once.
 * `node --import tsx test/bench/journal.ts [folder]`; the folder decides which disk is measured.
 */
const ONE_BY_ONE = 1_000;
const AT_ONCE = 64;
const ROUNDS = 50;

async function main(base: string): Promise<void> {
  const folder = await mkdtemp(join(base, 'journal-bench-'));
  const journal = await openLmdbJournal(folder);
  const record = (): Promise<unknown> => journal.record(sampleRecord({ operationId: sampleId() }));
  try {
    const times: number[] = [];
    for (let count = 0; count < ONE_BY_ONE; count++) {
      const start = performance.now();
      await record();
      times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    const at = (share: number): string => (times[Math.floor(share * ONE_BY_ONE)] ?? 0).toFixed(2);
    const start = performance.now();
    for (let round = 0; round < ROUNDS; round++) await Promise.all(Array.from({ length: AT_ONCE }, record));
    const perSecond = Math.round((ROUNDS * AT_ONCE * 1_000) / (performance.now() - start));
    console.log(`one by one: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; ${AT_ONCE} at once: ${perSecond} a second`);
  } finally {
    await journal.close();
    await rm(folder, { recursive: true });
  }
}

void main(process.argv[2] ?? '.');
