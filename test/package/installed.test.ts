import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { HttpSend } from '../../src/core/platform/undici-send.js';
import { playExample } from '../examples/play.js';
import { type Player, startPlayer } from '../examples/player.js';
import { ROOT } from '../harness/node-red.js';

const TYPES = Object.keys(require(join(ROOT, 'package.json'))['node-red'].nodes);

const TSX = createRequire(__filename).resolve('tsx');

/** No value of `moneyMoved`. */
const WRONG = `import type { PaymentResult } from '@cloud-terminal/node-red-payments';
export const moved: PaymentResult['moneyMoved'] = 'maybe';
`;

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

  test('offers what docs/code.md shows: types that compile, and a client and a simulator that run', async () => {
    const page = await readFile(join(folder, 'node_modules/@cloud-terminal/node-red-payments/docs/code.md'), 'utf8');
    const samples = samplesOf(page);
    assert.deepEqual([...samples.keys()], ['decide.js', 'pay.mts']);
    samples.set('wrong.mts', WRONG);
    for (const [file, code] of samples) await writeFile(join(folder, file), code);
    await assert.rejects(typeScript(folder, [...samples.keys()]), ({ stdout }) => {
      assert.match(stdout, /^wrong\.mts\(2,\d+\): error TS2322.*\s*$/);
      return true;
    });
    const pay = join(folder, 'pay.mts');
    await promisify(execFile)(process.execPath, ['--import', TSX, pay], { cwd: folder });
  });

  test('compiles the functions of docs/recipes.md', async () => {
    const page = await readFile(join(folder, 'node_modules/@cloud-terminal/node-red-payments/docs/recipes.md'), 'utf8');
    const recipes = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
    assert.ok(recipes.length >= 4);
    const type = "import('@cloud-terminal/node-red-payments').PaymentMessage";
    const functions = recipes.map((code) => `(/** @param {${type}} msg */ (msg) => {\n${code}});\n`);
    await writeFile(join(folder, 'recipes.js'), `// @ts-check\n${functions.join('')}`);
    await typeScript(folder, ['recipes.js']);
  });

  test('exports nothing but its entries, and its package.json as tools ask for it', async () => {
    const required = createRequire(join(folder, 'a.js'));
    const name = '@cloud-terminal/node-red-payments';
    assert.deepEqual(Object.keys(required(name)), []);
    assert.equal(required(`${name}/package.json`).name, name);
    assert.match(required.resolve(`${name}/client`), /dist.entries.client\.js$/);
    assert.throws(() => required.resolve(`${name}/dist/core/index.js`), /ERR_PACKAGE_PATH_NOT_EXPORTED|not defined/);
  });

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

/** The samples of a page: the first line of each names its file. */
function samplesOf(page: string): Map<string, string> {
  const blocks = page.matchAll(/^```(?:js|ts)\n\/\/ (\S+)\n([\s\S]*?)^```$/gm);
  return new Map([...blocks].map(([, file = '', code = '']) => [file, code]));
}

/** Compiles as strictly as a consumer may; libraries are checked as well. */
async function typeScript(cwd: string, files: string[]): Promise<void> {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const strict = ['--noEmit', '--strict', '--checkJs', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022'];
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types'), '--pretty', 'false'];
  await promisify(execFile)(process.execPath, [tsc, ...strict, ...types, ...files], { cwd });
}

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
