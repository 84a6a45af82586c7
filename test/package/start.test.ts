import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ResultPayload } from '../../src/core/operation.js';

const START = join(__dirname, '../../scripts/start.mjs');

test('npm start -- --once takes one sale, and says what the bank has of it; its last line is the payload', async () => {
  const child = spawn(process.execPath, [START, '--once'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  assert.equal(code, 0, output);
  assert.match(output, /the ledger of the simulated bank: charges 1, minor units 1000\n/);
  const payload: ResultPayload = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '');
  assert.deepEqual([payload.outcome, payload.moneyMoved, payload.amount?.total], ['approved', 'yes', '10.00']);
  assert.match(payload.card.masked, /^\*+\d{4}$/);
});
