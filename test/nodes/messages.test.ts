import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { environmentSettings } from '../../src/nodes/runtime/settings/environment-settings.js';
import { action, type Flow, type Service, startFlow, startService, typed } from './flow.js';

/** Messages that other nodes have tampered with: each is paid for once, and answered once. */

const UNWRITABLE: [what: string, message: () => object][] = [
  ['frozen', () => Object.freeze({ _msgid: 'm1', payload: { amount: '10.00' }, order: 7 })],
  [
    'with a payload that only reads',
    () => Object.defineProperty({ _msgid: 'm1', order: 7 }, 'payload', { get: () => ({ amount: '10.00' }) }),
  ],
  [
    'with a property that throws, for two wires',
    () => unreadable({ _msgid: 'm1', payload: { amount: '10.00' }, order: 7 }, 'broken'),
  ],
];

/** Node-RED copies a message for Catch, and fails with these. */
const UNCOPIABLE: [what: string, message: () => object, names: RegExp][] = [
  [
    'with a property that throws',
    () => unreadable({ payload: { amount: 'x' }, order: 7 }, 'broken'),
    /msg\.payload\.amount/,
  ],
  [
    'with a terminal that throws',
    () => unreadable({ payload: { amount: '1.00' }, order: 7 }, 'terminal'),
    /not to be read/,
  ],
  [
    'with a cancel that throws',
    () => unreadable({ payload: { amount: '1.00' }, order: 7 }, 'cancel'),
    /not to be read/,
  ],
  ['without a prototype', () => Object.assign(Object.create(null), { order: 7 }), /amount/],
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

  for (const [what, payload, expected] of [
    ['its result', { amount: '10.00' }, 'done'],
    ['its mistake', { amount: 'x' }, 'mistake'],
  ] as const) {
    test(`of an HTTP request that cannot be copied brings ${what} with the response that is to be answered`, async () => {
      flow = await startFlow({ service, sale: { wires: [['done'], [], []] } });
      const [req, res] = [{ url: '/pay' }, { end: () => 42 }];
      const { output, msg } = await flow.run(unreadable({ payload, order: 7, req, res }, 'broken'));
      assert.deepEqual([output, msg.order], [expected, 7]);
      assert.equal(msg.req, req);
      assert.equal(msg.res, res);
      assert.deepEqual(msg._dropped, ['broken']);
    });
  }

  test('that is frozen keeps all it carried', async () => {
    flow = await startFlow({ service });
    const res = { end: () => 42 };
    const image = Buffer.from('abc');
    const payload = { amount: '10.00' };
    const { output, msg } = await flow.run(Object.freeze({ _msgid: 'm1', payload, res, image, token: 'of the shop' }));
    assert.deepEqual([output, msg.payload.outcome, msg.image, msg.token], ['done', 'approved', image, 'of the shop']);
    assert.equal(msg.res, res);
  });

  test('that one object carries twice are told apart: one is declined, the other is paid', async () => {
    flow = await startFlow({ service });
    const message = { payload: { amount: '10.00' }, order: 7 };
    service.simulator.faults.arm({ kind: 'bank-declines' });
    flow.send(message);
    flow.send(message);
    await flow.answer(2);
    const told = flow.answers().map(({ output, msg }) => [output, msg.payload.outcome, msg.order]);
    assert.deepEqual(told, [
      ['not-done', 'declined', 7],
      ['done', 'approved', 7],
    ]);
    const [first, second] = flow.answers().map(({ msg }) => msg.payload.operationId);
    assert.notEqual(first, second);
  });

  test('that one object carries twice, and that cannot be read, are answered once each', async () => {
    flow = await startFlow({ service });
    const message = unreadable({ payload: { amount: '10.00' }, order: 7 }, 'broken');
    flow.send(message);
    flow.send(message);
    await flow.answer(2);
    assert.deepEqual(
      flow.answers().map(({ output }) => output),
      ['done', 'done'],
    );
  });

  test('whose payload takes no answer carries it none the less', async () => {
    flow = await startFlow({ service });
    const deaf = { get: () => ({ amount: '10.00' }), set: () => undefined, enumerable: true };
    flow.send(Object.defineProperty({ _msgid: 'm1', order: 7 }, 'payload', deaf));
    const { output, msg } = await flow.answer();
    assert.deepEqual([output, msg.payload.outcome, msg.order], ['done', 'approved', 7]);
  });

  for (const [what, message, names] of UNCOPIABLE) {
    test(`${what} goes to Catch once where it is a mistake, and the next one is paid`, async () => {
      flow = await startFlow({ service });
      flow.send(message());
      const { output, msg } = await flow.answer();
      const { message: text } = msg.error as { message: string };
      assert.deepEqual([output, msg.order], ['mistake', 7]);
      assert.match(text, names);
      flow.send({ payload: { amount: '11.00' } });
      assert.equal((await flow.answer(2)).output, 'done');
      assert.equal(flow.answers().length, 2);
    });
  }

  test('that cannot be copied goes to Catch once where the service finds the mistake', async () => {
    flow = await startFlow({ service, credentials: { apiKey: 'not-this-one' } });
    flow.send(unreadable({ payload: { amount: '10.00' }, order: 7 }, 'broken'));
    const { output, msg } = await flow.answer();
    assert.deepEqual([output, msg.order], ['mistake', 7]);
  });

  test('that Complete can have no copy of is answered once', async () => {
    const complete = { id: 'complete', z: 'tab', type: 'complete', scope: ['net'], wires: [[]] };
    const net = action('net', 'payment-status', { operation: 'journal', ...typed('reference', 'nothing') });
    flow = await startFlow({ service, more: [net, complete] });
    flow.send(unreadable({ order: 7 }, 'broken'), 'net');
    const { output, msg } = await flow.answer();
    assert.deepEqual([output, msg.order], ['not-done', 7]);
    flow.send({ payload: { amount: '11.00' } });
    assert.equal((await flow.answer(2)).output, 'done');
    assert.equal(flow.answers().length, 2);
  });

  test('that is a mistake is what the status below the node says, with its cause, after a payment too', async () => {
    flow = await startFlow({ service });
    await flow.run({ payload: { amount: '10.00' } });
    assert.equal((await flow.run({ payload: {} })).output, 'mistake');
    assert.equal(
      flow.said('sale').statuses.at(-1),
      'status.mistake: msg.payload.amount: got nothing, expected a decimal such as…',
    );
  });

  test('that was refused is told below the node with the reason', async () => {
    flow = await startFlow({ service });
    const terminal = { serial_number: '99999999', terminal_type: 'SIMULATEDT1' };
    assert.equal((await flow.run({ payload: { amount: '10.00' }, terminal })).output, 'not-done');
    assert.equal(flow.said('sale').statuses.at(-1), 'status.refused: terminal-not-assigned');
  });

  test('names its currency in small letters, or none on a simulator', async () => {
    flow = await startFlow({ service });
    const { msg } = await flow.run({ payload: { amount: '10.00', currency: 'usd' } });
    assert.equal(msg.payload.amount?.currency, 'USD');
    assert.equal(environmentSettings({ kind: 'simulator' }).currency, 'EUR');
    assert.equal(environmentSettings({ kind: 'simulator', currency: 'chf' }).currency, 'CHF');
    const demo = { kind: 'demo', baseUrl: 'https://a.example', statusUrl: 'https://a.example' };
    assert.equal(environmentSettings(demo, { apiKey: 'k' }).currency, '', 'real money has no preset');
  });

  test('changed behind the sale leaves the one of callback-in as it was', async () => {
    flow = await startFlow({ service });
    flow.send({ payload: { amount: '12.00' } });
    const { msg } = await flow.answer();
    msg.payload.outcome = 'declined';
    Object.assign(msg.payload.terminal ?? {}, { serial_number: 'changed' });
    msg.payload.timeline.length = 0;
    assert.equal((await flow.result()).msg.payload.outcome, 'approved');
    const engine = await flow.environment().engine();
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

function unreadable(message: object, property: string): object {
  return Object.defineProperty(message, property, {
    enumerable: true,
    get() {
      throw new Error('not to be read');
    },
  });
}

const helperNode = { id: 'also-done', z: 'tab', type: 'helper' };
