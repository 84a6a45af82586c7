import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IdempotencyKeyReusedError } from '../../../../src/core/base/errors.js';
import { orderKey } from '../../../../src/core/operation/order-key.js';
import { original } from '../../../harness/odd-service.js';
import { NODE, payments } from '../../../harness/payments.js';

/** A capture, and a change of a hold, may leave out the currency: that of the hold counts. */

for (const [operation, body, other] of [
  ['preauthorization/capture', { capturedAmount: '2.00' }, { capturedAmount: '9.00' }],
  ['preauthorization/capture', { capturedAmount: '2.00' }, { capturedAmount: '2.00', tipAmount: '1.00' }],
  ['preauthorization/increase', { increaseAmount: '2.00' }, { increaseAmount: '9.00' }],
] as const) {
  test(`${operation} without a currency refuses its key to ${JSON.stringify(other)}`, async () => {
    const world = payments();
    const originalGuid = await original(world, 'preAuthorization');
    const submit = (amounts: object): Promise<string> => {
      const order = { operation, body: { originalGuid, ...amounts } } as Parameters<
        typeof world.engine.submitBackOffice
      >[0];
      return world.engine.submitBackOffice(order, { node: NODE, message: {}, key: orderKey('order 17', 'key') });
    };
    const first = await submit(body);
    await assert.rejects(submit(other), IdempotencyKeyReusedError);
    await submit(body);
    const { payload } = await world.untilTold(3);
    assert.deepEqual([payload.operationId, payload.repeated], [first, true]);
  });
}
