import assert from 'node:assert/strict';
import { test } from 'node:test';
import { action, startFlow, startService, typed } from './flow.js';

/** More than so many listeners of one signal Node.js takes for a leak, and warns of it once. */
const MOST_LISTENERS = 10;

test('a node that asks many questions at once does not look like a leak', async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error): number => warnings.push(message);
  process.on('warning', note);
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
  process.off('warning', note);
  assert.deepEqual([output, warnings], ['done', []]);
});
