import { fork } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { prepare } from './prepare.mjs';
import { ROOT, say } from './run.mjs';

/**
 * `npm start`: Node-RED with a tour flow and a simulated terminal, which takes one sale by itself. With `--once` it
 * stops after the sale, and its last line is the sale's `msg.payload` as JSON.
 */
const ONCE = process.argv.includes('--once');
const SALE_MS = 60_000;

await prepare();
const port = await freePort(process.env.PORT ?? (ONCE ? '0' : '1880'));
const PAGE = `http://127.0.0.1:${port}/payment-admin/virtual-terminal`;
const userDir = makeUserDir();
const nodeRed = startNodeRed();
const stopped = new Promise((resolve) => nodeRed.once('exit', resolve));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => nodeRed.kill('SIGTERM'));

const sale = await firstSale();
if (sale.error !== undefined) await end(1, `The sale did not end: ${sale.error}`);
await tell(sale.payload);
if (ONCE) await end(0, JSON.stringify(sale.payload));
say(`the virtual terminal: ${PAGE}/`);
say(`the editor: http://127.0.0.1:${port}/   (Ctrl-C stops it)`);
await stopped;

async function freePort(wanted) {
  const number = Number(wanted);
  if (!/^\d+$/.test(wanted) || number > 65_535) fail(`PORT: expected a number from 0 to 65535, got "${wanted}"`);
  const probe = createServer();
  await new Promise((resolve) => {
    probe.once('error', ({ code }) => {
      fail(
        code === 'EADDRINUSE'
          ? `Port ${number} is in use. Choose another: PORT=1881 npm start`
          : `Port ${number}: ${code}`,
      );
    });
    probe.listen(number, '127.0.0.1', resolve);
  });
  const free = probe.address().port;
  await new Promise((resolve) => probe.close(resolve));
  return free;
}

/** `.run` keeps what its user changes; a run with `--once` starts from nothing. */
function makeUserDir() {
  const base = join(ROOT, '.run');
  mkdirSync(base, { recursive: true });
  const folder = ONCE ? mkdtempSync(join(base, 'once-')) : base;
  const flows = join(folder, 'flows.json');
  if (!existsSync(flows)) copyFileSync(join(ROOT, 'examples/tour.json'), flows);
  return folder;
}

function startNodeRed() {
  say(`starting Node-RED in ${userDir}`);
  const command = join(dirname(createRequire(import.meta.url).resolve('node-red/package.json')), 'red.js');
  // A group of its own: Ctrl-C reaches it once, through us.
  return fork(command, ['-u', userDir, '-s', join(import.meta.dirname, 'tour-settings.cjs')], {
    cwd: userDir,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: process.platform !== 'win32',
  });
}

/** What the first sale node said: `{ payload }` or `{ error }`. */
async function firstSale() {
  let timer;
  const said = new Promise((resolve) => nodeRed.once('message', resolve));
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, SALE_MS, { error: `nothing came within ${SALE_MS / 1000} s` });
  });
  const ended = stopped.then(() => ({ error: 'Node-RED has stopped' }));
  try {
    return await Promise.race([said, late, ended]);
  } finally {
    clearTimeout(timer);
  }
}

/** What the flow was told, beside what the simulated bank has. */
async function tell({ outcome, moneyMoved, amount, card }) {
  say(`one sale: ${outcome}, money moved: ${moneyMoved}, ${amount?.total} ${amount?.currency}, card ${card?.masked}`);
  const charges = (await ledger()).filter(({ kind }) => kind === 'charge');
  say(
    `the ledger of the simulated bank: charges ${charges.length}, minor units ${charges.map(({ moved }) => moved).join(', ')}`,
  );
}

async function ledger() {
  const read = async (path) => (await fetch(`${PAGE}/${path}`)).json();
  const [{ control }] = await read('simulators');
  return (await read(`${control}/ledger`)).entries;
}

/** Stops Node-RED, and then ends with a last line. */
async function end(code, lastLine) {
  nodeRed.kill('SIGTERM');
  await stopped;
  if (ONCE) rmSync(userDir, { recursive: true });
  if (code !== 0) fail(lastLine);
  process.stdout.write(`${lastLine}\n`, () => process.exit(0));
  await new Promise(() => undefined);
}

function fail(text) {
  console.error(text);
  process.exit(1);
}
