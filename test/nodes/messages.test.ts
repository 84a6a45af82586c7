import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { action, type Flow, type Service, startFlow, startService } from './flow.js';

/** Messages that other nodes have tampered with: each is paid for once, and answered once. */

const UNWRITABLE: [what: string, message: () => object][] = [
  ['frozen', () => Object.freeze({ _msgid: 'm1', payload: { amount: '10.00' }, order: 7 })],
  [
    'with a payload that only reads',
    () => Object.defineProperty({ _msgid: 'm1', order: 7 }, 'payload', { get: () => ({ amount: '10.00' }) }),
  ],
  [
    'with a property that throws, for two wires',
    () =>
      Object.defineProperty({ _msgid: 'm1', payload: { amount: '10.00' }, order: 7 }, 'broken', {
        enumerable: true,
        get() {
          throw new Error('not to be read');
        },
      }),
  ],
];

describe('a message', () => {
  let service: Service;
  let flow: Flow;

  before(async () => {
    service = await startService();
  });
  afterEach(() => flow.stop());
  after(() => service.stop());

  for (const [what, message] of UNWRITABLE) {
    test(`${what} is answered once, and so is the next one`, async () => {
      const before = service.bank.charges().length;
      flow = await startFlow({ service, sale: { wires: [['done', 'also-done'], [], []] }, more: [helperNode] });
      flow.send(message());
      const first = await flow.answer();
      flow.send({ payload: { amount: '11.00' } });
      const second = await flow.answer(2);
      assert.deepEqual(
        [first, second].map(({ output, msg }) => [output, msg.payload.amount?.total, msg.order]),
        [
          ['done', '10.00', 7],
          ['done', '11.00', undefined],
        ],
      );
      assert.equal(flow.answers().length, 2);
      assert.equal(service.bank.charges().length, before + 2);
      assert.deepEqual(flow.said('sale').errors, []);
    });
  }

  test('changed behind the sale leaves the one of callback-in as it was', async () => {
    flow = await startFlow({ service });
    flow.send({ payload: { amount: '12.00' } });
    const { msg } = await flow.answer();
    msg.payload.outcome = 'declined';
    Object.assign(msg.payload.terminal ?? {}, { serial_number: 'changed' });
    msg.payload.timeline.length = 0;
    assert.equal((await flow.result()).msg.payload.outcome, 'approved');
    const engine = await flow.access().engine();
    assert.equal((await engine.find({ terminal: '10000001' })).length, 1);
  });

  test('with a full card number is for the node that asked for it alone', async () => {
    const device = action('device', 'payment-device', { operation: 'cardPan', environment: undefined });
    flow = await startFlow({ service, more: [device] });
    flow.send({ payload: {} }, 'device');
    const { msg } = await flow.answer();
    assert.match(String(msg.payload.result.unMaskedPan), /^\d{13,19}$/);
    assert.equal((await flow.result()).msg.payload.result.unMaskedPan, '[redacted]');
  });
});

const helperNode = { id: 'also-done', z: 'tab', type: 'helper' };
