import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
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

/** A refund "order-2" of a sale "order-1", whose result is changed on its way. */
async function refundAnswered(change: (body: string) => string): Promise<ResultPayload> {
  let isRefund = false;
  const world: Payments = payments({
    callbacks: false,
    engine: {
      send: async (request): Promise<HttpAnswer> => {
        const answer = await world.simulator.send(request);
        const isResult = isRefund && answer.status === 200 && request.url.includes('/transaction-result/');
        return isResult ? { ...answer, body: change(answer.body) } : answer;
      },
    },
  });
  const { transactionId: originalTransactionId } = await world.after(world.sale({ customerReference: 'order-1' }));
  isRefund = true;
  return world.after(world.sale({ operation: 'refund', originalTransactionId, customerReference: 'order-2' }));
}

for (const [own, theirs] of [
  ['order-4711', 'order-4712'],
  ['order-10012', 'order-1001'],
  ['Table 12 / 10', 'Table 12 / 1'],
  ['2026 1 11', '2026 11 1'],
] as const) {
  test(`a keyed sale "${own}" is not told as declined by the result of "${theirs}"`, async () => {
    const world = withResultOfAnother({ ...THEIRS, finStatus: 'DECLINED', customerReference: theirs });
    const { outcome } = await world.after(world.sale({ operation: 'moToSale', customerReference: own }));
    assert.deepEqual([outcome, world.bank.netMoved()], ['approved', 1000]);
  });
}

for (const [kept, mark] of [
  ['trimmed', 'Order  4711'],
  ['in upper case', 'ORDER  4711'],
  ['with single spaces', 'Order 4711'],
] as const) {
  test(`a keyed sale is told by its own result where the service has kept its mark ${kept}`, async () => {
    const world = withResultOfAnother({ ...THEIRS, finStatus: 'DECLINED', customerReference: mark });
    const { outcome } = await world.after(world.sale({ operation: 'moToSale', customerReference: 'Order  4711 ' }));
    assert.equal(outcome, 'declined');
  });
}

test('a refund on the terminal is not told as declined by the result of another one', async () => {
  const foreign = { ...THEIRS, type: 'REFUND', finStatus: 'DECLINED', customerReference: 'order-9' };
  let isMixedUp = true;
  const { outcome } = await refundAnswered((body) => {
    const answer = isMixedUp ? JSON.stringify(foreign) : body;
    isMixedUp = false;
    return answer;
  });
  assert.equal(outcome, 'refunded');
});

test('a refund on the terminal is told by its own result where that names the mark of its sale', async () => {
  const { outcome } = await refundAnswered((body) => body.replace('order-2', 'order-1'));
  assert.equal(outcome, 'refunded');
});
