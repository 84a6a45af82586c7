import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';
import { sampleRecord } from './sample-record.js';

/** How often a writer goes on after a refusal: a full disk must not end the process, nor lose what comes later. */
const REFUSALS = 3;

/**
 * A process of its own: three writers record operations in the folder it is given, and print each id once it is
 * acknowledged. Refusals are printed too, and end it.
 */
async function main(folder: string): Promise<void> {
  const journal = await openLmdbJournal(folder);
  const write = async (): Promise<void> => {
    for (let refusals = 0; refusals < REFUSALS; ) {
      const operationId = randomUUID();
      const message = { filler: 'x'.repeat(3_000) };
      try {
        await journal.record(sampleRecord({ operationId, origin: { node: 'node-1', message } }));
        writeSync(1, `${operationId}\n`);
      } catch (error) {
        refusals++;
        writeSync(1, `refused ${operationId} ${String(error)}\n`);
      }
    }
  };
  await Promise.all([write(), write(), write()]);
  await journal.close();
}

void main(process.argv[2] ?? '');
