import { fork } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { prepare } from './lib/prepare.mjs';
import { ROOT, say } from './lib/run.mjs';

/**
 * `npm start`: starts Node-RED with a tour flow and a simulated terminal, and takes one sale: it presses the first
 * button of the tour. Node-RED keeps running whatever the outcome, because a broken flow can only be corrected in the
 * editor. With `--once` it stops after the sale, and its last line is the sale's `msg.payload` as JSON.
 */
const ONCE = process.argv.includes('--once');
/**
 * Time from the start of the flows to the first sale. After a change of the tour the user waits for the editor, not
 * for a sale.
 */
const BEGIN_MS = ONCE ? 60_000 : 10_000;
/** Kinds of environments that move no real money. */
const HARMLESS = ['simulator', 'staging', 'demo'];
/** Time from there to the end of the sale, on a slow machine. */
const SALE_MS = 60_000;

const WANTED = process.env.PORT ?? (ONCE ? '0' : '1880');

// To install takes a while: a port that is taken is said before.
await freePort(WANTED);
await prepare();
const port = await freePort(WANTED);
const PAGE = `http://127.0.0.1:${port}/payment-admin/virtual-terminal`;
const userDir = makeUserDir();
const nodeRed = startNodeRed();
const stopped = new Promise((resolve) => nodeRed.once('exit', resolve));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => nodeRed.kill('SIGTERM'));

const { payload, reason } = await firstSale();
if (payload !== undefined) await printOutcome(payload);
if (ONCE || !nodeRed.connected) await end(payload, reason);
if (reason !== undefined) say(reason);
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
          ? `Port ${number} is in use, perhaps by another Node-RED. This takes another one:\nPORT=1881 npm start\n` +
              'Beside another `npm start` it needs a journal of its own, too:\n' +
              'PORT=1881 CLOUD_TERMINAL_JOURNAL=/path/of/a/folder npm start'
          : `Port ${number}: ${code}`,
      );
    });
    probe.listen(number, '127.0.0.1', resolve);
  });
  const free = probe.address().port;
  await new Promise((resolve) => probe.close(resolve));
  return free;
}

/** `.run` keeps the user's changes; a run with `--once` starts from scratch. */
function makeUserDir() {
  const base = join(ROOT, '.run');
  mkdirSync(base, { recursive: true });
  const folder = ONCE ? mkdtempSync(join(base, 'once-')) : base;
  const flows = join(folder, 'flows.json');
  if (!existsSync(flows)) copyFileSync(join(ROOT, 'examples/tour.json'), flows);
  return folder;
}

/** As a person who clicks it. Nobody does where it clicks itself, or where the user has made an environment one that moves real money. */
async function pressFirst() {
  const nodesIn = (path) => JSON.parse(readFileSync(path, 'utf8'));
  const { id } = nodesIn(join(ROOT, 'examples/tour.json')).find(({ type }) => type === 'inject');
  const nodes = nodesIn(join(userDir, 'flows.json'));
  // Earlier versions of the tour, which the folder keeps, send it at every start.
  if (nodes.some((node) => node.id === id && node.once === true)) return undefined;
  const live = nodes.find(({ type, kind }) => type === 'payment-environment' && kind && !HARMLESS.includes(kind));
  if (live !== undefined) return `no sale was taken: the environment "${live.name || live.id}" may move real money`;
  await fetch(`http://127.0.0.1:${port}/inject/${id}`, { method: 'POST' });
  return undefined;
}

function startNodeRed() {
  say(`starting Node-RED in ${userDir}`);
  const command = join(dirname(createRequire(import.meta.url).resolve('node-red/package.json')), 'red.js');
  // Runs in a process group of its own, so that Ctrl-C reaches it only once, through this process.
  return fork(command, ['-u', userDir, '-s', join(import.meta.dirname, './lib/tour-settings.cjs')], {
    cwd: userDir,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: process.platform !== 'win32',
  });
}

/** Resolves to the `{ payload }` of the first sale, or the `{ reason }` why there is none. */
function firstSale() {
  return new Promise((resolve) => {
    const giveUpAfter = (ms, reason) => setTimeout(() => resolve({ reason }), ms).unref();
    let tooLate;
    nodeRed.on('message', (said) => {
      if (said.event === 'started') {
        if (tooLate === undefined)
          pressFirst().then(
            (reason) => reason && resolve({ reason }),
            (error) => say(String(error)),
          );
        tooLate ??= giveUpAfter(BEGIN_MS, 'no sale was begun: nothing came to a sale node');
      } else if (said.event === 'begun') {
        clearTimeout(tooLate);
        tooLate = giveUpAfter(SALE_MS, 'the first sale has not ended yet');
      } else resolve(said);
    });
    void stopped.then(() => resolve({ reason: 'Node-RED has stopped' }));
  });
}

/** Prints the sale's outcome beside the simulated bank's ledger. */
async function printOutcome({ outcome, moneyMoved, amount, card, error }) {
  const parts = [outcome, `money moved: ${moneyMoved}`];
  if (amount?.total && moneyMoved !== 'no') parts.push(`${amount.total} ${amount.currency}`);
  if (card?.masked) parts.push(`card ${card.masked}`);
  if (error?.message) parts.push(error.message);
  say(`one sale: ${parts.join(', ')}`);
  const entries = await ledger();
  if (entries === undefined) return;
  const charges = entries.filter(({ kind }) => kind === 'charge').map(({ moved }) => moved);
  const units = charges.length === 0 ? '' : `, minor units ${charges.join(', ')}`;
  say(`the ledger of the simulated bank: charges ${charges.length}${units}`);
}

/** The ledger; undefined if the flow was changed to use a service other than the simulator. */
async function ledger() {
  const read = async (path) => (await fetch(`${PAGE}/${path}`)).json();
  const [simulator] = await read('simulators');
  return simulator && (await read(`${simulator.control}/ledger`)).entries;
}

/** Stops Node-RED, and ends with the payload as the last line, or with the reason why there is none. */
async function end(payload, reason) {
  nodeRed.kill('SIGTERM');
  await stopped;
  if (ONCE) rmSync(userDir, { recursive: true });
  if (payload === undefined) fail(reason);
  process.stdout.write(`${JSON.stringify(payload)}\n`, () => process.exit(0));
  await new Promise(() => undefined);
}

function fail(text) {
  console.error(text);
  process.exit(1);
}
