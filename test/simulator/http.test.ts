import assert from 'node:assert/strict';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { after, before, test } from 'node:test';
import { systemClock } from '../../src/core/platform/system-clock.js';
import { type ServedSimulator, serveSimulator } from '../../src/simulator/http.js';
import { DEFAULT_KEY, Simulator, seededIds, seededRandom } from '../../src/simulator/index.js';
import type { Json } from '../harness/simulated.js';

const random = seededRandom(7);
const newId = seededIds(random);
const PAN = '4111110000091111';
let simulator: Simulator;
let served: ServedSimulator;

before(async () => {
  const timings = { toGatewayMs: 1, fromGatewayMs: 1 };
  const deliver = async () => ({ status: 200, body: '' });
  simulator = new Simulator({
    clock: systemClock,
    random,
    newId,
    deliver,
    requestsPerSecond: 0,
    cardholder: 'none',
    timings,
  });
  served = await serveSimulator(simulator);
});
after(() => served.close());

async function api(method: string, path: string, body?: unknown, key = DEFAULT_KEY) {
  const response = await fetch(`${served.baseUrl}${path}`, {
    method,
    headers: { apiKEYcloud: key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

async function control(method: string, path: string, body?: unknown): Promise<{ status: number; json: Json }> {
  const response = await fetch(`${served.url}/simulator/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as Json };
}

const sale = (more: Json = {}): Json => ({
  operation: 'sale',
  serial_number: '10000001',
  terminal_type: 'SIMULATEDT1',
  amount: '1000',
  currency: 'EUR',
  transactionReference: newId(),
  ...more,
});

/** Resolves when the terminal next shows this stage. */
function shows(stage: string): Promise<void> {
  const terminal = simulator.terminal('10000001');
  return new Promise((resolve) => {
    const leave = terminal.subscribe((screen) => {
      if (screen.stage !== stage) return;
      leave();
      resolve();
    });
  });
}

test('serves a sale over a port, with the card presented through the control endpoint', async () => {
  const body = sale({ token: 'callback-secret' });
  const accepted = await api('POST', '/transactions', body);
  assert.equal(accepted.status, 202, accepted.text);
  const { transactionResultId } = JSON.parse(accepted.text) as { transactionResultId: string };
  const pending = await api('GET', `/transaction-result/${transactionResultId}`);
  assert.deepEqual([pending.status, pending.text], [204, '']);

  const shown = await control('GET', 'terminals/10000001');
  assert.equal((shown.json.screen as Json).stage, 'awaiting-card');
  const wrong = await control('POST', 'terminals/10000001', { do: 'sign' });
  assert.equal(wrong.status, 409);
  const done = shows('idle');
  assert.equal(
    (await control('POST', 'terminals/10000001', { do: 'present-card', card: { last4: '4242' } })).status,
    200,
  );
  await done;

  const polled = await api('GET', `/transaction-result/${transactionResultId}`);
  assert.equal((JSON.parse(polled.text) as Json).maskedCardNumber, '************4242');
  const ledger = await control('GET', `ledger?id=${String(body.transactionReference)}`);
  assert.deepEqual([ledger.json.charges, ledger.json.netMoved], [1, 1000]);
  const status = await fetch(`${served.statusUrl}/transactions/${String(body.transactionReference)}/status`, {
    headers: { ApiKeyCloud: DEFAULT_KEY },
  });
  assert.equal(status.status, 200);
});

test('shows no secret and no whole card number in its log, ledger or terminals', async () => {
  const done = shows('idle');
  await api('POST', '/transactions', sale({ token: 'callback-secret', amount: '1234' }));
  simulator.terminal('10000001').presentCard({ pan: PAN });
  await done;
  const seen: string[] = [];
  for (const path of ['requests', 'ledger', 'terminals', 'faults', 'variants']) {
    seen.push(JSON.stringify((await control('GET', path)).json));
  }
  assert.match(seen[0] ?? '', /"token":"\[redacted\]"/);
  for (const text of seen) {
    assert.ok(!text.includes('callback-secret') && !text.includes(PAN) && !text.includes(DEFAULT_KEY));
  }
});

test('breaks the connection for a lost answer, and acts before it', async () => {
  assert.equal((await control('POST', 'faults', { kind: 'answer-lost' })).status, 200);
  const body = sale({ amount: '2500' });
  await assert.rejects(api('POST', '/transactions', body));
  const done = shows('idle');
  simulator.terminal('10000001').presentCard();
  await done;
  assert.equal(simulator.bank.charges(String(body.transactionReference)).length, 1);
  assert.deepEqual((await control('GET', 'faults')).json.struck, { 'answer-lost': 1 });
});

test('refuses a wrong key, an unknown path and a body that is too long', async () => {
  assert.equal((await api('GET', '/devices', undefined, 'wrong')).status, 403);
  assert.equal((await api('GET', '/nowhere')).status, 404);
  assert.equal((await fetch(`${served.url}/nowhere`)).status, 404);
  assert.equal((await api('POST', '/transactions', { pad: 'x'.repeat(1_100_000) })).status, 413);
});

test('refuses control bodies that mean nothing', async () => {
  for (const [path, body] of [
    ['faults', { kind: 'no-such-fault' }],
    ['terminals/10000001', { do: 'dance' }],
    ['terminals/10000001', { do: 'present-card', card: { pan: PAN } }],
    ['variants', { timestamps: 'roman' }],
    ['variants', { noSuch: true }],
  ] as const) {
    assert.equal((await control('POST', path, body)).status, 422, path);
  }
  assert.equal((await control('GET', 'terminals/1')).status, 404);
});

test('serves the receipts that results point to', async () => {
  assert.equal((await control('POST', 'variants', { receipts: 'url' })).status, 200);
  const done = shows('idle');
  const accepted = JSON.parse((await api('POST', '/transactions', sale({ amount: '777' }))).text) as Json;
  simulator.terminal('10000001').presentCard();
  await done;
  const polled = JSON.parse((await api('GET', `/transaction-result/${String(accepted.transactionResultId)}`)).text);
  const receipt = await fetch((polled as { customerReceipt: string }).customerReceipt);
  assert.equal(receipt.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(await receipt.text(), /EUR 7\.77/);
});

test('a body that is nested too deeply to be read is answered, and shows as unreadable', async () => {
  const deep = `${'['.repeat(300_000)}${']'.repeat(300_000)}`;
  const { status } = await fetch(`${served.baseUrl}/transactions`, { method: 'POST', body: deep });
  assert.equal(status, 403);
  const requests = (await control('GET', 'requests')).json as unknown as { body: unknown }[];
  assert.equal(requests.at(-1)?.body, '[unreadable]');
});

/** Node's own fetch sets neither of some headers. */
function statusOf(path: string, headers: OutgoingHttpHeaders, method = 'GET'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(served.url);
    request({ hostname, port, path, method, headers }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end(method === 'POST' ? '{}' : undefined);
  });
}

test('no page of another site, and none by a host name of its own, controls the simulator or looks at it', async () => {
  const { host } = new URL(served.url);
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://shop.example' },
    { origin: 'null' },
    { host: 'shop.example' },
  ];
  for (const headers of foreign) {
    assert.equal(await statusOf('/simulator/view', headers), 403, JSON.stringify(headers));
    assert.equal(await statusOf('/simulator/faults/clear', headers, 'POST'), 403, JSON.stringify(headers));
  }
  const proxied = { 'sec-fetch-site': 'same-origin', origin: 'https://terminal.example' };
  const own = [{}, { origin: `http://${host}` }, { host: `localhost:${served.port}` }, proxied];
  for (const headers of own) assert.equal(await statusOf('/simulator/view', headers), 200, JSON.stringify(headers));
  assert.equal(await statusOf('/terminal/', { host: 'shop.example', 'sec-fetch-site': 'cross-site' }), 200);
});

test('where others may connect, they may do so by a host name', async (t) => {
  const open = await serveSimulator(simulator, { host: '0.0.0.0' });
  t.after(async () => {
    await open.close();
    simulator.publicUrl = served.baseUrl;
  });
  const status = await new Promise((resolve, reject) => {
    const { port } = open;
    request({ port, path: '/simulator/faults', headers: { host: 'simulator:8090' } }, (response) =>
      resolve(response.resume().statusCode),
    )
      .on('error', reject)
      .end();
  });
  assert.equal(status, 200);
});
