import { writeSync } from 'node:fs';
import { lockFolder } from '../../../src/core/journal/lmdb/lock/folder-lock.js';

/** A process of its own that locks the folder it is given, says so, and keeps it until it is killed. */
async function main(folder: string): Promise<void> {
  await lockFolder(folder);
  writeSync(1, 'held\n');
}

void main(process.argv[2] ?? '');
