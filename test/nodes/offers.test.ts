import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { action, type Flow, type Service, startFlow, startService } from './flow.js';

const typed = (name: string, value: string): object => ({ [name]: value, [`${name}Type`]: 'str' });

const PAYMENT = {
  transactionId: '0b5a4d5e-54ab-4f0c-9d2e-7c1f0d0c1a11',
  reference: '5f1c6a5e-93d7-4a3c-8a44-0f2d3f6b7a21',
  amount: '5.00',
  batch: '7',
  card: { token: 'stored' },
};

const NODES = [
  action('address', 'payment-sale', { billingZip: '12345' }),
  action('street', 'payment-sale', { billingAddress: 'High Street 1' }),
  action('remittance', 'payment-sale', { remittanceName: 'Jane Doe' }),
  action('country', 'payment-sale', typed('remittanceCountry', 'DEU')),
  action('tip', 'payment-tip'),
  action('part', 'payment-reversal', typed('whole', 'part')),
  action('token', 'payment-token', typed('operation', 'fetch')),
  action('moto', 'payment-moto', typed('operation', 'sale')),
  action('moto-refund', 'payment-moto', typed('operation', 'refund')),
  action('moto-address', 'payment-moto', { ...typed('how', 'keyed'), billingZip: '12345' }),
  action('close', 'payment-batch', typed('operation', 'close')),
  action('summary', 'payment-batch', typed('operation', 'summary')),
  action('detail', 'payment-batch', { operation: 'do', operationType: 'msg' }),
];

/** What a group has not: the node that asks for it, and how the error begins. */
const REFUSED: Record<'B' | 'E' | 'S', [node: string, error: string][]> = {
  B: [
    ['remittance', 'remittanceName: expected no money remittance'],
    ['country', 'remittanceCountry: expected no money remittance'],
  ],
  E: [
    ['address', 'billingZip: expected no address check'],
    ['street', 'billingAddress: expected no address check'],
    ['tip', 'msg.tip: expected no tip adjustment'],
    ['part', 'whole: expected no partial reversal'],
    ['token', 'operation: expected no token of an earlier payment'],
    ['moto-address', 'billingZip: expected no address check'],
    ['close', 'operation: expected no batch operation'],
    ['summary', 'operation: expected no batch operation'],
    ['detail', 'msg.do: expected no batch operation'],
  ],
  S: [
    ['address', 'billingZip: expected no address check'],
    ['remittance', 'remittanceName: expected no money remittance'],
    ['part', 'whole: expected no partial reversal'],
    ['token', 'operation: expected no token of an earlier payment'],
    ['moto', 'how: expected no payment with a stored token'],
    ['moto-refund', 'how: expected no payment with a stored token'],
    ['close', 'operation: expected no batch operation'],
  ],
};

for (const group of ['B', 'E', 'S'] as const) {
  describe(`a node of acquirer group ${group}`, () => {
    let service: Service;
    let flow: Flow;

    before(async () => {
      service = await startService({ merchants: [{ group }] });
      flow = await startFlow({ service, environment: { group }, more: NODES });
    });
    after(async () => {
      await flow.stop();
      await service.stop();
    });

    for (const [node, error] of REFUSED[group]) {
      test(`${node}: goes to Catch before anything is sent`, async () => {
        const count = flow.answers().length;
        flow.send({ payload: { ...PAYMENT }, tip: '1.00', do: 'detail' }, node);
        const { output, msg } = await flow.answer(count + 1);
        const caught = msg.error as unknown as { message: string; code: string };
        assert.equal(output, 'mistake', JSON.stringify(msg.payload));
        assert.equal(caught.code, 'INVALID_INPUT');
        assert.ok(caught.message.includes(error), caught.message);
        assert.ok(caught.message.includes(`which acquirer group ${group} does not support`), caught.message);
        assert.deepEqual(service.simulator.requests.latest(), []);
      });
    }
  });
}

describe('an environment that does not check its group', () => {
  let service: Service;
  let flow: Flow;

  before(async () => {
    service = await startService({ merchants: [{ group: 'E' }] });
    flow = await startFlow({ service, environment: { group: 'E', checkGroup: false }, more: NODES });
  });
  after(async () => {
    await flow.stop();
    await service.stop();
  });

  test('sends all the same, and tells what the service says', async () => {
    flow.send({ payload: {} }, 'close');
    const { output, msg } = await flow.answer();
    assert.equal(output, 'not-done', JSON.stringify(msg.payload));
    assert.equal(msg.payload.outcome, 'refused');
    assert.match(String(msg.payload.error?.message), /not offered|not supported|acquirer/i);
    assert.ok(service.simulator.requests.latest().some(({ path }) => path === '/batch/close'));
  });
});
