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

test('receipts are deleted although the operations cannot be, and that is heard once', async () => {
  let rounds = 0;
  const journal = Object.assign(new MemoryJournal(), {
    prune: () => Promise.reject(new Error('the journal cannot be written')),
    receipts: { keep: async () => undefined, find: async () => undefined, prune: async () => (rounds++ < 2 ? 10 : 0) },
  });
  const heard: string[] = [];
  const pruning = new Pruning(3, ({ message }) => heard.push(message));
  await pruning.start(journal);
  pruning.stop();
  assert.deepEqual([rounds, heard], [3, ['the journal cannot be written']]);
});
