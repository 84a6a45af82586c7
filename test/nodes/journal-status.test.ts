import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Service, startFlow, startService } from './flow.js';

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
});
