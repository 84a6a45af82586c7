import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';
import { sampleRecord } from './sample-record.js';

/** Records a sale, and ends in the way that is asked for while the next one is written. */
async function main(folder: string, way: string): Promise<void> {
  if (way === 'handled error')
    process.on('uncaughtException', (error) => {
      process.stderr.write(`handled: ${error.message}\n`);
      process.exit(1);
    });
  const journal = await openLmdbJournal(folder);
  await journal.record(sampleRecord());
  void journal.record(sampleRecord());
  // LMDB begins in the next immediate, and this one comes right after it.
  for (let turns = 0; turns < 20; turns++) await undefined;
  setImmediate(() => {
    // Its writer comes to where it waits for this thread.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    if (way === 'exit') process.exit(3);
    throw new Error('an error of another node');
  });
}

void main(process.argv[2] ?? '', process.argv[3] ?? '');
