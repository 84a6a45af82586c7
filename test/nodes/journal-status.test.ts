import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Service, startFlow, startService } from './flow.js';

/** As where npm has left the binary out: the library finds none for this computer. */
async function withoutBinary(folder: string, run: () => Promise<void>): Promise<void> {
  const path = require.resolve('lmdb');
  const loaded = require.cache[path];
  delete require.cache[path];
  process.env.LMDB_PREBUILD = folder;
  try {
    await run();
  } finally {
    delete process.env.LMDB_PREBUILD;
    if (loaded !== undefined) require.cache[path] = loaded;
  }
}

describe('what a deploy says of the journal', () => {
  let service: Service;
  let base: string;

  before(async () => {
    service = await startService();
    base = await mkdtemp(join(tmpdir(), 'journal-status-'));
  });
  after(async () => {
    await service.stop();
    await rm(base, { recursive: true });
  });

  test('a journal that can be written is said to be, before the first payment, and is not made for that', async () => {
    const folder = join(base, 'new', 'journal');
    const flow = await startFlow({ service, folder });
    try {
      assert.equal(await flow.status('environment'), 'status.recording');
      assert.deepEqual(await readdir(base), []);
      assert.deepEqual(flow.said('environment').errors, []);
    } finally {
      await flow.stop();
    }
  });

  test('one that cannot be used is an error and a red status, before the first payment', async () => {
    const file = join(base, 'a-file');
    await writeFile(file, '');
    const flow = await startFlow({ service, folder: join(file, 'journal') });
    try {
      assert.equal(await flow.status('environment'), 'status.journal-unusable');
      const { errors } = flow.said('environment');
      assert.equal(errors.length, 1);
      assert.match(errors[0] ?? '', /the journal's folder .*a-file\/journal cannot be created/);
    } finally {
      await flow.stop();
    }
  });

  for (const [what, isThere] of [
    ['a journal that is still to be made', false],
    ['one with payments', true],
  ] as const) {
    test(`the library of ${what} has no binary: an error and a red status, before the first payment`, async () => {
      const folder = join(base, `without-binary-${isThere}`);
      if (isThere) {
        const sold = await startFlow({ service, folder });
        await sold.run({ payload: { amount: '10.00' } });
        await sold.stop();
      }
      await withoutBinary(base, async () => {
        const flow = await startFlow({ service, folder });
        try {
          assert.equal(await flow.status('environment', 'status.journal-unusable'), 'status.journal-unusable');
          assert.match(flow.said('environment').errors.join(), /the journal in .* cannot be opened: .*No native build/);
          assert.equal((await flow.run({ payload: { amount: '10.00' } })).output, 'mistake');
        } finally {
          await flow.stop();
        }
      });
    });
  }
});
