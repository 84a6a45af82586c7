import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CutProxy } from '../harness/cut-proxy.js';
import { PostgresServer } from '../harness/postgres.js';
import { startFlow, startService } from '../nodes/flow.js';

test('the status of the environment says that the database is away, before any payment does, and that it is back', async () => {
  const server = await PostgresServer.start();
  const proxy = await CutProxy.before(server.port);
  const address = new URL(await server.newDatabase());
  address.port = String(proxy.port);
  const service = await startService();
  const flow = await startFlow({ service, database: address.href });
  try {
    await flow.status('environment', 'status.recording');
    await proxy.takeAway();
    await flow.status('environment', 'status.journal-unusable');
    await proxy.bringBack();
    await flow.status('environment', 'status.recording');
    for (const error of flow.said('environment').errors) assert.match(error, /the database 127.0.0.1/);
    const { output, msg } = await flow.run({ payload: { amount: '1.00', currency: 'EUR' } });
    assert.deepEqual([output, msg.payload.outcome], ['done', 'approved']);
  } finally {
    await flow.stop();
    await service.stop();
    await proxy.takeAway();
    await server.end();
  }
});
