import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryJournal } from '../../src/core/journal/memory.js';
import { systemClock } from '../../src/core/platform/system-clock.js';
import { Pruning } from '../../src/nodes/runtime/environment/pruning.js';
import { given, sampleRecord } from '../core/journal/sample-record.js';

const DAY = 24 * 60 * 60 * 1000;

test('what is older than the journal keeps is deleted when it is opened, however much that is', async () => {
  const journal = new MemoryJournal();
  const updatedAt = systemClock.now() - 4 * DAY;
  for (let count = 0; count < 101; count++) await journal.record(sampleRecord({ closed: true, updatedAt }));
  const kept = [
    sampleRecord({ closed: true, updatedAt: systemClock.now() - 2 * DAY }),
    sampleRecord({ closed: false, updatedAt }),
  ];
  for (const operation of kept) await journal.record(operation);
  const pruning = new Pruning(3, assert.ifError);
  await pruning.start(journal);
  pruning.stop();
  const left = given(await journal.find({ environment: 'environment-1' }, 2_000));
  assert.deepEqual(new Set(left), new Set(kept));
});
