import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { statSync, watch } from 'node:fs';
import { chmod, chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { open } from 'lmdb';
import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';
import { compactJournal } from '../../../src/journal-tool/compact.js';
import { given, sampleRecord } from './sample-record.js';

const base = mkdtemp(join(tmpdir(), 'journal-tool-'));
after(async () => rm(await base, { recursive: true }));
const newFolder = async (): Promise<string> => mkdtemp(join(await base, 'f-'));
const CLI = join(__dirname, '../../../src/journal-tool/cli.ts');

function tool(...args: string[]): { code: number | null; out: string; errors: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', CLI, ...args], {
    encoding: 'utf8',
  });
  return { code: status, out: stdout, errors: stderr };
}

const PAYMENTS = 60;
/** Of any age. */
const EVERYTHING = -60_000;
const recordOf = (number: number) =>
  sampleRecord({
    operationId: `payment-${number}`,
    closed: number % 3 > 0,
    origin: { node: 'node-1', message: { private: 'of the flow', filler: 'x'.repeat(number * 100) } },
  });

async function filled(): Promise<string> {
  const folder = await newFolder();
  const journal = await openLmdbJournal(folder);
  for (let number = 0; number < PAYMENTS; number++) await journal.record(recordOf(number));
  await journal.close();
  return folder;
}

/** Puts text into a journal's file past the journal: by database and key. */
async function put(folder: string, content: Record<string, Record<string, string>>): Promise<void> {
  const root = open({ path: join(folder, 'journal.mdb'), maxDbs: 8, overlappingSync: false });
  for (const [name, entries] of Object.entries(content)) {
    const database = root.openDB<string, string>({ name, encoding: 'string' });
    for (const [key, text] of Object.entries(entries)) await database.put(key, text);
  }
  await root.close();
}

async function assertRefusedByAll(folder: string, message: RegExp): Promise<void> {
  const bytes = await readFile(join(folder, 'journal.mdb'));
  const names = (await readdir(folder)).sort();
  for (const command of ['check', 'export', 'compact']) {
    const { code, out, errors } = tool(command, folder);
    assert.deepEqual([code, out], [1, ''], command);
    assert.match(errors, message, command);
    assert.deepEqual(await readFile(join(folder, 'journal.mdb')), bytes, command);
    assert.deepEqual((await readdir(folder)).sort(), names, command);
  }
}

