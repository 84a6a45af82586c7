import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';

const base = mkdtemp(join(tmpdir(), 'exit-'));
after(async () => rm(await base, { recursive: true }));

/** Makes a process the first one of its own, as the one that a container starts is. */
const AS_FIRST = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child'];
const [first = '', ...firstArgs] = AS_FIRST;
const canBeFirst = spawnSync(first, [...firstArgs, 'true']).status === 0;

/**
 * What the process says until it ends. It is stopped where it does not.
 * @param starter a command that starts it
 */
async function saidUntilEnd(folder: string, way: string, starter: readonly string[] = []): Promise<string> {
  const script = join(__dirname, 'exiting-writer.ts');
  const [command = '', ...args] = [...starter, process.execPath, '--import', 'tsx', script, folder, way];
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
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
      assert.equal(await openIn(folder), 1);
    });

    it(`ends as the first process of a container, which nothing may kill (${way})`, { skip: !canBeFirst }, async () => {
      const folder = await mkdtemp(join(await base, 'f-'));
      assert.match(await saidUntilEnd(folder, way, AS_FIRST), says);
      assert.equal(await openIn(folder), 1);
    });
  }
});

/** How many sales a journal has, which has to be sound. */
async function openIn(folder: string): Promise<number> {
  const reports: string[] = [];
  const journal = await openLmdbJournal(folder, (report) => reports.push(report));
  const found = await journal.open('environment-1');
  await journal.close();
  assert.deepEqual(reports, []);
  return found.length;
}
