import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, truncate, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { makeRoom } from '../../../src/core/journal/lmdb/file/room.js';
import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';
import { sampleRecord } from './sample-record.js';

const base = mkdtemp(join(tmpdir(), 'first-opening-'));
after(async () => rm(await base, { recursive: true }));
const newFolder = async (): Promise<string> => mkdtemp(join(await base, 'f-'));

/** Opens a journal where no binary of LMDB is there, and says what went wrong. */
const WITHOUT_LMDB = `
  const { Module } = require('node:module');
  const load = Module._load;
  Module._load = (name, ...more) => {
    if (name === 'lmdb') throw new Error('No native build was found');
    return load(name, ...more);
  };
  require('./src/core/journal/lmdb/lmdb-journal.ts').openLmdbJournal(process.env.FOLDER)
    .catch((error) => process.stdout.write(error.message));`;

function messageWithoutLmdb(folder: string): string {
  const { stdout, stderr } = spawnSync(process.execPath, ['--require', 'tsx/cjs', '-e', WITHOUT_LMDB], {
    encoding: 'utf8',
    cwd: join(__dirname, '../../..'),
    env: { ...process.env, FOLDER: folder },
  });
  return stdout + stderr;
}

describe('a first opening of the embedded journal', () => {
  it('that was killed when it had made the files is no damage: nothing was lost', async () => {
    const folder = await newFolder();
    await makeRoom(join(folder, 'journal.mdb'));
    const journal = await openLmdbJournal(folder);
    await journal.record(sampleRecord());
    await journal.close();
    assert.deepEqual((await readdir(folder)).sort(), ['journal.mdb', 'journal.mdb-lock']);
  });

  it('says at every start that the library of LMDB is missing, and leaves nothing in the folder', async () => {
    const folder = await newFolder();
    for (let start = 1; start <= 3; start++) {
      const message = messageWithoutLmdb(folder);
      assert.match(message, /^the journal in .* cannot be opened: Error: No native build was found$/, `start ${start}`);
      assert.deepEqual(await readdir(folder), [], `start ${start}`);
    }
  });

  it('is none where the file was emptied: that is damage, which is told', async () => {
    const folder = await newFolder();
    await (await openLmdbJournal(folder)).close();
    await truncate(join(folder, 'journal.mdb'), 0);
    await assert.rejects(openLmdbJournal(folder), /is damaged and was moved to .*damaged-1 \(the file is empty\)/);
  });

  it('is none where the file was deleted: that is told once, and then an empty journal begins', async () => {
    const folder = await newFolder();
    const file = join(folder, 'journal.mdb');
    for (let loss = 1; loss <= 2; loss++) {
      const journal = await openLmdbJournal(folder);
      await journal.record(sampleRecord());
      await journal.close();
      await unlink(file);
      await assert.rejects(openLmdbJournal(folder), ({ message }) => {
        assert.ok(message.startsWith(`the journal ${file} is gone (${file}-lock shows that there was one). Payments`));
        return true;
      });
    }
    const journal = await openLmdbJournal(folder);
    assert.deepEqual(await journal.open('environment-1'), []);
    await journal.close();
  });

  it('follows one that was moved aside: nothing is told a second time', async () => {
    const folder = await newFolder();
    await (await openLmdbJournal(folder)).close();
    await truncate(join(folder, 'journal.mdb'), 100);
    await assert.rejects(openLmdbJournal(folder), /is damaged and was moved to/);
    await (await openLmdbJournal(folder)).close();
  });
});
