import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ROOT, type RunningNodeRed, startNodeRed } from '../harness/node-red.js';
import { PostgresServer } from '../harness/postgres.js';

/** What `docs/replicas` starts, without Docker: the same settings and flows in two Node-REDs. */

const FOLDER = join(ROOT, 'docs/replicas');
const REPLICAS = ['node-red-1', 'node-red-2'];
let base: string;
let server: PostgresServer;
const nodeReds: RunningNodeRed[] = [];

function prepare(env: Record<string, string> = {}): void {
  execFileSync(process.execPath, [join(FOLDER, 'prepare.js')], { env: { ...process.env, BASE: base, ...env } });
}

/** The settings, and the address of the journal that they lead to. */
function settingsOf(env: Record<string, string>): { settings: Record<string, unknown>; journal: string } {
  const script = `const settings = require(${JSON.stringify(join(FOLDER, 'settings.js'))});
    console.log(JSON.stringify({ settings, journal: process.env.JOURNAL }))`;
  const all = { ...process.env, SECRETS: join(base, 'secrets'), ...env };
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { env: all, encoding: 'utf8' }));
}

async function order(nodeRed: RunningNodeRed | undefined, idempotencyKey: string) {
  const response = await fetch(`${nodeRed?.url}/shop/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ amount: '10.00', idempotencyKey }),
  });
  const { outcome, reference } = (await response.json()) as { outcome?: string; reference?: string };
  return { answer: `${response.status} ${outcome}`, reference };
}

before(async () => {
  base = await mkdtemp(join(tmpdir(), 'replicas-'));
  server = await PostgresServer.start();
  for (const folder of ['secrets', ...REPLICAS]) await mkdir(join(base, folder));
  prepare();
});
after(async () => {
  await Promise.all(nodeReds.map((nodeRed) => nodeRed.stop()));
  await server.end();
  await rm(base, { recursive: true });
});

test('a password is drawn once, and one of your own may hold anything', async () => {
  const file = join(base, 'secrets/database');
  const drawn = await readFile(file, 'utf8');
  assert.match(drawn, /^[\w-]{32}$/);
  prepare({ DATABASE_PASSWORD: 'comes too late' });
  assert.equal(settingsOf({}).journal, `postgresql://payments:${drawn}@database:5432/payments`);
  await rm(file);
  prepare({ DATABASE_PASSWORD: 'a@b/c:d%' });
  assert.equal(settingsOf({}).journal, 'postgresql://payments:a%40b%2Fc%3Ad%25@database:5432/payments');
});

test('both sell, and an order that one has taken is not charged again by the other', async () => {
  const JOURNAL = await server.newDatabase();
  const { settings } = settingsOf({ JOURNAL });
  for (const replica of REPLICAS) {
    const userDir = join(base, replica);
    nodeReds.push(await startNodeRed({ userDir, settings: { ...settings, uiPort: 0 }, env: { JOURNAL } }));
  }
  const [first, second] = nodeReds;
  const one = await order(first, 'order-1');
  assert.equal(one.answer, '200 approved');
  assert.deepEqual(await order(second, 'order-1'), one);
  const other = await order(second, 'order-2');
  assert.equal(other.answer, '200 approved');
  assert.notEqual(other.reference, one.reference);
});
