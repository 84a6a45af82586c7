import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';
import { sampleRecord } from './sample-record.js';

/**
 * A process whose disk refuses every write of the journal's first pages from the third payment on: prints what becomes of what it
 * does. The file that it is given outlives it.
 */

const PATIENCE = 5_000;
const MOST_FILES = 1_000;

async function outcome(work: () => Promise<unknown>): Promise<string> {
  const late = new Promise<string>((resolve) => setTimeout(resolve, PATIENCE, 'no answer').unref());
  return Promise.race([work().then(() => 'done', String), late]);
}

/** LMDB writes the first pages by a handle of its own, which is the only one that cannot read. One takes its place that cannot write. */
function refuseFirstPages(file: string): void {
  const { dev, ino } = statSync(file);
  for (let handle = 3; handle < MOST_FILES; handle++) {
    if (!isOpen(handle, dev, ino) || canRead(handle)) continue;
    closeSync(handle);
    // Lower numbers may have become free meanwhile, and are given away first.
    let taken = openSync(file, 'r');
    while (taken < handle) taken = openSync(file, 'r');
    if (taken === handle) return;
    throw new Error('another file took the number of the handle');
  }
  throw new Error('LMDB has no handle for the first pages');
}

function isOpen(handle: number, dev: number, ino: number): boolean {
  try {
    const found = fstatSync(handle);
    return found.dev === dev && found.ino === ino;
  } catch {
    return false;
  }
}

function canRead(handle: number): boolean {
  try {
    return readSync(handle, Buffer.alloc(1), 0, 1, 0) === 1;
  } catch {
    return false;
  }
}

async function main(folder = ''): Promise<void> {
  const journal = await openLmdbJournal(folder);
  const said: Record<string, string> = {};
  said.first = await outcome(() => journal.record(sampleRecord()));
  said.second = await outcome(() => journal.record(sampleRecord()));
  refuseFirstPages(join(folder, 'journal.mdb'));
  const third = outcome(() => journal.record(sampleRecord()));
  // Asked for while the third is on its way to the disk.
  const meanwhile: Promise<string>[] = [];
  for (let count = 0; count < 20; count++) {
    await nextTurn();
    meanwhile.push(outcome(() => journal.record(sampleRecord())));
  }
  said.third = await third;
  said.meanwhile = [...new Set(await Promise.all(meanwhile))].join();
  said.later = await outcome(() => journal.record(sampleRecord()));
  said.list = await outcome(() => journal.open('environment-1'));
  said.close = await outcome(() => journal.close());
  // As a deploy does.
  said.again = await outcome(async () => (await openLmdbJournal(folder)).record(sampleRecord()));
  process.stdout.write(JSON.stringify(said), () => process.exit(0));
}

void main(...process.argv.slice(2));
