import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperationRecord } from '../../../src/core/journal/record.js';
import { RecordWriter } from '../../../src/core/runner/record-writer.js';
import { FullDisk } from '../../harness/full-disk.js';
import { payments } from '../../harness/payments.js';

test('a record is written again 5 s after it failed to last, whatever happens in between', async () => {
  const journal = new FullDisk();
  const world = payments({ journal });
  const { clock } = world;
  const operationId = await world.sale();
  const [record] = await world.engine.find({ operationId });
  const writer = new RecordWriter(
    journal,
    clock,
    () => undefined,
    () => undefined,
  );
  assert.equal(writer.againAt, undefined);
  journal.isFull = true;
  assert.equal(await writer.save(record as OperationRecord), false);
  const failedAt = clock.now();
  await clock.advance(4000);
  assert.equal(writer.againAt, failedAt + 5000);
  journal.isFull = false;
  await writer.save(record as OperationRecord);
  assert.equal(writer.againAt, undefined);
});
