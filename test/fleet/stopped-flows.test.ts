import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Collector } from '../harness/collector.js';
import { startNodeRed } from '../harness/node-red.js';
import { PATIENT } from '../harness/patient-clock.js';
import { polled } from '../harness/polled.js';
import { PostgresServer } from '../harness/postgres.js';
import { saleFlow } from '../harness/sale-flow.js';
import { startService } from '../nodes/flow.js';

let server: PostgresServer;

before(async () => {
  server = await PostgresServer.start();
});
after(() => server.end());

test('the log of stopped flows asks for a start of them unless another Node-RED that shares the journal runs them', async () => {
  const service = await startService({ cardholder: 'none', clock: PATIENT });
  const collector = new Collector();
  await collector.start();
  const nodeRed = await startNodeRed({
    flows: [
      ...saleFlow(service, collector.url, { journal: 'journal' }),
      { id: 'journal', type: 'payment-journal', store: 'postgresql' },
    ],
    credentials: { environment: { apiKey: 'simulator' }, journal: { address: await server.newDatabase() } },
    settings: { runtimeState: { enabled: true } },
  });
  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${nodeRed.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  try {
    const isPolled = polled(service.simulator);
    await post('/pay', { amount: '10.00', order: 1 });
    await isPolled;
    await post('/flows/state', { state: 'stop' });
    await nodeRed.printed(/nobody here follows them.*[0-9a-f-]{36}$/m);
    assert.match(
      nodeRed.output(),
      /: start them, unless another Node-RED that shares the journal runs them, and its nodes/,
    );
  } finally {
    await nodeRed.kill();
    collector.stop();
    await service.stop();
  }
});
