import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';
import type { OperationRecord } from '../../../src/core/journal/record.js';
import { exportLines } from '../../../src/journal-tool/export.js';
import { sampleRecord } from './sample-record.js';

const base = mkdtemp(join(tmpdir(), 'export-outdated-'));
after(async () => rm(await base, { recursive: true }));
const CLI = join(__dirname, '../../../src/journal-tool/cli.ts');
/** Of any age. */
const EVERYTHING = -60_000;

/** Several versions of each payment, a short one and one that has pages of its own: the last corrects what was said before. */
async function corrected(last = 1): Promise<string> {
  const folder = await mkdtemp(join(await base, 'f-'));
  const journal = await openLmdbJournal(folder);
  // The pages of the first version of the last one are not used again.
  for (const length of last === 1 ? [5_000, 1] : [1, 5_000]) {
    const told = (text: string): OperationRecord =>
      sampleRecord({ operationId: `payment ${length}`, resultId: `${text} ${length} ${'x'.repeat(length)}` });
    await journal.record(told('first: not charged'));
    await journal.advance(told('first: not charged'));
    await journal.advance(told('later: approved'));
  }
  await journal.close();
  return folder;
}

/** Changes a text wherever it stands in the file, as a fault of the disk might. */
async function spoil(folder: string, text: string, other: string): Promise<void> {
  const file = join(folder, 'journal.mdb');
  await writeFile(file, (await readFile(file, 'latin1')).replaceAll(text, other), 'latin1');
}

interface Line {
  operationId: string;
  resultId: string;
  perhapsOutdated?: boolean;
}

function exported(folder: string): { lines: Line[]; warnings: string[] } {
  const warnings: string[] = [];
  const lines = [...exportLines(join(folder, 'journal.mdb'), (text) => warnings.push(text))];
  return { lines: lines.map((line) => JSON.parse(line)), warnings };
}

const told = ({ lines }: { lines: Line[] }): string[] =>
  lines.map(({ resultId, perhapsOutdated }) => `${perhapsOutdated ? 'perhaps ' : ''}${resultId.split(' x')[0]}`);

describe('export', () => {
  it('marks nothing, and warns of nothing, where the file is sound, also after records were deleted', async () => {
    const folder = await corrected();
    const before = exported(folder);
    assert.deepEqual([told(before), before.warnings], [['later: approved 5000', 'later: approved 1'], []]);
    const journal = await openLmdbJournal(folder);
    const closed = Array.from({ length: 40 }, () =>
      sampleRecord({ closed: true, resultId: `closed ${'x'.repeat(3_000)}` }),
    );
    for (const record of closed) await journal.record(record);
    while ((await journal.prune(EVERYTHING)) > 0);
    // Into the pages of what was deleted.
    for (let count = 0; count < 20; count++) await journal.record(sampleRecord({ resultId: 'y'.repeat(3_000) }));
    await journal.close();
    const after = exported(folder);
    const kept = after.lines.filter(({ resultId }) => !resultId.startsWith('closed'));
    assert.deepEqual([kept.length, kept.some((line) => line.perhapsOutdated), after.warnings], [22, false, []]);
  });

  for (const length of [1, 5_000]) {
    it(`marks an earlier version where the latest one, of ${length} bytes and more, is damaged`, async () => {
      const folder = await corrected(length);
      const [sound] = told(exported(folder));
      await spoil(folder, `later: approved ${length} `, `later: apProved ${length} `);
      const found = exported(folder);
      assert.deepEqual(told(found), [sound, `perhaps first: not charged ${length}`]);
      const warning = 'the latest version is damaged, an earlier one printed with "perhapsOutdated": records 2';
      assert.deepEqual(found.warnings, [warning]);
    });
  }

  it('says on stderr which records it cannot print, and prints lines alone on stdout', async () => {
    const folder = await corrected();
    for (const text of ['first: not charged', 'later: approved']) await spoil(folder, `${text} 5`, `${text} 6`);
    const run = () => spawnSync(process.execPath, ['--import', 'tsx', CLI, 'export', folder], { encoding: 'utf8' });
    const { stdout, stderr } = run();
    assert.match(stdout, /^\{[^\n]*later: approved 1[^\n]*\}\n$/);
    assert.equal(stderr, 'damaged, and not printed: records 1\n');
    // Of a file whose first pages are gone nobody can say what it had.
    const file = join(folder, 'journal.mdb');
    await writeFile(file, (await readFile(file)).fill(0, 0, 8_192));
    const without = run();
    assert.equal(without.stdout, stdout);
    assert.equal(
      without.stderr,
      'the structure of the file is damaged: records may be missing, and of others an earlier version printed\n' +
        'damaged, or deleted in their time, and not printed: records 1\n',
    );
  });
});
