import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PendingOrder } from '../../src/nodes/runtime/pending-order.js';
import { shows } from '../harness/shows.js';
import { action, startFlow, startService } from './flow.js';

test('a message with cancel stops the payment while the card is awaited, and one that waits behind it', async () => {
  const service = await startService({ cardholder: 'none' });
  const flow = await startFlow({ service });
  const awaiting = shows(service.simulator.terminal('10000001'), 'awaiting-card');
  flow.send({ payload: { amount: '10.00' }, order: 1 });
  await awaiting;
  flow.send({ payload: { amount: '11.00' }, order: 2 });
  flow.send({ cancel: true });
  await flow.answer(2);
  const answers = flow.answers().map(({ output, msg }) => [msg.order, output, msg.payload.moneyMoved]);
  assert.deepEqual(answers.sort(), [
    [1, 'not-done', 'no'],
    [2, 'not-done', 'no'],
  ]);
  assert.equal(service.bank.netMoved(), 0);
  await flow.stop();
  await service.stop();
});

/** Two tills of one node: each message names its terminal. */
async function twoTills() {
  const service = await startService({ cardholder: 'none' });
  const flow = await startFlow({ service, more: [action('another-node', 'payment-sale')] });
  const at = (serial_number: string) => ({ serial_number, terminal_type: 'SIMULATEDT1' });
  const pay = async (order: number, serial: string, payload: object = {}): Promise<void> => {
    const awaiting = shows(service.simulator.terminal(serial), 'awaiting-card');
    flow.send({ payload: { amount: `1${order}.00`, ...payload }, order, terminal: at(serial) });
    await awaiting;
  };
  return { service, flow, pay, at };
}

test('two customers on two tills of one node: one cancels by key, only theirs ends', async () => {
  const { service, flow, pay } = await twoTills();
  await pay(1, '10000001', { idempotencyKey: 'order-1' });
  await pay(2, '10000002', { idempotencyKey: 'order-2' });
  flow.send({ cancel: 'order-1' });
  const first = await flow.answer();
  assert.deepEqual([first.msg.order, first.output, first.msg.payload.moneyMoved], [1, 'not-done', 'no']);
  assert.equal(service.simulator.terminal('10000002').screen.stage, 'awaiting-card');
  service.simulator.terminal('10000002').presentCard();
  const second = await flow.answer(2);
  assert.deepEqual([second.msg.order, second.msg.payload.outcome], [2, 'approved']);
  assert.equal(service.bank.netMoved(), 1200);
  await flow.stop();
  await service.stop();
});

for (const [how, target] of [
  ['its operationId', (operationId: string) => operationId],
  ['an object with its operationId', (operationId: string) => ({ operationId })],
  ['an object with its key', () => ({ idempotencyKey: 1 })],
  ['its terminal', () => ({ terminal: '10000001' })],
] as const) {
  test(`a payment is cancelled by ${how}, from another node, and the other till goes on`, async () => {
    const { service, flow, pay } = await twoTills();
    await pay(1, '10000001', { idempotencyKey: '1' });
    await pay(2, '10000002');
    const engine = await flow.environment().engine();
    const [record] = await engine.find({ terminal: '10000001' });
    flow.send({ cancel: target(record?.operationId ?? '') }, 'another-node');
    const { msg } = await flow.answer();
    assert.deepEqual([msg.order, msg.payload.outcome], [1, 'cancelled']);
    assert.equal(service.simulator.terminal('10000002').screen.stage, 'awaiting-card');
    await flow.stop();
    await service.stop();
  });
}

test('a cancel that reaches a repeat cancels the first, which both are told', async () => {
  const { service, flow, pay, at } = await twoTills();
  await pay(1, '10000001', { amount: '10.00', idempotencyKey: 'order' });
  const repeat = { payload: { amount: '10.00', idempotencyKey: 'order' }, order: 2, terminal: at('10000002') };
  flow.send(repeat, 'another-node');
  flow.send({ cancel: true }, 'another-node');
  await flow.answer(2);
  assert.deepEqual(
    flow.answers().map(({ msg }) => [msg.order, msg.payload.outcome, msg.payload.repeated === true]),
    [
      [1, 'cancelled', false],
      [2, 'cancelled', true],
    ],
  );
  await flow.stop();
  await service.stop();
});

