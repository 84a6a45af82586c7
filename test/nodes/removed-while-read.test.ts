import assert from 'node:assert/strict';
import { test } from 'node:test';
import { action, startFlow, startService } from './flow.js';
import { HELD_AMOUNT, heldContext } from './held-context.js';

/** A deploy takes a node away while a context store still looks for the amount of its message. */

const SUBFLOW = [
  { id: 'pay', type: 'subflow', name: 'Pay', in: [{ x: 1, y: 1, wires: [{ id: 'inner' }] }], out: [] },
  { ...action('inner', 'payment-sale', HELD_AMOUNT), z: 'pay', wires: [[], [], []] },
  action('instance', 'subflow:pay'),
];

type Change = (node: { id: string }) => object | undefined;

const without =
  (id: string): Change =>
  (node) =>
    node.id === id ? undefined : node;
const disabled =
  (id: string): Change =>
  (node) =>
    node.id === id ? { ...node, d: true } : node;

for (const [what, to, change, type] of [
  ['is removed', 'sale', without('sale'), 'full'],
  ['is disabled', 'sale', disabled('sale'), 'full'],
  ['is removed by a deploy of modified nodes', 'sale', without('sale'), 'nodes'],
  ['goes with its subflow', 'instance', without('instance'), 'full'],
  ['is disabled with its subflow', 'instance', disabled('instance'), 'full'],
] as const) {
  test(`a payment whose node ${what} before its amount is known is not made, and the log says so`, async () => {
    const service = await startService();
    const flow = await startFlow({ service, sale: HELD_AMOUNT, more: SUBFLOW });
    const context = await heldContext();
    const asked = context.asked();
    flow.send({ _msgid: 'lost', payload: {} }, to);
    await asked;
    const [order] = flow.environment().submissions;
    await flow.redeploy(change, type);
    context.answer('10.00');
    await order?.settled;
    const lost = flow
      .allErrors()
      .filter((text) => text.startsWith('message lost: its node was removed, and no money moved: '));
    assert.equal(lost.length, 1);
    assert.equal(service.bank.charges().length, 0);
    // A node with its id that comes later has nothing to do with it.
    const heard = flow.messages.length;
    await flow.redeploy();
    assert.equal(flow.messages.length, heard);
    await flow.stop();
    await service.stop();
    await context.stop();
  });
}
