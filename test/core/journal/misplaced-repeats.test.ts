import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';
import { poolStore } from '../../../src/core/journal/lmdb/store-pool.js';
import type { RepeatRecord } from '../../../src/core/journal/record.js';
import { checkJournal } from '../../../src/journal-tool/check.js';
import { sampleId } from './sample-record.js';

const base = mkdtemp(join(tmpdir(), 'misplaced-repeats-'));
after(async () => rm(await base, { recursive: true }));
const ENVIRONMENT = 'environment-1';

async function filled(): Promise<{ folder: string; repeats: RepeatRecord[] }> {
  const folder = await mkdtemp(join(await base, 'f-'));
  const journal = await openLmdbJournal(folder);
  const repeats = [1, 2, 3].map((createdAt): RepeatRecord => {
    const origin = { node: 'n', message: { number: createdAt } };
    return { kind: 'repeat', id: sampleId(), environment: ENVIRONMENT, first: 'o-1', origin, createdAt };
  });
  for (const repeat of repeats) await journal.recordRepeat(repeat);
  await journal.close();
  return { folder, repeats };
}

/** Changes bits in the key of a row: an environment, a time in 11 bytes, and an id. Not in its JSON, where the id is in quotes. */
async function spoilKey(folder: string, id: string, place: number, bits: number): Promise<void> {
  const file = join(folder, 'journal.mdb');
  const bytes = await readFile(file);
  for (let at = bytes.indexOf(id); at >= 0; at = bytes.indexOf(id, at + 1)) {
    const spoilt = at + place;
    if (bytes[at - 1] !== 0x22) bytes[spoilt] = (bytes[spoilt] ?? 0) ^ bits;
  }
  await writeFile(file, bytes);
}

async function openedAndChecked(folder: string) {
  const reports: string[] = [];
  const journal = await openLmdbJournal(folder, (damage) => reports.push(damage));
  const { store, leave } = await poolStore(folder);
  await store.checked;
  await leave();
  return { journal, reports };
}

const ID_LENGTH = 36;
const BEFORE_ID = ENVIRONMENT.length + 11;

for (const [what, of, place, bits] of [
  ['the environment', 0, -BEFORE_ID, 1],
  ['the environment, which is no text any more', 2, -BEFORE_ID, 0x80],
  ['the time', 0, -9, 1],
  ['the id', 2, ID_LENGTH - 1, 1],
  ['the id, which is no text any more', 2, ID_LENGTH - 1, 0x80],
] as const) {
  describe(`embedded: a message that repeats an order, with a damaged key: ${what}`, () => {
    const spoilt = async () => {
      const { folder, repeats } = await filled();
      const repeat = repeats[of] as RepeatRecord;
      await spoilKey(folder, repeat.id, place, bits);
      return { folder, repeats, repeat };
    };
    const report = ({ id }: RepeatRecord): string =>
      `a message in the journal that repeats an order lies under a damaged key, and is answered all the same: ${id}`;

    it('is answered, and a person hears of it once; the tool tells it too', async () => {
      const { folder, repeats, repeat } = await spoilt();
      assert.deepEqual((await checkJournal(folder)).damage, [report(repeat)]);
      const { journal, reports } = await openedAndChecked(folder);
      assert.deepEqual(await journal.repeats(ENVIRONMENT), repeats);
      assert.deepEqual(await journal.repeats('another'), []);
      await journal.close();
      assert.deepEqual(reports, [report(repeat)]);
    });

    it('is gone once it was told all, and is not told again at the next start', async () => {
      const { folder, repeats, repeat } = await spoilt();
      const journal = await openLmdbJournal(folder);
      for (const one of await journal.repeats(ENVIRONMENT)) if (one.id === repeat.id) await journal.forgetRepeat(one);
      await journal.close();
      assert.deepEqual((await checkJournal(folder)).damage, []);
      const again = await openedAndChecked(folder);
      assert.deepEqual(
        await again.journal.repeats(ENVIRONMENT),
        repeats.filter((one) => one !== repeat),
      );
      await again.journal.close();
      assert.deepEqual(again.reports, []);
    });

    it('has its own key again from its next change on', async () => {
      const { folder, repeats, repeat } = await spoilt();
      const journal = await openLmdbJournal(folder);
      await journal.repeats(ENVIRONMENT);
      await journal.recordRepeat({ ...repeat, told: 1 });
      await journal.close();
      assert.deepEqual((await checkJournal(folder)).damage, []);
      const again = await openLmdbJournal(folder);
      assert.deepEqual(
        await again.repeats(ENVIRONMENT),
        repeats.map((one) => (one === repeat ? { ...one, told: 1 } : one)),
      );
      await again.close();
    });
  });
}
