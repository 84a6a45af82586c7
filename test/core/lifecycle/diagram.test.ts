import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

test('docs/lifecycle.md shows the tables of transitions as they are', () => {
  const script = join(__dirname, '../../../scripts/diagram.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  assert.equal(status, 0, `npm run diagram writes it anew. ${stderr}`);
});
