import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Send } from '../../../../src/core/base/seams.js';
import { attemptReference } from '../../../../src/core/operation/attempt-reference.js';
import type { BackOfficeOrder } from '../../../../src/core/operation/back-office-order.js';
import { type Payments, payments } from '../../../harness/payments.js';

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

test('an approval is told with its amount and its code where the status service has it in progress again', async () => {
  const sold = { transactionID: 'a', type: 'SALE', requestedAmount: 1000 };
  const approved = { ...sold, finStatus: 'AUTHORISED', totalAmount: 1000, authorisationCode: '123456' };
  let posts = 0;
  let id = '';
  let ofFirst = { status: 503, body: '{}' };
  let ofSecond: object = approved;
  const send: Send = async ({ method, url }) => {
    if (method === 'POST') return ++posts === 1 ? { status: 429, body: '{}' } : { status: 202, body: '{' };
    if (!url.startsWith(world.simulator.statusUrl)) return { status: 204, body: '' };
    return url.includes(`/${id}/`) ? ofFirst : { status: 200, body: JSON.stringify(ofSecond) };
  };
  const world: Payments = payments({ engine: { send } });
  id = await world.sale();
  await world.clock.advance(2000);
  await world.callback(attemptReference(id, 2), approved);
  await world.clock.advance(15_000);
  ofSecond = { ...sold, finStatus: 'IN_PROGRESS', totalAmount: 0 };
  await world.untilTold();
  // Nothing shows of the first attempt, which was throttled, once somebody says so.
  ofFirst = { status: 404, body: JSON.stringify({ error: { statusCode: 404, name: 'NotFoundError' } }) };
  await world.untilTold(2);
  assert.deepEqual(
    world.told.map(({ payload }) => [payload.outcome, payload.amount?.total, payload.authorisationCode]),
    [
      ['provisional', '10.00', '123456'],
      ['approved', '10.00', '123456'],
    ],
  );
});
