import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { startFlow, startService } from './flow.js';

/** Whoever else listens in Node-RED may throw: the flow hears the result all the same, and once. */

interface Helper {
  _events: NodeJS.EventEmitter;
  _NodePrototype: { metric(event?: string, ...rest: unknown[]): unknown };
}

const helper: Helper = createRequire(__filename)('node-red-node-test-helper');

test('a plugin that throws when it hears a status keeps no result from the flow', async (t) => {
  const service = await startService();
  const flow = await startFlow({ service });
  const plugin = ({ id }: { id: string }): void => {
    if (id === 'sale') throw new TypeError('a plugin');
  };
  helper._events.on('node-status', plugin);
  t.after(() => helper._events.off('node-status', plugin));
  const { output, msg } = await flow.run({ payload: { amount: '10.00' } });
  assert.deepEqual([output, msg.payload.outcome], ['done', 'approved']);
  await flow.redeploy();
  assert.equal(flow.answers().length, 1);
  assert.equal(service.bank.charges().length, 1);
  await flow.stop();
  await service.stop();
});

test('a result that a log of metrics keeps its node from sending is sent a second later, in its own message', async (t) => {
  const service = await startService();
  const flow = await startFlow({ service, callbackIn: { wires: [[]] } });
  const { metric } = helper._NodePrototype;
  t.after(() => {
    helper._NodePrototype.metric = metric;
  });
  let failures = 2;
  helper._NodePrototype.metric = function (this: { id: string }, event, ...rest) {
    if (event === 'send' && this.id === 'sale' && failures-- > 0) throw new Error('EPIPE');
    return metric.call(this, event, ...rest);
  };
  const res = { end: () => undefined };
  const { output, msg } = await flow.run({ payload: { amount: '10.00' }, res });
  assert.deepEqual([output, msg.payload.outcome, msg.res], ['done', 'approved', res]);
  assert.ok(failures < 1, 'it could not be sent twice');
  await flow.redeploy();
  assert.equal(flow.answers().length, 1);
  assert.equal(service.bank.charges().length, 1);
  await flow.stop();
  await service.stop();
});
