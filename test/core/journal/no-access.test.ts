import assert from 'node:assert/strict';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { withCure } from '../../../src/core/journal/lmdb/file/no-access.js';
import { openLmdbJournal } from '../../../src/core/journal/lmdb/lmdb-journal.js';
import { NOBODY, saidAsNobody } from '../../harness/as-nobody.js';

const CURE = /\. Run Node-RED as the user who owns the folder, or make its own user the owner of .* all files in it$/;

/** Opens the journal as another user, and says what came of it. */
function openedAsNobody(folder: string): string {
  const call = "openLmdbJournal(process.env.FOLDER).then((journal) => journal.close()).then(() => 'closed')";
  return saidAsNobody('core/journal/lmdb/lmdb-journal.ts', call, folder);
}

describe('embedded: a journal that this process may not use', () => {
  it('is refused with what to do about it, wherever that shows', { skip: process.getuid?.() !== 0 }, async (t) => {
    const base = await mkdtemp(join(tmpdir(), 'no-access-'));
    t.after(() => rm(base, { recursive: true }));
    const folder = join(base, 'journal');
    await chmod(base, 0o755);
    assert.match(openedAsNobody(folder), /cannot be created: .*EACCES/);
    assert.match(openedAsNobody(folder), CURE);
    await (await openLmdbJournal(folder)).close();
    assert.match(openedAsNobody(folder), /cannot be opened: .*EACCES/);
    assert.match(openedAsNobody(folder), CURE);
    await chown(folder, NOBODY, NOBODY);
    assert.match(openedAsNobody(folder), /cannot be opened: .*EACCES.*journal\.mdb'/);
    assert.match(openedAsNobody(folder), CURE);
    for (const name of ['journal.mdb', 'journal.mdb-lock']) await chown(join(folder, name), NOBODY, NOBODY);
    assert.equal(openedAsNobody(folder), 'closed');
  });

  it('says of a disk that can only be read that it has to be writable, and nothing of any other error', () => {
    const error = Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
    assert.equal(
      withCure(error),
      'Error: EROFS: read-only file system. The disk can only be read: make it writable, or choose another folder for the journal',
    );
    assert.equal(withCure(new Error('no build')), 'Error: no build');
  });
});
