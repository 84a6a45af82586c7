import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** An intermediary delivers the result of another payment, which a restored journal does not know. Its `customerReference` tells it apart. */

const THEIRS = {
  type: 'MOTO_SALE',
  transactionID: '11111111-1111-4111-8111-111111111111',
  transactionReference: '22222222-2222-4222-8222-222222222222',
  requestedAmount: 1000,
  totalAmount: 1000,
  currency: 'EUR',
};

/** The first poll for the result of a keyed sale gets another one; the service answers later ones. */
function withResultOfAnother(result: object): Payments {
  let isMixedUp = true;
  const world: Payments = payments({
    callbacks: false,
    simulator: { cardholder: { tapAfterMs: 20_000 } },
    engine: {
      send: async (request): Promise<HttpAnswer> => {
        const answer = await world.simulator.send(request);
        if (!isMixedUp || !request.url.includes('/transaction-result/')) return answer;
        isMixedUp = false;
        return { status: 200, body: JSON.stringify(result) };
      },
    },
  });
  return world;
}

test('a keyed sale is not told as declined by the result of another one', async () => {
  const world = withResultOfAnother({ ...THEIRS, finStatus: 'DECLINED', customerReference: 'order-4712' });
  const { outcome } = await world.after(world.sale({ operation: 'moToSale', customerReference: 'order-4711' }));
  assert.deepEqual([outcome, world.bank.netMoved()], ['approved', 1000]);
});

for (const [kept, mark] of [
  ['trimmed', 'Order  4711 of shop 12'],
  ['shortened', 'Order  4711 of '],
  ['in upper case', 'ORDER  4711 OF SHOP 12'],
  ['with single spaces', 'Order 4711 of shop 12'],
] as const) {
  test(`a keyed sale is told by its own result where the service has kept its mark ${kept}`, async () => {
    const world = withResultOfAnother({ ...THEIRS, finStatus: 'DECLINED', customerReference: mark });
    const order = { operation: 'moToSale', customerReference: 'Order  4711 of shop 12 ' } as const;
    const { outcome } = await world.after(world.sale(order));
    assert.equal(outcome, 'declined');
  });
}

test('a refund on the terminal is told by its own result where that names the mark of its sale', async () => {
  const world: Payments = payments({
    callbacks: false,
    engine: {
      send: async (request): Promise<HttpAnswer> => {
        const answer = await world.simulator.send(request);
        if (!request.url.includes('/transaction-result/')) return answer;
        return { ...answer, body: answer.body.replace('order-2', 'order-1') };
      },
    },
  });
  const { transactionId: originalTransactionId } = await world.after(world.sale({ customerReference: 'order-1' }));
  const refund = { operation: 'refund', originalTransactionId, customerReference: 'order-2' } as const;
  const { outcome } = await world.after(world.sale(refund));
  assert.equal(outcome, 'refunded');
});
