import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { DATABASE_NAMES } from '../../../src/core/journal/lmdb/file/databases.js';
import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';
import { checkJournal } from '../../../src/journal-tool/check.js';
import { sampleRecord } from './sample-record.js';

const base = mkdtemp(join(tmpdir(), 'names-'));
after(async () => rm(await base, { recursive: true }));

/** One bit of the name of a database, in the list of all: its last letter becomes another one. */
async function spoilName(folder: string, name: string): Promise<Buffer> {
  const file = join(folder, 'journal.mdb');
  const bytes = await readFile(file);
  let spoilt = 0;
  for (let at = bytes.indexOf(`${name}\0`); at >= 0; at = bytes.indexOf(`${name}\0`, at + 1)) {
    // A node of the list: before the key stand its flags, 2 for a database, and how long the key is.
    if (bytes.readUInt16LE(at - 2) !== name.length + 1 || bytes.readUInt16LE(at - 4) !== 2) continue;
    const last = at + name.length - 1;
    bytes[last] = (bytes[last] ?? 0) ^ 1;
    spoilt++;
  }
  assert.ok(spoilt > 0, 'the name is not found');
  await writeFile(file, bytes);
  return bytes;
}

describe('embedded: one bit of the name of a database', () => {
  for (const name of DATABASE_NAMES) {
    it(`${name}: no empty one takes its place, the file is moved aside`, async () => {
      const folder = await mkdtemp(join(await base, 'f-'));
      const before = await openLmdbJournal(folder);
      await before.record(sampleRecord());
      await before.close();
      const bytes = await spoilName(folder, name);
      assert.match((await checkJournal(folder)).damage.join(), /^its structure: /);
      await assert.rejects(openLmdbJournal(folder), /is damaged and was moved to/);
      assert.deepEqual(await readFile(join(folder, 'journal.mdb.damaged-1')), bytes);
    });
  }
});
