import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProgressPayload } from '../../src/core/delivery/payload.js';
import { type Flow, startFlow, startService } from './flow.js';

const WITH_PROGRESS = { progress: true, outputs: 4, wires: [['done'], ['not-done'], ['needs-attention'], ['results']] };
const NO_CALLBACK_IN = { callbackIn: { wires: [[]] } };

const stages = (flow: Flow, order: number): string[] =>
  flow.messages
    .filter(({ output, msg }) => output === 'results' && msg.order === order)
    .map(({ msg }) => (msg.payload as unknown as ProgressPayload).stage);

test('a screen is told each stage of its own payment, and nothing after the result', async () => {
  const service = await startService({ cardholder: { tapAfterMs: 100 } });
  const flow = await startFlow({ service, sale: WITH_PROGRESS, ...NO_CALLBACK_IN });
  const res = { end: () => undefined };
  flow.send({ payload: { amount: '10.00', idempotencyKey: 'order-1' }, order: 1, req: { url: '/pay' }, res });
  flow.send({ payload: { amount: '11.00' }, order: 2 });
  await flow.answer(2);
  assert.deepEqual(stages(flow, 1), ['sending', 'waiting']);
  assert.deepEqual(stages(flow, 2), ['queued', 'sending', 'waiting']);
  const [first] = flow.messages;
  assert.ok(first);
  const { secondsLeft: _secondsLeft, ...payload } = first.msg.payload as unknown as ProgressPayload;
  const [{ msg: answer } = { msg: undefined }] = flow.answers();
  assert.deepEqual(payload, {
    operationId: answer?.payload.operationId,
    idempotencyKey: 'order-1',
    terminal: { serial_number: '10000001', terminal_type: 'SIMULATEDT1' },
    stage: 'sending',
  });
  assert.deepEqual(['req' in first.msg, 'res' in first.msg], [false, false]);
  assert.equal(answer?.res, res, 'the result goes on with the open request');
  const last = flow.messages.map(({ output, msg }) => [output, msg.order].join(' '));
  for (const order of [1, 2]) assert.ok(last.lastIndexOf(`results ${order}`) < last.indexOf(`done ${order}`));
  await flow.stop();
  await service.stop();
});

test('a mistake has no progress, and a node without the output tells none', async () => {
  const service = await startService();
  const flow = await startFlow({
    service,
    sale: { ...WITH_PROGRESS, progress: false },
    more: [{ ...WITH_PROGRESS, id: 'watched', z: 'tab', type: 'payment-sale', terminal: 'terminal' }],
    ...NO_CALLBACK_IN,
  });
  await flow.run({ payload: { amount: '10.00' }, order: 1 });
  await flow.run({ payload: { amount: 'ten' }, order: 2 }, 'watched');
  assert.deepEqual([...stages(flow, 1), ...stages(flow, 2)], []);
  await flow.stop();
  await service.stop();
});

test('a message that repeats an order is told its stages from when it joins', async () => {
  const service = await startService({ cardholder: 'none' });
  const flow = await startFlow({ service, sale: WITH_PROGRESS, ...NO_CALLBACK_IN });
  const order = { amount: '10.00', idempotencyKey: 'order-1' };
  flow.send({ payload: order, order: 1 });
  await flow.result(2);
  flow.send({ payload: order, order: 2 });
  await flow.result(3);
  service.simulator.terminal('10000001').presentCard();
  await flow.answer(2);
  assert.deepEqual(stages(flow, 1), ['sending', 'waiting']);
  assert.deepEqual(stages(flow, 2), ['waiting']);
  assert.deepEqual(
    flow.answers().map(({ msg }) => [msg.order, msg.payload.repeated === true]),
    [
      [1, false],
      [2, true],
    ],
  );
  await flow.stop();
  await service.stop();
});

test('a payment that is taken up after a redeploy tells what is new, on the message it came with', async () => {
  const service = await startService({ cardholder: 'none' });
  const flow = await startFlow({ service, sale: WITH_PROGRESS, ...NO_CALLBACK_IN });
  flow.send({ payload: { amount: '10.00' }, order: 1, socket: () => undefined });
  await flow.result(2);
  await flow.redeploy();
  flow.send({ cancel: true });
  await flow.answer();
  assert.equal(stages(flow, 1).at(-1), 'stopping');
  await flow.stop();
  await service.stop();
});
