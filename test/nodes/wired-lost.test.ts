import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { action, type Message, typed } from './flow.js';
import { FlowSuite } from './flow-suite.js';

/** A result that is wired straight into the next node, whose answer gets lost. */

const keyed = typed('how', 'keyed');

const NODES = [
  action('keyed-sale', 'payment-moto', { ...typed('operation', 'sale'), ...keyed }),
  action('keyed-hold', 'payment-moto', { ...typed('operation', 'preAuthorization'), ...keyed }),
  action('refund', 'payment-refund'),
  action('reversal', 'payment-reversal'),
  action('capture', 'payment-preauth', typed('operation', 'capture')),
  action('net', 'payment-status', typed('operation', 'net')),
];

describe('a result that is wired into the next node', () => {
  const suite = new FlowSuite({ more: NODES });
  let price = 7000;

  async function done(node: string | undefined, { payload, ...msg }: Record<string, unknown>): Promise<Message> {
    const left = await suite.flow.run({ ...msg, payload: structuredClone(payload) }, node);
    assert.equal(left.output, 'done', JSON.stringify(left.msg.payload.error ?? left.msg.error));
    return left.msg;
  }

  /** Of an amount of its own: the same twice within five minutes would ask the cardholder. */
  const paid = (node?: string): Promise<Message> => done(node, { payload: { amount: (++price / 100).toFixed(2) } });

  const CASES: [name: string, original: () => Promise<Message>, next: string, endpoint: string, sign: 1 | -1][] = [
    ['a keyed sale is reversed', () => paid('keyed-sale'), 'reversal', 'POST /reversal', -1],
    ['a keyed hold is captured', () => paid('keyed-hold'), 'capture', 'POST /preauthorization/capture', 1],
    ['a refund is reversed', async () => done('refund', await paid()), 'reversal', 'POST /reversal', 1],
  ];
  for (const [name, original, next, endpoint, sign] of CASES) {
    test(`${name}: the flow learns that the money moved`, async () => {
      const result = await original();
      const before = suite.service.bank.netMoved();
      suite.service.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint } });
      const { payload } = await done(next, { ...result });
      assert.equal(payload.moneyMoved, 'yes');
      assert.equal(suite.service.bank.netMoved() - before, sign * price);
      assert.equal(payload.amount?.minor.total, price);
    });
  }

  test('a refund is asked for its net amount: that of the payment it gave back', async () => {
    const refund = await done('refund', await paid());
    const { payload } = await done('net', { ...refund });
    assert.equal(payload.amount?.minor.total, 0);
  });
});
