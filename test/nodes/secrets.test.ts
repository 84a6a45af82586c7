import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { callbackToken } from '../../src/core/base/callback.js';
import { Collector } from '../harness/collector.js';
import { type RunningNodeRed, startNodeRed } from '../harness/node-red.js';
import { saleFlow } from '../harness/sale-flow.js';
import { action, type Service, startFlow, startService, typed } from './flow.js';

const KEY = 'planted-api-key-5f2c';
const SECOND_KEY = 'planted-second-key-77d0';
const CALLBACK_SECRET = 'planted-callback-secret-91ab';
/** The nodes that are listened to: what collects has statuses of its own, which would be collected, and so on. */
const PAYING = ['sale', 'device', 'results'];
const PAN = '4111111111111111';
const SERIAL = '10000001';
const SSK = `ssk-${SERIAL}-do-not-log`;

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

function placed(id: string, type: string, wires: string[][], more: object): object {
  return { id, z: 'tab', type, x: 1, y: 1, outputs: 1, libs: [], ...more, wires };
}

describe('planted secrets', () => {
  let service: Service;
  let collector: Collector;
  let nodeRed: RunningNodeRed;

  before(async () => {
    service = await startService({
      merchants: [{ keys: [KEY, SECOND_KEY] }],
      cardholder: { tapAfterMs: 5, card: { pan: PAN } },
    });
    collector = new Collector();
    await collector.start();
    const said = (id: string, output: string, msg: string): object =>
      placed(id, 'function', [['collect']], { func: `return { payload: { output: ${output}, msg: ${msg} } };` });
    const more = [
      placed('status', 'status', [['statuses']], { scope: PAYING }),
      said('statuses', "'status'", '{ status: msg.status, payload: {} }'),
      placed('catch', 'catch', [['caught']], { scope: PAYING }),
      said('caught', "'mistake'", '{ status: msg.error, payload: {} }'),
      placed('ask', 'http in', [['asked', 'answer']], { url: '/device/:operation', method: 'post' }),
      placed('asked', 'function', [['device']], { func: 'return { ...msg, operation: msg.req.params.operation };' }),
      placed('device', 'payment-device', [['told'], ['told'], ['told']], {
        terminal: 'terminal',
        operation: 'operation',
        operationType: 'msg',
      }),
      said('told', 'msg.payload.operation', '{ payload: msg.payload }'),
      placed('results', 'payment-callback-in', [['called-back']], { environment: 'environment' }),
      said('called-back', "'callback-in'", '{ payload: msg.payload }'),
    ];
    nodeRed = await startNodeRed({
      flows: [...saleFlow(service, collector.url), ...more],
      credentials: { environment: { apiKey: KEY, secondApiKey: SECOND_KEY, callbackSecret: CALLBACK_SECRET } },
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

  async function read(path: string, init: RequestInit = {}): Promise<string> {
    const answer = await fetch(`${nodeRed.url}/payment-admin/${path}`, init);
    assert.equal(answer.status, 200, path);
    return answer.text();
  }

  const write = (path: string): Promise<string> =>
    read(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });

  test('that the service repeats in the text of an error appear in no log, message, status, journal file or admin answer', async () => {
    const endpoint = 'POST /transactions';
    service.simulator.faults.arm({ kind: 'order-refused-before', status: 422 });
    service.simulator.faults.arm({ kind: 'body-echoes-secrets', match: { endpoint }, times: 10 });
    await pay({ amount: '11.00' });
    const { output, msg } = await collector.until(({ msg }) => msg.payload.amount?.requested === '11.00');
    const { error, operationId } = msg.payload;
    assert.match(JSON.stringify(error), /No access with \[redacted\]/, output);
    const texts = [
      nodeRed.output(),
      JSON.stringify(collector.messages),
      await read(`operations/${operationId}`),
      ...(await bytesBelow(join(nodeRed.userDir, 'payment-journal'))),
    ];
    assert.ok(!texts.some((text) => text.includes(KEY)));
  });

  test('appear in no log, status, error, export, journal file or message', async () => {
    await pay({ amount: '10.00', note: `card ${PAN}` });
    await collector.until(({ output }) => output === 'done');
    await pay({ amount: PAN });
    await collector.until(({ output }) => output === 'mistake');
    await fetch(`${nodeRed.url}/device/list`, { method: 'POST' });
    const { msg: listed } = await collector.until(({ output }) => output === 'list');
    await fetch(`${nodeRed.url}/device/cardPan`, { method: 'POST' });
    await collector.until(({ msg }) => msg.payload.operation === 'cardPan' && msg.payload.outcome === 'completed');
    await collector.until(({ output, msg }) => output === 'callback-in' && msg.payload.operation === 'cardPan');
    // From here on the terminal is in doubt, and held.
    service.simulator.faults.arm({ kind: 'server-error-before', match: { endpoint: 'POST /transactions' } });
    await pay({ amount: '37.84' });
    await collector.until(({ msg }) => JSON.stringify(msg).includes('sending'));

    assert.ok(JSON.stringify(listed.payload).includes(SERIAL), 'the devices were listed');
    const admin = await Promise.all([
      read('operations'),
      ...collector.messages
        .filter(({ output }) => output === 'done' || output === 'cardPan')
        .map(({ msg }) => read(`operations/${msg.payload.operationId}`)),
      write('environments/environment/devices'),
      write('environments/environment/test'),
    ]);

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
      ['admin routes', admin.join('\n')],
      ['messages, statuses and errors', JSON.stringify(collector.messages)],
      ['callback-in', JSON.stringify(collector.messages.filter(({ output }) => output === 'callback-in').slice(-1))],
      ...journal.map((bytes): [string, Buffer] => ['journal', bytes]),
    ];
    for (const [place, text] of places) {
      for (const secret of [KEY, SECOND_KEY, CALLBACK_SECRET, PAN, SSK, token]) {
        // What the flow put into its own message, or asked for, stays in its message.
        if (place.startsWith('messages') && secret === PAN) continue;
        assert.ok(!text.includes(secret), `${secret} in the ${place}`);
      }
    }
  });
});

test('a stored card token, and a card number in a reference, reach the service and no journal', async () => {
  const service = await startService({ cardholder: { tapAfterMs: 5, card: { pan: PAN } } });
  const flow = await startFlow({
    service,
    more: [
      action('tokenise', 'payment-sale', typed('operation', 'saleAndTokenizeCard')),
      action('moto', 'payment-moto', { ...typed('customerReference', `order ${PAN}`) }),
      action('look', 'payment-status', typed('operation', 'journal')),
    ],
  });
  try {
    const { msg: stored } = await flow.run({ payload: { amount: '10.00' } }, 'tokenise');
    const token = String(stored.payload.card?.token);
    const { msg: paid } = await flow.run({ payload: { amount: '11.00', card: { token } } }, 'moto');
    assert.equal(paid.payload.outcome, 'approved');
    assert.equal(service.bank.entries().at(-1)?.customerReference, `order ${PAN}`);
    const { msg: seen } = await flow.run({ payload: { reference: paid.payload.transactionId } }, 'look');
    const journal = await bytesBelow(flow.folder);
    assert.ok(
      journal.some((bytes) => bytes.includes(paid.payload.operationId)),
      'the journal was looked into',
    );
    for (const secret of [token, PAN]) {
      assert.ok(!JSON.stringify(seen).includes(secret), `${secret} is told of the journal`);
      assert.ok(!journal.some((bytes) => bytes.includes(secret)), `${secret} is in the journal`);
    }
  } finally {
    await flow.stop();
    await service.stop();
  }
});

test('the receipt and the signature of a sale are in no journal, though its refund gets the whole result', async () => {
  const service = await startService();
  const flow = await startFlow({ service, more: [action('refund', 'payment-refund')] });
  try {
    const { msg } = await flow.run({ payload: { amount: '10.00' } });
    const { kind, value } = msg.payload.receipts.customer;
    assert.equal(kind, 'html');
    // A terminal may send the picture itself.
    msg.payload.signature = { kind: 'png', value: 'planted-signature' };
    const { output, msg: refunded } = await flow.run({ ...msg }, 'refund');
    assert.equal(output, 'done');
    const journal = await bytesBelow(flow.folder);
    assert.ok(
      journal.some((bytes) => bytes.includes(refunded.payload.operationId)),
      'the journal was looked into',
    );
    for (const body of [value.slice(0, 25), 'planted-signature']) {
      assert.ok(!journal.some((bytes) => bytes.includes(body)), `${body} is in the journal`);
    }
  } finally {
    await flow.stop();
    await service.stop();
  }
});

test('a card token from a property of any name is in no journal', async () => {
  const service = await startService();
  const from = { ...typed('how', 'token'), cardToken: 'storedCard', cardTokenType: 'msg' };
  const flow = await startFlow({
    service,
    more: [
      action('tokenise', 'payment-sale', typed('operation', 'saleAndTokenizeCard')),
      action('moto', 'payment-moto', from),
    ],
  });
  try {
    const { msg: stored } = await flow.run({ payload: { amount: '10.00' } }, 'tokenise');
    const storedCard = String(stored.payload.card?.token);
    const { output, msg } = await flow.run({ payload: { amount: '11.00' }, storedCard }, 'moto');
    assert.deepEqual([output, msg.storedCard], ['done', storedCard]);
    const journal = await bytesBelow(flow.folder);
    assert.ok(
      journal.some((bytes) => bytes.includes(msg.payload.operationId)),
      'the journal was looked into',
    );
    assert.ok(!journal.some((bytes) => bytes.includes(storedCard)), 'the token is in the journal');
  } finally {
    await flow.stop();
    await service.stop();
  }
});
