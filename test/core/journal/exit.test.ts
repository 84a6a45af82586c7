import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';

const base = mkdtemp(join(tmpdir(), 'exit-'));
after(async () => rm(await base, { recursive: true }));

/** What the process says until it ends. It is stopped where it does not. */
async function saidUntilEnd(folder: string, way: string): Promise<string> {
  const script = join(__dirname, 'exiting-writer.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, folder, way], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = text(child.stderr);
  let hangs = false;
  const patience = setTimeout(() => {
    hangs = true;
    child.kill('SIGKILL');
  }, 30_000);
  await once(child, 'exit');
  clearTimeout(patience);
  assert.ok(!hangs, 'the process hangs');
  return said;
}

describe('embedded: a process that exits while a sale is recorded', () => {
  for (const [way, says] of [
    ['exit', /^The process exits \(3\) while the journal is written/],
    ['handled error', /^handled: an error of another node\nThe process exits \(1\)/],
    ['error', /^Error: an error of another node\n(.*\n)*The process exits \(1\)/],
  ] as const) {
    it(`ends, and leaves a sound journal (${way})`, async () => {
      const folder = await mkdtemp(join(await base, 'f-'));
      assert.match(await saidUntilEnd(folder, way), says);
      const reports: string[] = [];
      const journal = await openLmdbJournal(folder, (report) => reports.push(report));
      const found = await journal.open('environment-1');
      await journal.close();
      assert.deepEqual(reports, []);
      assert.equal(found.length, 1);
    });
  }
});
