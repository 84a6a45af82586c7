import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ProgressPayload, ResultPayload } from '../../src/core/delivery/payload.js';
import { action, startFlow, startService } from './flow.js';
import { FlowSuite } from './flow-suite.js';

/** As a flow does that prepares a result for a receipt printer or a screen. */
function edit({ amount, receipts, error, timeline, result }: ResultPayload): void {
  Object.assign(amount ?? {}, { total: '10,00 €' });
  Object.assign(amount?.minor ?? {}, { total: 1 });
  Object.assign(receipts.customer, { value: 'printed' });
  Object.assign(error ?? {}, { code: 'ABGELEHNT' });
  Object.assign(timeline[0] ?? {}, { event: 'edited' });
  Object.assign(result, { finStatus: 'EDITED' });
}

describe('a flow that edits a result and asks for the same order again', () => {
  const suite = new FlowSuite({
    callbackIn: { wires: [[]] },
    more: [action('patient', 'payment-sale', { repeatUnsuccessful: 'true', repeatUnsuccessfulType: 'bool' })],
  });

  for (const [outcome, amount] of [
    ['approved', '10.00'],
    ['declined', '37.84'],
  ] as const) {
    test(`is told what was true: ${outcome}`, async () => {
      const order = { amount, idempotencyKey: outcome };
      const first = await suite.flow.run({ payload: order }, 'patient');
      const told = structuredClone(first.msg.payload);
      assert.equal(told.outcome, outcome);
      edit(first.msg.payload);
      const { msg } = await suite.flow.run({ payload: order }, 'patient');
      for (const name of ['amount', 'receipts', 'error', 'timeline', 'result'] as const) {
        assert.deepEqual(msg.payload[name], told[name], name);
      }
    });
  }

  test('does not change the message that callback-in has of the journal', async () => {
    const { flow } = suite;
    const engine = await flow.environment().engine();
    const events: object[] = [];
    const unsubscribe = engine.subscribe(({ delivery }) => events.push(delivery.origin.message) > 0);
    await flow.redeploy((node) => (node.id === 'callback-in' ? { ...node, wires: [['results']] } : node), 'nodes');
    await flow.run({ payload: { amount: '11.00' }, basket: { lines: ['tea'] } });
    const { msg } = await flow.result();
    Object.assign(msg.basket as object, { lines: [] });
    unsubscribe();
    assert.deepEqual((events as [{ basket: object }])[0].basket, { lines: ['tea'] });
  });
});

test('a flow that edits a stage does not change the one that another message of its order is told', async (t) => {
  const service = await startService({ cardholder: 'none' });
  const sale = { progress: true, outputs: 4, wires: [['done'], ['not-done'], ['needs-attention'], ['results']] };
  const flow = await startFlow({ service, sale, callbackIn: { wires: [[]] } });
  t.after(async () => {
    await flow.stop();
    await service.stop();
  });
  const order = { amount: '10.00', idempotencyKey: 'order-1' };
  for (const count of [2, 3]) {
    flow.send({ payload: order });
    await flow.result(count);
  }
  flow.send({ cancel: true });
  await flow.answer(2);
  const stopping = flow.messages
    .map(({ msg }) => msg.payload as unknown as ProgressPayload)
    .filter(({ stage }) => stage === 'stopping');
  assert.equal(stopping.length, 2);
  assert.notEqual(stopping[0]?.terminal, stopping[1]?.terminal);
});
