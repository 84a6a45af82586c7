import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';
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
