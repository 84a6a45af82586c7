import assert from 'node:assert/strict';
import { test } from 'node:test';
import { soon } from '../../../src/core/platform/soon.js';
import { VirtualClock } from '../../harness/virtual-clock.js';

test('what fails in time leaves no timer behind', async () => {
  const clock = new VirtualClock();
  await assert.rejects(soon(clock, 5000, Promise.reject(new Error('failed'))), /failed/);
  assert.equal(clock.pending, 0);
});
