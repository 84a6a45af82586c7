import assert from 'node:assert/strict';
import { test } from 'node:test';
import { action, startFlow, startService, typed } from './flow.js';

/** Node.js warns of a leak when one signal has more listeners than this. */
const MOST_LISTENERS = 10;

test('a node that asks many questions at once makes Node.js warn of no leak', async (t) => {
  const warnings: string[] = [];
  const note = ({ message }: Error): number => warnings.push(message);
  process.on('warning', note);
  t.after(() => process.off('warning', note));
  const service = await startService();
  const flow = await startFlow({
    service,
    more: [action('list', 'payment-device', typed('operation', 'list'))],
  });
  const count = 2 * MOST_LISTENERS;
  for (let sent = 0; sent < count; sent++) flow.send({ payload: {} }, 'list');
  const { output } = await flow.answer(count);
  await flow.stop();
  await service.stop();
  assert.deepEqual([output, warnings], ['done', []]);
});
