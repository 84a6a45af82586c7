import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFlow, startService } from './flow.js';

/** Node-RED copies a message for every wire but the first; the journal holds all of these. */
const UNCOPIABLE: [what: string, extra: () => unknown][] = [
  ['bytes that a worker has taken over', takenOver],
  ['an object with JSON of its own and a property that throws', () => throwing({ toJSON: () => ({ id: 1 }) })],
];

for (const [what, extra] of UNCOPIABLE) {
  test(`the result of a message with ${what} arrives along both wires`, async (t) => {
    const service = await startService();
    const sale = { wires: [['done', 'results'], [], []] };
    const flow = await startFlow({ service, callbackIn: { wires: [[]] }, sale });
    t.after(async () => {
      await flow.stop();
      await service.stop();
    });
    await flow.run({ payload: { amount: '10.00' }, order: 1, extra: extra() });
    // Whatever comes of the first message has come before what comes of the next one.
    await flow.run({ payload: { amount: '11.00' }, order: 2 });
    const first = flow.messages.filter(({ msg }) => msg.order === 1);
    assert.deepEqual(
      first.map(({ output, msg }) => [output, msg.payload.outcome]),
      [
        ['done', 'approved'],
        ['results', 'approved'],
      ],
    );
    assert.equal(service.bank.charges().length, 2);
  });
}

test('a message that can be copied once and no more reaches every wire, marked where it may have left before', async (t) => {
  const service = await startService();
  const complete = { id: 'complete', z: 'tab', type: 'complete', scope: ['sale'], wires: [[]] };
  const sale = { wires: [['done', 'results'], [], []] };
  const flow = await startFlow({ service, callbackIn: { wires: [[]] }, sale, more: [complete] });
  t.after(async () => {
    await flow.stop();
    await service.stop();
  });
  let copies = 0;
  const message: { payload: { amount: string; outcome?: string } } = { payload: { amount: '10.00' } };
  Object.defineProperty(message, 'fickle', {
    enumerable: true,
    get() {
      if (message.payload.outcome !== undefined && ++copies > 1) throw new Error('not to be read');
    },
  });
  flow.send(message);
  await flow.result();
  assert.deepEqual(
    flow.messages.map(({ output, msg }) => [output, msg.payload.outcome, msg.payload.redelivered]),
    [
      ['done', 'approved', undefined],
      ['done', 'approved', true],
      ['results', 'approved', true],
    ],
  );
  assert.match(flow.said('sale').warnings.join(), /could not be copied for Complete nodes/);
});

function takenOver(): Uint8Array {
  const bytes = new Uint8Array([1, 2, 3]);
  structuredClone(bytes, { transfer: [bytes.buffer] });
  return bytes;
}

function throwing(object: object): object {
  return Object.defineProperty(object, 'lazy', {
    enumerable: true,
    get() {
      throw new Error('not loaded');
    },
  });
}