describe('the tool for journals', () => {
  it('calls a sound journal sound, counts it, and leaves it as it is', async () => {
    const folder = await filled();
    const bytes = await readFile(join(folder, 'journal.mdb'));
    const { code, out, errors } = tool('check', folder);
    assert.deepEqual([code, out, errors], [0, `sound: ${PAYMENTS} records, 20 of them open\n`, '']);
    assert.deepEqual(await readFile(join(folder, 'journal.mdb')), bytes);
  });

  it('names a damaged record, and does not compact over it', async () => {
    const folder = await filled();
    const file = join(folder, 'journal.mdb');
    const bytes = await readFile(file);
    // Pages that are not used any more have it too.
    const spoilt = Buffer.from(bytes.toString('latin1').replaceAll('payment-7"', 'Payment-7"'), 'latin1');
    await writeFile(file, spoilt);
    const { code, out } = tool('check', folder);
    assert.equal(code, 1);
    assert.match(out, /record 8 of the journal is damaged/);
    assert.equal(tool('compact', folder).code, 1);
    assert.deepEqual(await readFile(file), spoilt);
  });

  it('exports every record without what the messages carried, and what is left of a damaged file', async () => {
    const folder = await filled();
    const ids = ({ out }: { out: string }): string[] =>
      out
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).operationId);
    const whole = tool('export', folder);
    assert.deepEqual(
      ids(whole),
      Array.from({ length: PAYMENTS }, (_, number) => `payment-${number}`),
    );
    assert.doesNotMatch(whole.out, /of the flow/);
    const bytes = await readFile(join(folder, 'journal.mdb'));
    const damaged = join(folder, 'journal.mdb.damaged-1');
    await writeFile(damaged, bytes.fill(0, 0, 8_192));
    assert.deepEqual(ids(tool('export', damaged)), ids(whole));
  });

  it('gives the space of pruned records back', async () => {
    const folder = await filled();
    const journal = await openLmdbJournal(folder);
    while ((await journal.prune(EVERYTHING)) > 0);
    const kept = await journal.find({ environment: 'environment-1' });
    await journal.close();
    const before = (await stat(join(folder, 'journal.mdb'))).size;
    assert.match(tool('compact', folder).out, /^[0-9.]+ MB before, [0-9.]+ MB now\n$/);
    assert.ok((await stat(join(folder, 'journal.mdb'))).size < before);
    const again = await openLmdbJournal(folder);
    assert.deepEqual(await again.find({ environment: 'environment-1' }), kept);
    await again.record(recordOf(1_000));
    const [newest] = await again.find({ environment: 'environment-1' });
    assert.deepEqual(given(newest === undefined ? [] : [newest]), [recordOf(1_000)]);
    await again.close();
  });

  it('compacts into a file that nobody else can read, not while it is written either', async () => {
    const folder = await filled();
    const modes = new Set<string>();
    const watching = watch(folder, (_event, name) => {
      if (name !== 'journal.mdb-compact') return;
      const mode = statSync(join(folder, name), { throwIfNoEntry: false })?.mode;
      if (mode !== undefined) modes.add((mode & 0o777).toString(8));
    });
    const umask = process.umask(0o022);
    try {
      await compactJournal(folder);
    } finally {
      assert.equal(process.umask(umask), 0o022);
      watching.close();
    }
    modes.add(((await stat(join(folder, 'journal.mdb'))).mode & 0o777).toString(8));
    assert.deepEqual([...modes], ['600']);
  });

  it('gives the compacted file the owner, the group and the mode of the old one', {
    skip: process.getuid?.() !== 0,
  }, async () => {
    const folder = await filled();
    const file = join(folder, 'journal.mdb');
    await chown(file, 65_534, 65_533);
    await chmod(file, 0o640);
    assert.equal(tool('compact', folder).code, 0);
    const { uid, gid, mode } = await stat(file);
    assert.deepEqual([uid, gid, mode & 0o777], [65_534, 65_533, 0o640]);
  });

  it('leaves the journal as it is where the disk has no room for the compacted copy, and nothing of that copy', async () => {
    const folder = await filled();
    const names = (await readdir(folder)).sort();
    const bytes = await readFile(join(folder, 'journal.mdb'));
    // No file may have more than 51,200 bytes.
    const args = ['-c', 'ulimit -f 100; exec "$@"', 'sh', process.execPath, '--import', 'tsx', CLI, 'compact', folder];
    const { status, stdout, stderr } = spawnSync('sh', args, { encoding: 'utf8' });
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /^the journal in .* could not be compacted, and was left as it is\. .* is the disk full\?/);
    assert.deepEqual((await readdir(folder)).sort(), names);
    assert.deepEqual(await readFile(join(folder, 'journal.mdb')), bytes);
  });

  it('names a newer form, and leaves the file as it is', async () => {
    const folder = await filled();
    await put(folder, { meta: { form: '5' } });
    await assertRefusedByAll(
      folder,
      /written by a newer version \(form 5\) and is left unchanged: update this package/,
    );
    await put(folder, { records: { 'some-id': 'no JSON' }, ledger: { entry: 'unknown' } });
    await assertRefusedByAll(folder, /written by a newer version \(form 5\)/);
  });

  it('names an earlier form, and leaves the file as it is', async () => {
    const folder = await newFolder();
    await put(folder, { operations: { one: JSON.stringify(recordOf(1)) }, index: {} });
    await assertRefusedByAll(folder, /written by an earlier version \(form 1\) and is left unchanged/);
  });

  it('takes a number of the form that is none for damage, and exports what is left', async () => {
    const folder = await filled();
    await put(folder, { meta: { form: '\u0001?' } });
    const bytes = await readFile(join(folder, 'journal.mdb'));
    assert.match(tool('check', folder).out, /^its structure: the number of its form\ndamaged/);
    assert.equal(tool('export', folder).out.split('\n').length, PAYMENTS + 1);
    assert.equal(tool('compact', folder).code, 1);
    assert.deepEqual(await readFile(join(folder, 'journal.mdb')), bytes);
  });

  it('leaves a journal whose creation was cut short as it is', async () => {
    const folder = await newFolder();
    await put(folder, { meta: {} });
    const bytes = await readFile(join(folder, 'journal.mdb'));
    assert.equal(tool('check', folder).out, 'sound: 0 records, 0 of them open\n');
    assert.equal(tool('export', folder).out, '');
    assert.deepEqual(await readFile(join(folder, 'journal.mdb')), bytes);
    await writeFile(join(folder, 'journal.mdb'), '');
    assert.match(tool('check', folder).out, /^the file is empty\n/);
    assert.equal((await stat(join(folder, 'journal.mdb'))).size, 0);
  });

  it('keeps its hands off a journal that is in use, and off a folder without one', async () => {
    const folder = await filled();
    const journal = await openLmdbJournal(folder);
    for (const command of ['check', 'export', 'compact']) {
      const { code, errors } = tool(command, folder);
      assert.equal(code, 1);
      assert.match(errors, /is used by another process/);
    }
    await journal.close();
    assert.match(tool('check', await newFolder()).errors, /there is no .*journal\.mdb: name the folder/);
    assert.equal(tool('nonsense').code, 2);
  });
});
