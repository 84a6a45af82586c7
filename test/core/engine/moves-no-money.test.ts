import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Send } from '../../../src/core/base/seams.js';
import type { Policies } from '../../../src/core/operation/order.js';
import { type Payments, payments } from '../../harness/payments.js';

/** A print, a loyalty card or a card to store stands in the way of a payment no longer than it has to. */

const SECOND = 1000;
const ID = 'result-1';
const OPERATIONS = [
  ['printReceipt', 30 * SECOND],
  ['cardPan', 90 * SECOND],
  ['tokenizeCard', 90 * SECOND],
] as const;
type Operation = (typeof OPERATIONS)[number][0];

/** A terminal that goes on until a stop ends it, where it obeys. */
function atWork({
  obeys = true,
  callbacks = false,
  result,
}: {
  obeys?: boolean;
  callbacks?: boolean;
  result?: object;
} = {}) {
  const shop = { isStopped: false, stops: [] as number[] };
  const send: Send = async (request) => {
    if (request.url.endsWith(`/transaction-result/${ID}`)) {
      const said = shop.isStopped ? { finStatus: 'CANCELLED', statusMessage: 'Stopped' } : result;
      return said === undefined ? { status: 204, body: '' } : { status: 200, body: JSON.stringify(said) };
    }
    const { operation } = JSON.parse(request.body ?? '{}');
    if (OPERATIONS.some(([name]) => name === operation)) {
      return { status: 202, body: JSON.stringify({ transactionResultId: ID }) };
    }
    if (operation !== 'stopCurrentTransaction') return world.simulator.send(request);
    shop.stops.push(world.clock.now() - from);
    if (!obeys) return { status: 400, body: JSON.stringify({ error: 1003, message: 'cannot be stopped now' }) };
    shop.isStopped = true;
    return { status: 202, body: JSON.stringify({ transactionResultId: 'stop-1' }) };
  };
  const world = payments({ engine: { send }, callbacks });
  const from = world.clock.now();
  return { world, shop, passed: () => world.clock.now() - from };
}

function ask(world: Payments, operation: Operation, policies: Partial<Policies> = {}): Promise<string> {
  const extras = operation === 'printReceipt' ? { receipt: '<p>Thank you</p>' } : {};
  return world.sale({ operation, amount: undefined, currency: undefined, ...extras }, policies);
}

for (const [operation, limit] of OPERATIONS) {
  for (const exclusiveTerminal of [true, false]) {
    const whose = exclusiveTerminal ? '' : ', where others use the terminal too,';
    test(`${operation} that hangs is stopped once${whose} and the sale behind it is paid`, async () => {
      const { world, shop, passed } = atWork();
      await ask(world, operation, { exclusiveTerminal });
      await world.sale({}, { exclusiveTerminal, busyWaitMs: limit + 60 * SECOND });
      const { exit, payload } = await world.untilTold(1, limit + SECOND);
      const { outcome, moneyMoved, retry, final } = payload;
      assert.deepEqual([exit, outcome, moneyMoved, retry, final], ['not-done', 'cancelled', 'no', 'safe', true]);
      assert.ok(passed() <= limit);
      assert.equal(shop.stops.length, 1);
      assert.ok((shop.stops[0] ?? 0) >= limit - 6 * SECOND, 'it has its time');
      assert.equal((await world.untilTold(2, 30 * SECOND)).payload.outcome, 'approved');
    });
  }

  test(`${operation} that no stop ends is told as unknown, and holds the queue no longer`, async () => {
    const { world, shop, passed } = atWork({ obeys: false });
    await ask(world, operation);
    await world.sale({}, { busyWaitMs: limit + 60 * SECOND });
    const { exit, payload } = await world.untilTold(1, limit + 2 * SECOND);
    const { outcome, moneyMoved, retry } = payload;
    assert.deepEqual([exit, outcome, moneyMoved, retry], ['needs-attention', 'unknown', 'no', 'safe']);
    assert.ok(passed() >= limit);
    assert.equal((await world.untilTold(2, 30 * SECOND)).payload.outcome, 'approved');
    assert.equal(shop.stops.length, 1, 'the sale is not stopped');
  });
}

test('a card that is read after the flow heard that nobody says is a late result, once', async () => {
  const { world } = atWork({ obeys: false, callbacks: true });
  const id = await ask(world, 'cardPan');
  await world.untilTold(1, 91 * SECOND);
  const result = { finStatus: 'PROCESSED', type: 'CARD_PAN', unMaskedPan: '6338850000000007' };
  for (const _twice of [1, 2]) await world.callback(id, result);
  await world.clock.advance(600 * SECOND);
  assert.equal(world.told.length, 1);
  assert.deepEqual(world.late(), [['done', 'completed', undefined]]);
});

for (const [operation] of OPERATIONS) {
  test(`${operation} that the terminal ends as failed is told so at once, and why`, async () => {
    const result = { finStatus: 'FAILED', errorMessage: 'Out of order' };
    const { world, shop } = atWork({ result });
    await ask(world, operation);
    const { exit, payload } = await world.untilTold(1, 6 * SECOND);
    const { outcome, moneyMoved, retry, final, error } = payload;
    assert.deepEqual([exit, outcome, moneyMoved, retry, final], ['not-done', 'failed', 'no', 'after-change', true]);
    assert.equal(error?.message, 'Out of order');
    assert.deepEqual(shop.stops, []);
  });
}
