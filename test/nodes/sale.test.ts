import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Flow, type Message, type Service, startFlow, startService } from './flow.js';

const DECLINED = [
  ...['37.79', '37.84', '37.93', '61.65', '1.55', '1.65', '11.01', '11.02', '11.03', '11.04', '11.09', '11.10'],
  ...['11.11', '11.12', '11.14', '11.15', '11.16', '11.17', '11.18', '11.19'],
];

const TRIGGERS: [amount: string, output: string, outcome: string, moneyMoved: string, minor: number][] = [
  ['10.00', 'done', 'approved', 'yes', 1000],
  ['37.57', 'needs-attention', 'partial', 'partly', 1100],
  // Both sides say FAILED, which may still turn into an approval.
  ['37.68', 'needs-attention', 'failed', 'unknown', 0],
  ['37.41', 'needs-attention', 'failed', 'unknown', 0],
  ...DECLINED.map((amount): [string, string, string, string, number] => [amount, 'not-done', 'declined', 'no', 0]),
];

describe('payment-sale in a real runtime', () => {
  let service: Service;
  let flow: Flow;

  before(async () => {
    service = await startService();
    flow = await startFlow({ service });
  });
  after(async () => {
    await flow.stop();
    await service.stop();
  });

  /** Sends one message and waits for the one that comes of it. */
  async function pay(msg: object): Promise<{ output: string; msg: Message }> {
    const count = flow.answers().length;
    flow.send(msg);
    return flow.answer(count + 1);
  }

  for (const [amount, output, outcome, moneyMoved, minor] of TRIGGERS) {
    test(`${amount} EUR leaves by "${output}" as ${outcome}, and the ledger agrees`, async () => {
      const { output: left, msg } = await pay({ payload: { amount } });
      assert.deepEqual([left, msg.payload.outcome, msg.payload.moneyMoved], [output, outcome, moneyMoved]);
      assert.equal(service.bank.netMoved(msg.payload.reference), minor);
    });
  }

  test('the message keeps what it carried, live objects included', async () => {
    const live = { answer: () => 42 };
    const { msg } = await pay({ payload: { amount: 10 }, topic: 'till 1', order: { id: 4711 }, res: live });
    assert.equal(msg.topic, 'till 1');
    assert.deepEqual(msg.order, { id: 4711 });
    assert.equal(msg.res, live);
  });

  test('a message chooses another terminal', async () => {
    const terminal = { serial_number: '10000002', terminal_type: 'SIMULATEDT1' };
    const { msg } = await pay({ payload: { amount: '5.00' }, terminal });
    assert.deepEqual(msg.payload.terminal, terminal);
  });

  test('messages in a row are all paid, each once', async () => {
    const count = flow.answers().length;
    const charges = service.bank.charges().length;
    for (let sale = 0; sale < 5; sale++) flow.send({ payload: { amount: `7.0${sale}` } });
    await flow.answer(count + 5);
    assert.equal(service.bank.charges().length - charges, 5);
    assert.equal(flow.answers().length, count + 5);
  });

  test('callback-in emits every result once, and says that its node has it', async () => {
    const results = flow.messages.filter(({ output }) => output === 'results');
    const ids = results.map(({ msg }) => msg.payload.operationId);
    assert.ok(ids.length > 20);
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(results.every(({ msg }) => msg.claimed === true));
  });
});

test('a cancel at the terminal leaves by the second output', async () => {
  const service = await startService({
    cardholder: ({ stage }) => (stage === 'awaiting-card' ? { afterMs: 5, act: { do: 'cancel' } } : undefined),
  });
  const flow = await startFlow({ service });
  flow.send({ payload: { amount: '10.00' } });
  const { output, msg } = await flow.answer();
  assert.deepEqual([output, msg.payload.outcome], ['not-done', 'cancelled']);
  assert.equal(service.bank.netMoved(), 0);
  await flow.stop();
  await service.stop();
});
