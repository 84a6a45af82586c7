import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryJournal } from '../../src/core/journal/memory.js';
import { Pruning } from '../../src/nodes/runtime/environment/pruning.js';
import { given, sampleRecord } from '../core/journal/sample-record.js';

const DAY = 24 * 60 * 60 * 1000;

test('what is older than the journal keeps is deleted when it is opened, however much that is', async () => {
  let now = 0;
  const journal = new MemoryJournal(() => now);
  for (let count = 0; count < 101; count++) await journal.record(sampleRecord({ closed: true }));
  const open = sampleRecord();
  await journal.record(open);
  now += 2 * DAY;
  const young = sampleRecord({ closed: true });
  await journal.record(young);
  now += 2 * DAY;
  const pruning = new Pruning(3, assert.ifError);
  await pruning.start(journal);
  pruning.stop();
  const left = given(await journal.find({ environment: 'environment-1' }, 2_000));
  assert.deepEqual(new Set(left), new Set([open, young]));
});
