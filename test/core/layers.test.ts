import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';

const SCRIPT = join(__dirname, '../../scripts/layers.mjs');

function check(...options: string[]) {
  return spawnSync(process.execPath, [SCRIPT, '--check', ...options], { encoding: 'utf8' });
}

describe('the layers of the core', () => {
  test('are drawn in CONTRIBUTING.md as the imports have them, and no arrow runs upwards', () => {
    const { status, stderr } = check();
    assert.equal(status, 0, `npm run layers draws them anew. ${stderr}`);
  });

  test('an import that runs upwards is named and refused', (t) => {
    const core = mkdtempSync(join(tmpdir(), 'layers-'));
    t.after(() => rmSync(core, { recursive: true }));
    for (const layer of ['api', 'runner']) mkdirSync(join(core, layer));
    writeFileSync(join(core, 'runner/runner.ts'), `import { Client } from '../api/client.js';\n`);
    writeFileSync(join(core, 'api/client.ts'), `export type { Runner } from '../runner/runner.js';\n`);
    const { status, stderr } = check('--core', core);
    assert.notEqual(status, 0);
    assert.match(stderr, /imports run upwards: api -> runner\n/);
  });
});
