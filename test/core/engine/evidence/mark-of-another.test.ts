import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOddService, CUT, type Entry, original } from '../../../harness/odd-service.js';

/** The mark that the flow gives a payment, such as the number of an order, another point of sale may give its own. */

const customerReference = 'order-4711';

for (const lateApproval of ['reverse', 'report'] as const) {
  test(`a refund on the terminal that never arrived, beside one of another point of sale for the same order, is left to a person: policy "${lateApproval}"`, async () => {
    const world = atOddService({
      answer: ({ url, body = '{}' }) =>
        url.endsWith('/transactions') && JSON.parse(body).operation === 'refund' ? Promise.resolve(CUT) : undefined,
      list: (chain: Entry[]) =>
        chain.map((entry) => (entry.customerReference === 'other-system' ? { ...entry, customerReference } : entry)),
    });
    const originalTransactionId = await original(world);
    assert.ok(world.simulator.other.refund(originalTransactionId, 400));
    await world.clock.advance(3_600_000);
    const request = { operation: 'refund', originalTransactionId, amount: '400', customerReference } as const;
    await world.after(world.sale(request, { lateApproval }));
    await world.clock.advance(72 * 3_600_000);
    assert.equal(world.bank.netMoved(), 600, 'the refund of the other one stands');
    const refund = world.told.filter(({ payload }) => payload.operation === 'refund');
    assert.deepEqual(
      refund.map(({ payload }) => payload.outcome),
      ['provisional', 'unknown'],
    );
  });
}
