import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { openEmbeddedJournal } from '../../src/core/journal/embedded.js';
import { sampleRecord } from './sample-record.js';

/**
 * A process of its own: records operations in the folder it is given, a few at once, and prints each id once it is
 * acknowledged. At the first refusal it prints that and ends.
 */
async function main(folder: string): Promise<void> {
  const journal = await openEmbeddedJournal(folder);
  let refused = false;
  const write = async (): Promise<void> => {
    while (!refused) {
      const operationId = randomUUID();
      const message = { filler: 'x'.repeat(3_000) };
      try {
        await journal.record(sampleRecord({ operationId, origin: { node: 'node-1', message } }));
        writeSync(1, `${operationId}\n`);
      } catch (error) {
        if (!refused) writeSync(1, `refused ${operationId} ${String(error)}\n`);
        refused = true;
      }
    }
  };
  await Promise.all([write(), write(), write()]);
  await journal.close();
}

void main(process.argv[2] ?? '');
