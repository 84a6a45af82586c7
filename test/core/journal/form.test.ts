import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { open } from 'lmdb';
import { JournalError } from '../../../src/core/base/errors.js';
import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';
import { given, sampleRecord } from './sample-record.js';

const base = mkdtemp(join(tmpdir(), 'form-'));
after(async () => rm(await base, { recursive: true }));
const newFolder = async (): Promise<string> => mkdtemp(join(await base, 'folder-'));

/** Puts text into a journal's file past the journal: by database and key. */
async function put(folder: string, content: Record<string, Record<string, string>>): Promise<void> {
  // As the journal itself opens it.
  const root = open({ path: join(folder, 'journal.mdb'), maxDbs: 8, overlappingSync: false });
  for (const [name, entries] of Object.entries(content)) {
    const database = root.openDB<string, string>({ name, encoding: 'string' });
    for (const [key, text] of Object.entries(entries)) await database.put(key, text);
  }
  await root.close();
}

async function folderWithJournal(): Promise<string> {
  const folder = await newFolder();
  const journal = await openLmdbJournal(folder);
  await journal.record(sampleRecord());
  await journal.close();
  return folder;
}

async function refusal(folder: string): Promise<string> {
  const error: unknown = await openLmdbJournal(folder).then(
    (journal) => journal.close(),
    (reason) => reason,
  );
  assert.ok(error instanceof JournalError, 'it was opened');
  return error.message;
}

/** Refused twice with the same words, which also shows that the first refusal has released the lock. */
async function assertLeftAlone(folder: string, message: RegExp): Promise<void> {
  const bytes = await readFile(join(folder, 'journal.mdb'));
  assert.match(await refusal(folder), message);
  assert.match(await refusal(folder), message);
  assert.deepEqual((await readdir(folder)).sort(), ['journal.mdb', 'journal.mdb-lock']);
  assert.deepEqual(await readFile(join(folder, 'journal.mdb')), bytes);
}

describe("embedded: the file's form", () => {
  it('is refused and left alone where an earlier version wrote it', async () => {
    const folder = await newFolder();
    const { operationId, ...rest } = sampleRecord();
    await put(folder, { operations: { [operationId]: JSON.stringify({ operationId, ...rest }) }, index: {} });
    await assertLeftAlone(
      folder,
      /written by an earlier version \(form 1\) and is left unchanged: choose another folder/,
    );
  });

  it('is refused and left alone where an earlier version had written no payment yet', async () => {
    const folder = await newFolder();
    await put(folder, { operations: {}, index: {} });
    await assertLeftAlone(folder, /written by an earlier version \(form 1\)/);
  });

  it('is refused and left alone where a newer version wrote it, whatever it holds', async () => {
    const folder = await folderWithJournal();
    await put(folder, { meta: { form: '5' }, records: { 'some-id': 'no JSON' }, ledger: { entry: 'unknown' } });
    await assertLeftAlone(folder, /written by a newer version \(form 5\) and is left unchanged: update this package/);
  });

  it('is taken for damage where its number is none: the file is moved aside', async () => {
    const folder = await folderWithJournal();
    await put(folder, { meta: { form: '\u0001?' } });
    const bytes = await readFile(join(folder, 'journal.mdb'));
    assert.match(await refusal(folder), /damaged and was moved to .*journal\.mdb\.damaged-1/);
    assert.deepEqual(await readFile(join(folder, 'journal.mdb.damaged-1')), bytes);
    await (await openLmdbJournal(folder)).close();
  });

  it('is taken for damage where its number cannot be found', async () => {
    const folder = await folderWithJournal();
    const file = join(folder, 'journal.mdb');
    const text = await readFile(file, 'latin1');
    await writeFile(file, text.replaceAll('form', 'fxrm'), 'latin1');
    assert.match(await refusal(folder), /damaged and was moved to/);
  });

  it('is given to a file whose creation was cut short', async () => {
    const folder = await newFolder();
    await put(folder, { meta: {} });
    const journal = await openLmdbJournal(folder);
    const operation = sampleRecord();
    await journal.record(operation);
    await journal.close();
    const again = await openLmdbJournal(folder);
    assert.deepEqual(given(await again.find({ operationId: operation.operationId })), [operation]);
    await again.close();
  });
});