test('a cancel starts no payment: unknown targets and odd values go to Catch, what has ended changes nothing', async () => {
  const service = await startService();
  const flow = await startFlow({ service });
  const { msg } = await flow.run({ payload: { amount: '10.00', idempotencyKey: 'order' } });
  const { operationId } = msg.payload;
  for (const cancel of ['nobody', { operationId: 'nobody' }, { idempotencyKey: 'nobody' }, { terminal: '4711' }]) {
    const { output, msg } = await flow.run({ payload: { amount: '10.00' }, cancel });
    assert.deepEqual([output, codeOf(msg.error)], ['mistake', 'CANCEL_TARGET_UNKNOWN'], JSON.stringify(cancel));
    assert.match(
      String((msg.error as { message?: string }).message),
      /of the environment "[^"]+", got "(nobody|4711)"/,
    );
  }
  const odd = [
    1,
    '',
    [],
    {},
    { order: 1 },
    { terminal: 1 },
    { operationId, terminal: '10000001' },
    { idempotencyKey: '' },
  ];
  for (const cancel of odd) {
    const { output, msg } = await flow.run({ payload: { amount: '10.00' }, cancel });
    assert.deepEqual([output, codeOf(msg.error)], ['mistake', 'INVALID_CANCEL'], JSON.stringify(cancel));
  }
  const heard = flow.answers().length;
  for (const cancel of [
    true,
    operationId,
    { operationId },
    'order',
    { idempotencyKey: 'order' },
    { terminal: '10000001' },
  ])
    flow.send({ payload: { amount: '10.00' }, cancel });
  for (const cancel of [false, null, undefined]) await flow.run({ payload: { amount: '10.00' }, cancel });
  assert.equal(flow.answers().length, heard + 3, 'three payments, and nothing of what had ended');
  assert.equal(service.bank.charges().length, 4);
  await flow.stop();
  await service.stop();
});

for (const type of ['payment-device', 'payment-status', 'payment-batch']) {
  test(`a cancel at ${type}, which starts no payment, goes to Catch: nobody waits for an answer in vain`, async () => {
    const service = await startService();
    const flow = await startFlow({ service, more: [action('asks', type)] });
    for (const cancel of [true, 'order', { terminal: '10000001' }]) {
      const { output, msg } = await flow.run({ payload: {}, cancel }, 'asks');
      assert.deepEqual([output, codeOf(msg.error)], ['mistake', 'INVALID_CANCEL'], JSON.stringify(cancel));
    }
    await flow.stop();
    await service.stop();
  });
}

test('a cancel right after the message that asks for it stops a card from being stored', async () => {
  const service = await startService({ cardholder: 'none' });
  const store = action('store', 'payment-token', { operation: 'tokenizeCard', operationType: 'str' });
  const flow = await startFlow({ service, more: [store] });
  flow.send({ payload: {} }, 'store');
  flow.send({ cancel: true }, 'store');
  const { output, msg } = await flow.answer();
  assert.deepEqual([output, msg.payload.outcome], ['not-done', 'cancelled']);
  await flow.stop();
  await service.stop();
});

test('a cancel stops the payment at once while a question to the status service hangs, and the next payment begins', async () => {
  const service = await startService({ cardholder: 'none' });
  const status = action('status', 'payment-status', { reference: 'reference', referenceType: 'msg' });
  const flow = await startFlow({ service, more: [status] });
  const awaiting = shows(service.simulator.terminal('10000001'), 'awaiting-card');
  flow.send({ payload: { amount: '10.00' }, order: 1 });
  await awaiting;
  const hanging = new Promise<void>((resolve) => {
    service.simulator.faults.decideBy(({ moment, endpoint }) => {
      if (moment !== 'answer' || endpoint !== 'GET /status') return undefined;
      resolve();
      return { kind: 'answer-delayed', ms: 60_000 };
    });
  });
  flow.send({ payload: {}, reference: '11111111-1111-4111-8111-111111111111', order: 2 }, 'status');
  await hanging;
  flow.send({ cancel: true });
  const next = { serial_number: '10000002', terminal_type: 'SIMULATEDT1' };
  const begun = shows(service.simulator.terminal('10000002'), 'awaiting-card');
  flow.send({ payload: { amount: '12.00' }, order: 3, terminal: next });
  const { msg } = await flow.answer();
  assert.deepEqual([msg.order, msg.payload.outcome], [1, 'cancelled']);
  await begun;
  assert.equal(flow.answers().length, 1);
  await flow.stop();
  await service.stop();
});

test('a cancel does not wait for more than a moment for a payment that is still being prepared', async () => {
  const service = await startService({ cardholder: 'none' });
  const flow = await startFlow({ service });
  const awaiting = shows(service.simulator.terminal('10000001'), 'awaiting-card');
  flow.send({ payload: { amount: '10.00' }, order: 1 });
  await awaiting;
  const { submissions } = flow.environment();
  const hanging = new PendingOrder();
  hanging.settled = new Promise(() => undefined);
  submissions.add(hanging);
  flow.send({ cancel: true });
  const { msg } = await flow.answer();
  assert.deepEqual([msg.order, msg.payload.outcome], [1, 'cancelled']);
  const begun = shows(service.simulator.terminal('10000002'), 'awaiting-card');
  const next = { serial_number: '10000002', terminal_type: 'SIMULATEDT1' };
  flow.send({ payload: { amount: '12.00' }, order: 2, terminal: next });
  await begun;
  await flow.stop();
  await service.stop();
});

test('a payment does not wait for ever for a cancel that came before it', async () => {
  const service = await startService({ cardholder: 'none' });
  const flow = await startFlow({ service });
  flow.environment().cancels.add(new Promise(() => undefined));
  const begun = shows(service.simulator.terminal('10000001'), 'awaiting-card');
  flow.send({ payload: { amount: '10.00' } });
  await begun;
  await flow.stop();
  await service.stop();
});

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code;
}
