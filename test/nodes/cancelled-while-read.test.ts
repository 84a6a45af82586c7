import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shows } from '../harness/shows.js';
import { action, type FlowOptions, startFlow, startService, typed } from './flow.js';
import { HELD_AMOUNT, heldContext } from './held-context.js';

/** A cancel that comes while a context store still looks for the amount of a payment. */

const PAYMENT = { payload: { idempotencyKey: 'order' }, order: 1 };

/** The amount of the payment is asked for, and the cancel has done what it can. */
async function cancelledWhileRead(cancel: unknown, options: Partial<FlowOptions> = {}, to = 'sale') {
  const service = await startService({ cardholder: 'none' });
  const flow = await startFlow({ service, sale: HELD_AMOUNT, ...options });
  const context = await heldContext();
  const asked = context.asked();
  flow.send(PAYMENT, to);
  await asked;
  flow.send({ cancel }, to);
  await Promise.all(flow.environment().cancels);
  const stop = async (): Promise<void> => {
    await flow.stop();
    await service.stop();
    await context.stop();
  };
  return { context, service, flow, stop };
}

for (const [by, cancel] of [
  ['its node', true],
  ['its key', { idempotencyKey: 'order' }],
  ['its key or id', 'order'],
  ['its terminal', { terminal: '10000001' }],
] as const) {
  test(`a payment that is cancelled by ${by} before its amount is known is told as cancelled`, async () => {
    const { context, service, flow, stop } = await cancelledWhileRead(cancel);
    context.answer('10.00');
    const { output, msg } = await flow.answer();
    assert.deepEqual([output, msg.order, msg.payload.outcome], ['not-done', 1, 'cancelled']);
    assert.equal(service.bank.netMoved(), 0);
    await stop();
  });
}

test('a sale without a terminal that is cancelled before its amount is known is not made', async () => {
  const card = { ...typed('cardToken', 'token'), ...HELD_AMOUNT };
  const moto = action('moto', 'payment-moto', card);
  const { context, service, flow, stop } = await cancelledWhileRead(true, { more: [moto] }, 'moto');
  context.answer('10.00');
  const { msg } = await flow.answer();
  assert.deepEqual([msg.order, msg.payload.outcome], [1, 'cancelled']);
  assert.equal(service.bank.netMoved(), 0);
  await stop();
});

for (const [what, cancel] of [
  ['another key', { idempotencyKey: 'another' }],
  ['another terminal', { terminal: '10000002' }],
  ['another operation', { operationId: 'another' }],
] as const) {
  test(`a cancel of ${what} leaves a payment alone whose amount is not known yet`, async () => {
    const { context, service, flow, stop } = await cancelledWhileRead(cancel);
    const awaiting = shows(service.simulator.terminal('10000001'), 'awaiting-card');
    context.answer('10.00');
    await awaiting;
    service.simulator.terminal('10000001').presentCard();
    const { msg } = await flow.answer();
    assert.deepEqual([msg.order, msg.payload.outcome], [1, 'approved']);
    await stop();
  });
}

test('a payment that comes after the cancel is made, however long the first one takes', async () => {
  const { context, service, flow, stop } = await cancelledWhileRead(true);
  const asked = context.asked(2);
  flow.send({ payload: {}, order: 2 });
  await asked;
  context.answer('10.00');
  await flow.answer();
  const awaiting = shows(service.simulator.terminal('10000001'), 'awaiting-card');
  context.answer('11.00');
  await awaiting;
  service.simulator.terminal('10000001').presentCard();
  const { msg } = await flow.answer(2);
  assert.deepEqual([msg.order, msg.payload.outcome], [2, 'approved']);
  assert.equal(service.bank.netMoved(), 1100);
  await stop();
});
