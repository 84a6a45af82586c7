import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { HttpSend } from '../../src/core/platform/undici-send.js';
import { playExample } from '../examples/play.js';
import { type Player, startPlayer } from '../examples/player.js';
import { ROOT } from '../harness/node-red.js';

const TYPES = Object.keys(require(join(ROOT, 'package.json'))['node-red'].nodes);

/** What Node-RED's palette manager gives npm. */
const PALETTE = ['--no-audit', '--no-update-notifier', '--no-fund', '--save', '--omit=dev', '--engine-strict'];

describe('the packed package, installed into a clean user folder as the palette manager does it', () => {
  let folder: string;
  let player: Player;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'installed-'));
    const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
    const tarball = (await npm(pack, ROOT)).trim();
    await writeFile(join(folder, 'package.json'), '{ "name": "node-red-project", "private": true }');
    await npm(['install', ...PALETTE, '--prefer-offline', join(folder, tarball)], folder);
    player = await startPlayer(folder);
  });
  after(async () => {
    await player?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('loads every node, without an error', async () => {
    const sets = await player.sets();
    assert.deepEqual(sets.flatMap(({ types }) => types).sort(), TYPES.sort());
    assert.deepEqual(
      sets.filter(({ err }) => err !== undefined),
      [],
    );
  });

  test('plays the tour, and the ledger agrees', () => playExample(player, 'tour'));

  test('brings an undici that runs on every Node it supports', async () => {
    const { version, engines } = JSON.parse(await readFile(join(folder, 'node_modules/undici/package.json'), 'utf8'));
    assert.equal(version.split('.')[0], '7', `undici ${version} asks for Node ${engines.node}`);
  });

  test('reaches with it the simulator that it brings as a command', async () => {
    const dist = join(folder, 'node_modules/@cloud-terminal/node-red-payments/dist');
    const simulator = spawn(process.execPath, [join(dist, 'simulator/cli.js'), '--port', '0']);
    const exited = once(simulator, 'exit');
    const [line] = await once(simulator.stdout.setEncoding('utf8'), 'data');
    const http: HttpSend = require(join(dist, 'core/platform/undici-send.js')).createHttpSend();
    const url = `${/ api (\S+)/.exec(line)?.[1]}/devices`;
    const headers = { ApiKeyCloud: 'simulator' };
    const { status, body } = await http({ method: 'GET', url, headers, body: undefined, timeoutMs: 10_000 });
    assert.deepEqual([status, JSON.parse(body)[0].serial_number], [200, '10000001']);
    await http.close();
    simulator.kill();
    await exited;
  });
});

/** npm on the Node that runs this test: which versions it picks depends on that. */
async function npm(args: string[], cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [await npmScript(), ...args], { cwd });
  return stdout;
}

async function npmScript(): Promise<string> {
  const own = process.env.npm_execpath;
  if (own?.endsWith('.js')) return own;
  const { stdout } = await promisify(execFile)('npm', ['root', '--global'], { shell: process.platform === 'win32' });
  return join(stdout.trim(), 'npm/bin/npm-cli.js');
}
