import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';

const CLI = join(__dirname, '../../src/simulator/cli.ts');

function start(...args: string[]): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', CLI, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

async function outcome(child: ChildProcess): Promise<{ code: number | null; out: string; err: string }> {
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk) => {
    out += String(chunk);
  });
  child.stderr?.on('data', (chunk) => {
    err += String(chunk);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

test('prints its addresses when it is ready, serves, and stops cleanly at SIGTERM', async () => {
  const child = start('--port', '0', '--key', 'k1', '--group', 'E', '--rate', '0', '--tap-after', '0', '--seed', '5');
  const ended = outcome(child);
  assert.ok(child.stdout);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const match = /^simulator ready: api (\S+) status (\S+) control (\S+) key k1$/.exec(line);
  assert.ok(match, line);
  const devices = await fetch(`${match[1]}/devices`, { headers: { ApiKeyCloud: 'k1' } });
  assert.equal(devices.status, 200);
  child.kill('SIGTERM');
  assert.equal((await ended).code, 0);
});

test('explains itself, and says what is wrong with an option', async () => {
  const help = await outcome(start('--help'));
  assert.equal(help.code, 0);
  assert.match(help.out, /--tap-after <ms>/);
  const bad = await outcome(start('--port', '99999'));
  assert.equal(bad.code, 2);
  assert.match(bad.err, /--port: expected a whole number from 0 to 65535, got "99999"/);
  const unknown = await outcome(start('--colour', 'red'));
  assert.equal(unknown.code, 2);
  assert.match(unknown.err, /--colour/);
});
