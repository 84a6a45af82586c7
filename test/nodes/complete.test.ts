import assert from 'node:assert/strict';
import { test } from 'node:test';
import { action, startFlow, startService } from './flow.js';

test('Complete of a node that is wired behind another one gets the answer of its own node', async (t) => {
  const service = await startService();
  const flow = await startFlow({
    service,
    sale: { wires: [['refund'], [], []] },
    callbackIn: { wires: [[]] },
    more: [
      action('refund', 'payment-refund'),
      { id: 'complete', z: 'tab', type: 'complete', scope: ['refund'], wires: [['results']] },
    ],
  });
  t.after(async () => {
    await flow.stop();
    await service.stop();
  });
  const { output, msg } = await flow.run({ payload: { amount: '10.00' } });
  const { msg: completed } = await flow.result();
  assert.equal(output, 'done');
  assert.equal(msg.payload.operation, 'refund');
  assert.deepEqual(completed.payload, msg.payload);
});
