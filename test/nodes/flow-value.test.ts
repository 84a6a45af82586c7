import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import type { Node, NodeAPI } from 'node-red';
import { flowValue } from '../../src/nodes/input/flow-value.js';
import { NODE_RED } from '../harness/node-red.js';

const { util } = createRequire(NODE_RED)('@node-red/util');

type Answer = (error: unknown, value: unknown) => void;

const AMOUNT = { text: 'amount', type: 'flow', source: 'flow.amount' };

/** Reads an amount from a context store that answers when the test says so. */
function amountInStore(): { amount: Promise<unknown>; answer: Answer } {
  const answers: Answer[] = [];
  const flow = { get: (_key: string, _store: string | undefined, answer: Answer) => void answers.push(answer) };
  const node = { context: () => ({ flow }) } as unknown as Node;
  const amount = Promise.resolve(flowValue({ util } as unknown as NodeAPI, node, AMOUNT, {}));
  return { amount, answer: (error, value) => answers[0]?.(error, value) };
}

test('a message does not wait for ever for a context store that never answers: Catch gets it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { amount, answer } = amountInStore();
  t.mock.timers.tick(10_000);
  await assert.rejects(amount, {
    code: 'INVALID_INPUT',
    message: 'flow.amount: expected a value that can be read (no answer within 10 s), got "amount"',
  });
  answer(null, '100');
});

test('a context store may take its time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { amount, answer } = amountInStore();
  t.mock.timers.tick(9_999);
  answer(null, '100');
  t.mock.timers.tick(10_000);
  assert.equal(await amount, '100');
});

const property = async (text: string, msg: object): Promise<unknown> =>
  flowValue({ util } as unknown as NodeAPI, {} as Node, { text, type: 'msg', source: `msg.${text}` }, msg);

test('a property that a message lacks is absent, however much of its path is missing', async () => {
  for (const text of ['amount', 'payload.amount', 'payload.order.amount', 'msg.payload.order.amount']) {
    assert.equal(await property(text, { payload: { order: null } }), undefined, text);
    assert.equal(await property(text, {}), undefined, text);
  }
});

test('a property that throws is an error, and not absent: a reversal without an amount is one of the whole payment', async () => {
  const payload = {
    get amount(): string {
      throw new TypeError('no order');
    },
  };
  await assert.rejects(property('payload.amount', { payload }), {
    code: 'INVALID_INPUT',
    message: 'msg.payload.amount: expected a value that can be read (no order), got "payload.amount"',
  });
});

test('a message does not wait for ever for a promise that it holds: Catch gets it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const amount = property('amount', { amount: new Promise(() => undefined) });
  t.mock.timers.tick(10_000);
  await assert.rejects(amount, {
    code: 'INVALID_INPUT',
    message: 'msg.amount: expected a value that can be read (no answer within 10 s), got "amount"',
  });
});

test('a context store that answers late with a promise is not awaited for ever', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { amount, answer } = amountInStore();
  answer(null, new Promise(() => undefined));
  for (let turns = 0; turns < 5; turns++) await Promise.resolve();
  t.mock.timers.tick(10_000);
  await assert.rejects(amount, { code: 'INVALID_INPUT' });
});

test('a promise may take its time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let keep: ((value: string) => void) | undefined;
  const amount = property('amount', {
    amount: new Promise((resolve) => {
      keep = resolve;
    }),
  });
  t.mock.timers.tick(9_999);
  keep?.('100');
  assert.equal(await amount, '100');
});

for (const [what, amount, problem] of [
  ['is broken', () => Promise.reject(new Error('no order')), 'no order'],
  ['is broken without a reason', () => Promise.reject(undefined), 'undefined'],
  [
    'cannot be looked at',
    () =>
      new Proxy(
        {},
        {
          get() {
            throw new Error('no then');
          },
        },
      ),
    'no then',
  ],
] as const) {
  test(`a promise that ${what} is an error with a code, which names the property`, async () => {
    await assert.rejects(property('amount', { amount: amount() }), {
      code: 'INVALID_INPUT',
      message: `msg.amount: expected a value that can be read (${problem}), got "amount"`,
    });
  });
}
