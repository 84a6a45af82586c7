import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closeRoot, commit } from '../../../src/core/journal/lmdb/file/commit.js';

type Root = Parameters<typeof commit>[0];

/** LMDB as it is where one commit has failed: a second one, begun before that was known, has no answer. */
function failingRoot(reads: () => boolean): { root: Root; fail: () => void } {
  let fail: () => void = () => undefined;
  const first = new Promise<never>((_, reject) => {
    fail = () => reject(Object.assign(new Error('Commit failed'), { commitError: Promise.reject(new Error('EIO')) }));
  });
  const answers = [first, new Promise<never>(() => undefined)];
  const root = {
    transaction: () => answers.shift(),
    resetReadTxn: () => undefined,
    doesExist: reads,
    close: () => new Promise<never>(() => undefined),
  };
  return { root: root as unknown as Root, fail };
}

describe('embedded: a commit that failed', () => {
  it('refuses what waits beside it, what comes after it, and lets the file be closed, where LMDB reads nothing any more', async () => {
    const { root, fail } = failingRoot(() => {
      throw new Error('MDB_PANIC');
    });
    const [first, second] = [commit(root, 'there', () => 1), commit(root, 'there', () => 2)];
    const refusals = Promise.allSettled([first, second]);
    fail();
    for (const refusal of [...(await refusals), ...(await Promise.allSettled([commit(root, 'there', () => 3)]))])
      assert.match(
        String(refusal.status === 'rejected' && refusal.reason),
        /the journal in there cannot be used any more/,
      );
    await closeRoot(root, 'there');
  });

  it('refuses nothing else where LMDB still reads the file', async () => {
    const { root, fail } = failingRoot(() => true);
    const [first, second] = [commit(root, 'here', () => 1), commit(root, 'here', () => 2)];
    fail();
    await assert.rejects(first, /the journal in here cannot be written: is the disk full\?/);
    const late = new Promise((resolve) => setImmediate(resolve, 'it waits'));
    assert.equal(await Promise.race([second, late]), 'it waits');
  });

  it('is awaited before the file is closed: reading one that closes would end the process', async () => {
    let isClosing = false;
    const { root, fail } = failingRoot(() => {
      assert.equal(isClosing, false);
      return true;
    });
    const close = async (): Promise<void> => {
      isClosing = true;
    };
    const closable: Root = { ...root, close };
    const refused = assert.rejects(
      commit(closable, 'full', () => 1),
      /is the disk full\?/,
    );
    const closed = closeRoot(closable, 'full');
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isClosing, false);
    fail();
    await Promise.all([refused, closed]);
    assert.equal(isClosing, true);
  });
});
