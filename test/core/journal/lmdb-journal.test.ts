import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { JournalError } from '../../../src/core/base/errors.js';
import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';
import { journalContract } from './contract/contract.js';
import { given, sampleRecord } from './sample-record.js';

const base = mkdtemp(join(tmpdir(), 'journal-'));
after(async () => rm(await base, { recursive: true }));
const newFolder = async (): Promise<string> => mkdtemp(join(await base, 'folder-'));
const writer = join(__dirname, './writer.ts');

journalContract('embedded', async (clock) => openLmdbJournal(await newFolder(), undefined, clock));

/** Runs the writer, which prints the id of every operation once the journal has acknowledged it. */
async function acknowledged(command: string, args: string[], killAfter = Number.POSITIVE_INFINITY): Promise<Writer> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.length > killAfter * 37) child.kill('SIGKILL');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.on('close', (...end) => resolve(end));
  });
  const lines = output.split('\n').slice(0, -1);
  return { ids: lines.filter((line) => line.length === 36), last: lines.at(-1) ?? '', code, signal, errors };
}

interface Writer {
  ids: string[];
  last: string;
  code: number | null;
  signal: NodeJS.Signals | null;
  errors: string;
}

async function idsIn(folder: string): Promise<Set<string>> {
  const journal = await openLmdbJournal(folder);
  const operations = await journal.open('environment-1');
  await journal.close();
  return new Set(operations.map(({ operationId }) => operationId));
}

describe('embedded: what survives', () => {
  it('keeps everything over a closing and an opening, with every index', async () => {
    const folder = await newFolder();
    const operation = sampleRecord({ resultId: 'r', transactionId: 't' });
    const first = await openLmdbJournal(folder);
    await first.record(operation);
    await first.close();
    const second = await openLmdbJournal(folder);
    for (const query of [{ operationId: operation.operationId }, { resultId: 'r' }, { transactionId: 't' }]) {
      assert.deepEqual(given(await second.find(query)), [operation]);
    }
    assert.deepEqual(given(await second.open(operation.environment)), [operation]);
    await second.close();
  });

  it('loses none of the acknowledged operations when the process is killed', async () => {
    const folder = await newFolder();
    const { ids, signal } = await acknowledged(process.execPath, ['--import', 'tsx', writer, folder], 300);
    assert.equal(signal, 'SIGKILL');
    assert.ok(ids.length >= 300, `only ${ids.length} were acknowledged`);
    const found = await idsIn(folder);
    assert.deepEqual(
      ids.filter((id) => !found.has(id)),
      [],
    );
  });

  it('keeps a second process out, which would charge what is open once more', async () => {
    const folder = await newFolder();
    const journal = await openLmdbJournal(folder);
    const { ids, code, errors } = await acknowledged(process.execPath, ['--import', 'tsx', writer, folder]);
    assert.deepEqual(ids, []);
    assert.notEqual(code, 0);
    assert.match(
      errors,
      new RegExp(
        `JournalError: the journal in .* is used by another process, probably process ${process.pid} on .*\\. Two`,
      ),
    );
    await journal.close();
    await (await openLmdbJournal(folder)).close();
  });

  it('takes nothing more once its folder was removed or replaced', { skip: process.platform === 'win32' }, async () => {
    const folder = await newFolder();
    const removed = await openLmdbJournal(folder);
    await removed.record(sampleRecord({ operationId: 'before' }));
    await rm(folder, { recursive: true });
    const isRefused = (error: unknown): boolean =>
      error instanceof JournalError && /removed or replaced while it was open; restart/.test(error.message);
    await assert.rejects(removed.record(sampleRecord({ operationId: 'after' })), isRefused);
    await mkdir(folder);
    await writeFile(join(folder, 'journal.mdb'), '');
    await assert.rejects(removed.advance(sampleRecord({ operationId: 'before' })), isRefused);
    await removed.close();
  });

  it('voids the leases of a process that is gone', async () => {
    const folder = await newFolder();
    const { operationId } = sampleRecord();
    const first = await openLmdbJournal(folder);
    await first.record(sampleRecord({ operationId }));
    await first.renew('engine-1', 9_000);
    assert.equal(await first.claim(operationId, 'engine-2', 0), false);
    await first.close();
    const second = await openLmdbJournal(folder);
    assert.equal(await second.claim(operationId, 'engine-2', 0), true);
    await second.close();
  });

  it('refuses what a full disk cannot take, keeps what it had, and works again with room', {
    skip: process.platform === 'win32',
  }, async () => {
    const folder = await newFolder();
    // The size limit of a file, in blocks of 512 bytes or 1 KiB: a full disk that needs no privileges.
    const limited = ['-c', 'ulimit -f 600; exec "$@"', 'sh', process.execPath, '--import', 'tsx', writer, folder];
    const { ids, last, code, errors } = await acknowledged('sh', limited);
    assert.equal(code, 0, errors);
    assert.match(last, /^refused .* JournalError: the journal in .* cannot be written: is the disk full\?$/);
    assert.ok(ids.length > 5, `only ${ids.length} were acknowledged`);
    assert.deepEqual(await idsIn(folder), new Set(ids), 'acknowledged and stored differ');
    const journal = await openLmdbJournal(folder);
    const operation = sampleRecord({ operationId: 'with-room-again' });
    await journal.record(operation);
    assert.deepEqual(given(await journal.find({ operationId: 'with-room-again' })), [operation]);
    await journal.close();
  });
});

/** Whether this process may make a small disk for a test. */
const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

