import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { ResultPayload } from '../../src/core/delivery/payload.js';
import { ROOT } from '../harness/node-red.js';

const CHANGED_NEVER = ['dist', 'icons', 'locales', 'node_modules', 'src'];
const COPIED = ['package-lock.json', 'package.json', 'scripts', 'tsconfig.build.json', 'tsconfig.json'];
const TOUR = 'examples/tour.json';
const ADDRESSES = /the virtual terminal: (\S+)\n\s+== the editor: (\S+) /;

type TourNode = Record<string, unknown> & { type: string };

describe('npm start', () => {
  test('with --once takes one sale, and says what the bank has of it; its last line is the payload', async () => {
    const { code, output } = await ended(start(ROOT, ['--once']));
    assert.equal(code, 0, output);
    assert.match(output, /one sale: approved, money moved: yes, 10\.00 EUR, card \*+\d{4}\n/);
    assert.match(output, /the ledger of the simulated bank: charges 1, minor units 1000\n/);
    const payload: ResultPayload = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '');
    assert.deepEqual([payload.outcome, payload.moneyMoved, payload.amount?.total], ['approved', 'yes', '10.00']);
    assert.match(payload.card.masked, /^\*+\d{4}$/);
  });

  test('says of a declined sale nothing that there is not', async () => {
    const output = await staysUp((node) =>
      node.type === 'inject' ? { ...node, payload: '{"amount": "37.84"}' } : node,
    );
    assert.match(output, /one sale: declined, money moved: no, card \*+\d{4}, Declined by the issuer \(05\)\n/);
    assert.match(output, /the ledger of the simulated bank: charges 0\n/);
  });

  test('takes one sale where the flow sends it by itself, as earlier tours did', async () => {
    const output = await staysUp((node) =>
      node.type === 'inject' ? { ...node, once: node.name === '10.00 EUR' } : node,
    );
    assert.match(output, /one sale: approved, money moved: yes, 10\.00 EUR/);
    assert.match(output, /the ledger of the simulated bank: charges 1, minor units 1000\n/);
  });

  test('says why a sale was refused', async () => {
    const output = await staysUp((node) =>
      node.type === 'payment-terminal' ? { ...node, serialNumber: '99999999' } : node,
    );
    assert.match(output, /one sale: refused, money moved: no, [A-Z].*\n/);
  });

  test('stays up where the flow begins no sale', async () => {
    const output = await staysUp((node) => (node.type === 'inject' ? { ...node, wires: [[]] } : node));
    assert.match(output, /no sale was begun: nothing came to a sale node\n/);
  });

  test('stays up where a node of the flow is of an unknown type', async () => {
    const output = await staysUp((node) => (node.type === 'debug' ? { ...node, type: 'unheard-of' } : node));
    assert.match(output, /no sale was begun: missing-types\n/);
  });

  test('stays up where the environment has no address, and ends there with --once', async () => {
    const change = (node: TourNode) => (node.type === 'payment-environment' ? { ...node, kind: 'staging' } : node);
    assert.match(await staysUp(change), /no sale was begun: ConfigurationError.*\n/);
    const { code, output } = await inCheckout(change, (folder) => ended(start(folder, ['--once'])));
    assert.equal(code, 1, output);
    assert.match(output, /no sale was begun: ConfigurationError.*\n$/);
  });

  test('says what a second one needs where the port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { code, output } = await ended(start(ROOT, [], String(port)));
    taken.close();
    assert.equal(code, 1, output);
    assert.match(output, /in use, perhaps by another Node-RED.*\nPORT=1881 npm start\n/);
    assert.match(
      output,
      /another `npm start` it needs a journal of its own, too:\nPORT=1881 CLOUD_TERMINAL_JOURNAL=\S+ npm start/,
    );
  });
});

function start(folder: string, args: string[] = [], port?: string): ChildProcess {
  const env = port === undefined ? process.env : { ...process.env, PORT: port };
  return spawn(process.execPath, [join(folder, 'scripts/start.mjs'), ...args], { env, stdio: 'pipe' });
}

/** Calls `look` with everything printed so far, whenever there is more of it. */
function listen(child: ChildProcess, look: (output: string) => void): void {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      look(output);
    });
}

async function ended(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = '';
  listen(child, (printed) => {
    output = printed;
  });
  const [code] = await once(child, 'close');
  return { code, output };
}

/** What it prints with a changed tour, once both addresses have answered. Then it is stopped. */
async function staysUp(change: (node: TourNode) => TourNode): Promise<string> {
  return inCheckout(change, async (folder) => {
    const child = start(folder, [], '0');
    const closed = once(child, 'close');
    const output = await new Promise<string>((resolve, reject) => {
      let latest = '';
      listen(child, (printed) => {
        latest = printed;
        if (ADDRESSES.test(printed)) resolve(printed);
      });
      child.once('close', () => reject(new Error(latest)));
    });
    const addresses = [...(ADDRESSES.exec(output) ?? [])].slice(1);
    const statuses = await Promise.all(
      addresses.map((address) => fetch(address).then(({ status }) => status, String)),
    ).finally(() => child.kill('SIGTERM'));
    assert.deepEqual(
      [statuses, await closed],
      [
        [200, 200],
        [0, null],
      ],
      output,
    );
    return output;
  });
}

/** A checkout of its own, so that what a user has in `.run` is left alone. */
async function inCheckout<T>(change: (node: TourNode) => TourNode, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'checkout-'));
  try {
    for (const path of COPIED)
      await cp(join(ROOT, path), join(folder, path), { recursive: true, preserveTimestamps: true });
    for (const path of CHANGED_NEVER) await symlink(join(ROOT, path), join(folder, path), 'junction');
    const tour: TourNode[] = JSON.parse(await readFile(join(ROOT, TOUR), 'utf8'));
    await cp(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true });
    await writeFile(join(folder, TOUR), JSON.stringify(tour.map(change)));
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
