import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { callbackToken } from '../../src/core/callback.js';
import { Collector } from '../helpers/collector.js';
import { type RunningNodeRed, startNodeRed } from '../helpers/node-red.js';
import { saleFlow } from '../helpers/sale-flow.js';
import { type Service, startService } from './flow.js';

const KEY = 'planted-api-key-5f2c';
const CALLBACK_SECRET = 'planted-callback-secret-91ab';
const PAN = '4111111111111111';

/** Every file below a folder, as bytes. */
async function bytesBelow(folder: string): Promise<Buffer[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const readable = entries.filter((entry) => entry.isFile() || entry.isDirectory());
  const all = readable.map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? bytesBelow(path) : readFile(path).then((bytes) => [bytes]);
  });
  return (await Promise.all(all)).flat();
}

describe('planted secrets', () => {
  let service: Service;
  let collector: Collector;
  let nodeRed: RunningNodeRed;

  before(async () => {
    service = await startService({ merchants: [{ keys: [KEY] }], cardholder: { tapAfterMs: 5, card: { pan: PAN } } });
    collector = new Collector();
    await collector.start();
    const status = { id: 'status', z: 'tab', type: 'status', scope: null, x: 1, y: 1, wires: [['statuses']] };
    const statuses = {
      id: 'statuses',
      z: 'tab',
      type: 'function',
      func: `return { payload: { output: 'status', msg: { status: msg.status, payload: {} } } };`,
      outputs: 1,
      libs: [],
      x: 1,
      y: 1,
      wires: [['collect']],
    };
    const caught = {
      ...statuses,
      id: 'caught',
      func: statuses.func.replace("'status'", "'mistake'").replace('msg.status', 'msg.error'),
    };
    const catching = { id: 'catch', z: 'tab', type: 'catch', scope: null, x: 1, y: 1, wires: [['caught']] };
    nodeRed = await startNodeRed({
      flows: [...saleFlow(service, collector.url), status, statuses, catching, caught],
      credentials: { environment: { apiKey: KEY, callbackSecret: CALLBACK_SECRET } },
      settings: { logging: { console: { level: 'trace', metrics: true, audit: true } } },
    });
  });
  after(async () => {
    await nodeRed.stop();
    collector.stop();
    await service.stop();
  });

  async function pay(body: object): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    await fetch(`${nodeRed.url}/pay`, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  test('appear in no log, status, error, export, journal file or message', async () => {
    await pay({ amount: '10.00', note: `card ${PAN}` });
    await collector.until(({ output }) => output === 'done');
    await pay({ amount: PAN });
    await collector.until(({ output }) => output === 'mistake');
    service.simulator.faults.arm({ kind: 'server-error-before', match: { endpoint: 'POST /transactions' } });
    await pay({ amount: '37.84' });
    await collector.until(({ msg }) => JSON.stringify(msg).includes('sending'));

    const reference = collector.messages.find(({ output }) => output === 'done')?.msg.payload.reference ?? '';
    const token = callbackToken(CALLBACK_SECRET, reference);
    const exported = await (await fetch(`${nodeRed.url}/flows`)).text();
    const journal = await bytesBelow(join(nodeRed.userDir, 'payment-journal'));
    assert.ok(
      journal.some((bytes) => bytes.includes(reference)),
      'the journal was looked into',
    );
    const places: [string, string | Buffer][] = [
      ['log', nodeRed.output()],
      ['export', exported],
      ['messages, statuses and errors', JSON.stringify(collector.messages)],
      ...journal.map((bytes): [string, Buffer] => ['journal', bytes]),
    ];
    for (const [place, text] of places) {
      for (const secret of [KEY, CALLBACK_SECRET, PAN, token]) {
        // What the flow put into its own message stays in its message.
        if (place.startsWith('messages') && secret === PAN) continue;
        assert.ok(!text.includes(secret), `${secret} in the ${place}`);
      }
    }
  });
});
