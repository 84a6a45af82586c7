import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BackOfficeOrder } from '../../../../src/core/operation/back-office-order.js';
import { payments } from '../../../harness/payments.js';

/** The status service has a record, and does not say yet how it ended: that is no proof that there is none. */

const HOUR = 3_600_000;

type Body = (originalGuid: string) => BackOfficeOrder;

const ORDERS: [string, Body][] = [
  ['a reversal', (originalGuid) => ({ operation: 'reversal', body: { originalGuid } })],
  [
    'a refund',
    (originalGuid) => ({ operation: 'moto/refund', body: { originalGuid, amount: '1.50', currency: 'EUR' } }),
  ],
];

for (const [name, order] of ORDERS) {
  test(`${name} whose answer was lost is not called undone while its chain is in progress, and then gets its result`, async () => {
    const world = payments();
    const { transactionId } = await world.after(world.sale());
    const { operation } = order(transactionId);
    world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: `POST /${operation}` }, times: 100 });
    const operationId = await world.backOffice(order(transactionId));
    await world.clock.advance(20_000);
    world.simulator.faults.arm({ kind: 'status-in-progress', forMs: HOUR });
    await world.clock.advance(2 * HOUR);
    const results = world.told.filter(({ payload }) => payload.operationId === operationId);
    assert.deepEqual(
      results.map(({ payload }) => payload.outcome),
      ['unknown', 'refunded'],
    );
  });
}
