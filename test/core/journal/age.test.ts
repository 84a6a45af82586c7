import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { openDatabases, openRoot } from '../../../src/core/journal/lmdb/file/databases.js';
import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';
import { sampleRecord } from './sample-record.js';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

const base = mkdtemp(join(tmpdir(), 'age-'));
after(async () => rm(await base, { recursive: true }));
const newFolder = async (): Promise<string> => mkdtemp(join(await base, 'folder-'));

const LONG_AGO = 1_000;
const FAR_AHEAD = Date.UTC(2199, 0);

/** One life of a process, whose clock reads `clock`, and which lasts for `ms`, with a pruning every hour. */
async function live(folder: string, clock: number, ms: number): Promise<number> {
  let now = clock;
  const journal = await openLmdbJournal(folder, undefined, () => now);
  await journal.record(sampleRecord({ closed: true, createdAt: clock }));
  let deleted = 0;
  for (; now < clock + ms; now += HOUR) deleted += await journal.prune(3 * DAY);
  deleted += await journal.prune(3 * DAY);
  await journal.close();
  return deleted;
}

describe('embedded: the age of records', () => {
  it('is not what clocks say: lives at 1970, today and far in the future delete nothing that is new', async () => {
    const folder = await newFolder();
    for (const clock of [LONG_AGO, Date.now(), FAR_AHEAD, LONG_AGO, Date.now(), FAR_AHEAD])
      assert.equal(await live(folder, clock, 11 * HOUR), 0);
  });

  it('is what the lives have lasted together, whatever their clocks said', async () => {
    const folder = await newFolder();
    let deleted = 0;
    for (const clock of [FAR_AHEAD, LONG_AGO, FAR_AHEAD, Date.now()]) deleted += await live(folder, clock, DAY);
    assert.equal(deleted, 1, 'that of the first life');
  });

  it('is counted on from the newest record where a life was killed before it could save it', async () => {
    const folder = await newFolder();
    let now = 0;
    const journal = await openLmdbJournal(folder, undefined, () => now);
    now = 5 * DAY;
    await journal.record(sampleRecord());
    await journal.close();
    const again = await openLmdbJournal(folder, undefined, () => 0);
    const [first] = await again.find({ environment: 'environment-1' });
    const second = sampleRecord({ createdAt: 2_000 });
    await again.record(second);
    const [last] = await again.find({ operationId: second.operationId });
    assert.deepEqual([first?.age, last?.age], [5 * DAY, 5 * DAY]);
    await again.close();
  });

  it('begins anew where what was saved is damaged: records are kept longer, none is deleted', async () => {
    const folder = await newFolder();
    await live(folder, LONG_AGO, 2 * DAY);
    const root = openRoot(join(folder, 'journal.mdb'));
    const { meta } = openDatabases(root);
    const saved = meta.get('age') ?? '';
    assert.match(saved, /\{"ms":172800000\}$/);
    await meta.put('age', saved.replace('1728', '9728'));
    await root.close();
    assert.equal(await live(folder, LONG_AGO, DAY), 0);
  });
});
