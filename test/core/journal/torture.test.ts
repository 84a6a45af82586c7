import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { torture } from '../../journal-torture/torture.js';

test('a spoiled journal is moved aside, says what is damaged, or works as if nothing had been', async () => {
  const seed = randomInt(1_000_000_000);
  const bad: string[] = [];
  const totals = await torture(60, seed, (line, isBad) => isBad && bad.push(line));
  assert.deepEqual(bad, [], `seed ${seed}`);
  assert.ok(totals.movedAside > 0 && totals.detected > 0 && totals.harmless > 0, JSON.stringify(totals));
});
