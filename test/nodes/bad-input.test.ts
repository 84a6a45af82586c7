import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BATCH, DEVICE } from './bad-input/batch-and-device.js';
import { STATUS, TIP, TOKEN } from './bad-input/follow-ups.js';
import { MOTO } from './bad-input/moto.js';
import { PREAUTH } from './bad-input/preauth.js';
import { REFUND } from './bad-input/refund.js';
import { REVERSAL } from './bad-input/reversal.js';
import type { BadInput } from './bad-input/row.js';
import { SALE } from './bad-input/sale.js';
import { action } from './flow.js';
import { FlowSuite } from './flow-suite.js';

const ALL: readonly BadInput[] = [SALE, REFUND, REVERSAL, MOTO, PREAUTH, TIP, TOKEN, BATCH, STATUS, DEVICE];
const ROWS = ALL.flatMap(({ type, also, rows }) =>
  rows.map(([msg, ...error]) => ({ type, msg: { ...also, ...msg }, error })),
);

describe('bad input', () => {
  const suite = new FlowSuite({ more: ALL.map(({ type, config }) => action(type, type, config)) });

  /** An environment asks once by itself which terminals its key opens. */
  function sent(): number {
    return suite.service.simulator.requests.latest().filter(({ path }) => !path.endsWith('/devices')).length;
  }

  test('there are two hundred rows, and more than one for each node', () => {
    assert.ok(ROWS.length >= 200, String(ROWS.length));
    for (const { type, rows } of ALL) assert.ok(rows.length > 5, type);
  });

  for (const { type, msg, error } of ROWS) {
    const [names, expects, got] = error;
    test(`${type}: ${JSON.stringify(msg).slice(0, 90)} names ${names}`, async () => {
      const count = suite.flow.answers().length;
      const requests = sent();
      suite.flow.send({ ...msg, order: count }, type);
      const { output, msg: caught } = await suite.flow.answer(count + 1);
      const { message, code } = caught.error as unknown as { message: string; code: string };
      assert.equal(output, 'mistake', JSON.stringify(caught.payload));
      assert.equal(code, 'INVALID_INPUT');
      assert.ok(message.slice(0, message.indexOf(': expected')).includes(names), message);
      assert.match(message, expects);
      assert.ok(message.includes(got), message);
      assert.deepEqual([caught.order, caught.payload], [count, msg.payload], 'the message is not as it was');
      assert.equal(sent(), requests, 'something was sent');
    });
  }

  test('each was caught once, and nothing of it was recorded', async () => {
    assert.equal(suite.flow.messages.length, ROWS.length);
    const engine = await suite.flow.environment().engine();
    assert.deepEqual(await engine.find({ terminal: '10000001' }), []);
  });

  test('a message that is right is paid by the same node', async () => {
    const count = suite.flow.answers().length;
    suite.flow.send({ ...SALE.also, payload: { amount: '1' } }, SALE.type);
    assert.equal((await suite.flow.answer(count + 1)).output, 'done');
  });
});
