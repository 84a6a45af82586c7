import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFlow, startService } from './flow.js';

test('callback-in listens once a deploy of modified nodes has removed the one that had its path', async (t) => {
  const service = await startService();
  const callbackIn = { z: 'tab', type: 'payment-callback-in', environment: 'environment', wires: [['results']] };
  const others = ['second', 'third'].map((id) => ({ id, ...callbackIn }));
  const flow = await startFlow({ service, more: others });
  t.after(async () => {
    await flow.stop();
    await service.stop();
  });
  const latest = (id: string): string | undefined => flow.said(id).statuses.at(-1);
  assert.deepEqual(['second', 'third'].map(latest), ['status.path-taken', 'status.path-taken']);
  await flow.redeploy((node) => (node.id === 'callback-in' ? undefined : node), 'nodes');
  assert.deepEqual(['second', 'third'].map(latest), ['status.listening', 'status.path-taken']);
  const { msg } = await flow.run({ payload: { amount: '10.00' } });
  assert.equal(msg.payload.source, 'callback');
  assert.equal(flow.said('third').errors.length, 1, 'the mistake is told once');
});