describe('embedded: a disk without room for a new journal', { skip: !canMount }, () => {
  for (const kilobytes of [0, 4, 12, 20, 40, 80]) {
    it(`is an error, and does not end the process: ${kilobytes} KB left`, async () => {
      const disk = await newFolder();
      const script = [
        `mount -t tmpfs -o size=1m tmpfs ${disk}`,
        `dd if=/dev/zero of=${disk}/filler bs=1k count=${1024 - kilobytes} 2>/dev/null`,
        `"$@" ${disk}/journal`,
      ].join('; ');
      const command = ['-rm', 'sh', '-c', script, 'sh', process.execPath, '--import', 'tsx', writer];
      const { ids, code, errors } = await acknowledged('unshare', command);
      assert.deepEqual(ids, []);
      assert.equal(code, 1, errors);
      assert.match(errors, /JournalError: the journal('s folder| in) .*(ENOSPC|no space left)/);
    });
  }
});

describe('embedded: a full disk', { skip: !canMount }, () => {
  it('keeps nobody from a journal that is there', async () => {
    const disk = await newFolder();
    const script = [
      `mount -t tmpfs -o size=1m tmpfs ${disk}`,
      `"$@" ${disk}/journal > /dev/null`,
      `dd if=/dev/zero of=${disk}/filler bs=1k count=1024 2>/dev/null`,
      `"$@" ${disk}/journal`,
    ].join('; ');
    const command = ['-rm', 'sh', '-c', script, 'sh', process.execPath, '--import', 'tsx', writer];
    const { last, code, errors } = await acknowledged('unshare', command);
    assert.equal(code, 0, errors);
    assert.match(last, /^refused .* cannot be written: is the disk full\?$/);
  });
});

describe('embedded: the folder', () => {
  it('is private, and so are its files', { skip: process.platform === 'win32' }, async () => {
    const folder = join(await newFolder(), 'made', 'by-us');
    const journal = await openLmdbJournal(folder);
    const mode = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);
    assert.equal(await mode(folder), '700');
    const files = await readdir(folder);
    const named = files.map((file) => file.replace(/^lock-[0-9a-f]{8}/, 'lock'));
    assert.deepEqual(named.sort(), ['holder.json', 'journal.mdb', 'journal.mdb-lock', 'lock.sock']);
    for (const file of files) assert.equal(await mode(join(folder, file)), '600', file);
    await journal.close();
  });

  it('is shared by journals of the same process, until the last of them is closed', async () => {
    const folder = await newFolder();
    const [first, second] = await Promise.all([openLmdbJournal(folder), openLmdbJournal(`${folder}/.`)]);
    const operation = sampleRecord();
    await first.record(operation);
    await first.close();
    assert.deepEqual(given(await second.find({ operationId: operation.operationId })), [operation]);
    const closing = second.close();
    const third = await openLmdbJournal(folder);
    await closing;
    assert.deepEqual(given(await third.find({ operationId: operation.operationId })), [operation]);
    await third.close();
  });

  it('is held on where its heartbeat was removed, which is told', { timeout: 60_000 }, async () => {
    const folder = await newFolder();
    let hear = (_notice: string): void => undefined;
    const told = new Promise<string>((resolve) => {
      hear = resolve;
    });
    const journal = await openLmdbJournal(folder, (notice) => hear(notice));
    await rm(join(folder, 'holder.json'));
    assert.match(await told, /holder\.json was removed while the journal was in use, and was written anew/);
    await journal.record(sampleRecord());
    await journal.close();
    assert.deepEqual((await readdir(folder)).sort(), ['journal.mdb', 'journal.mdb-lock']);
  });

  it('is named when it cannot be used', async () => {
    const file = join(await newFolder(), 'a-file');
    await writeFile(file, '');
    await assert.rejects(openLmdbJournal(join(file, 'journal')), (error) => {
      assert.ok(error instanceof JournalError);
      assert.match(error.message, /a-file/);
      return true;
    });
    const folder = await newFolder();
    await mkdir(join(folder, 'journal.mdb'));
    await assert.rejects(openLmdbJournal(folder), JournalError);
  });
});

describe('embedded: a damaged file', () => {
  const damages: [string, (file: string) => Promise<void>][] = [
    ['random bytes', (file) => writeFile(file, Buffer.alloc(20_000, 0xa5))],
    ['a few bytes', (file) => writeFile(file, 'short')],
    ['cut off', async (file) => truncate(file, ((await stat(file)).size / 2) & ~4095)],
    [
      'overwritten behind the header',
      async (file) => {
        const bytes = await readFile(file);
        await writeFile(file, bytes.fill(0x5a, 8192));
      },
    ],
  ];
  for (const [damage, make] of damages) {
    it(`is moved aside, said, and never deleted: ${damage}`, async () => {
      const folder = await newFolder();
      const full = await openLmdbJournal(folder);
      await Promise.all(Array.from({ length: 50 }, () => full.record(sampleRecord())));
      await full.close();
      const file = join(folder, 'journal.mdb');
      await make(file);
      const bytes = await readFile(file);
      await assert.rejects(openLmdbJournal(folder), (error) => {
        assert.ok(error instanceof JournalError);
        assert.match(error.message, /damaged and was moved to .*journal\.mdb\.damaged-1/);
        return true;
      });
      assert.deepEqual(await readFile(`${file}.damaged-1`), bytes);
      const empty = await openLmdbJournal(folder);
      assert.deepEqual(given(await empty.open('environment-1')), []);
      await empty.record(sampleRecord());
      await empty.close();
    });
  }
});
