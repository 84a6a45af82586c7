import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUSY } from '../../../harness/approved-twice.js';
import { type Payments, payments } from '../../../harness/payments.js';
import { NOT_FOUND } from '../../../harness/two-attempts.js';

const DAY = 24 * 3_600_000;
const ACCEPTED = { status: 202, body: JSON.stringify({ transactionResultId: '10000001-77' }) };

for (const [operation, polled] of [
  ['moToSale', { status: 204, body: '' }],
  ['moToRefund', { status: 502, body: '<html>' }],
  ['moToPreAuthorization', NOT_FOUND],
] as const) {
  test(`a ${operation} is not asked for by the reference that the result of an earlier attempt named`, async () => {
    const attempts: string[] = [];
    const asked: string[] = [];
    const world: Payments = payments({
      engine: {
        send: async (http) => {
          const body = JSON.parse(http.body ?? '{}');
          asked.push(http.url);
          // The first attempt was repeated on its way: the repetition meets a busy terminal.
          if (body.operation === operation)
            return attempts.push(body.callbackUrl.split('/').at(-1)) === 1 ? BUSY : ACCEPTED;
          if (http.url.includes('/transaction-result/')) return polled;
          return world.simulator.send(http);
        },
      },
    });
    await world.sale({ operation }, { busyWaitMs: 60_000 });
    await world.clock.runUntil(() => attempts.length === 1, 10_000);
    await world.clock.advance(1);
    const cancelled = { type: 'MOTO', finStatus: 'CANCELLED', transactionReference: 'kept-by-the-service' };
    await world.callback(attempts[0] ?? '', cancelled);
    assert.ok(await world.clock.runUntil(() => attempts.length === 2, 60_000), 'the terminal is free: sent again');
    // What the second one charges, nobody says in time.
    await world.clock.advance(3 * DAY);
    assert.deepEqual(
      world.told.map(({ payload: { outcome, final, error } }) => [outcome, final, error?.code]),
      [
        ['unknown', false, 'OUTCOME_UNKNOWN'],
        ['unknown', true, 'WATCH_ENDED'],
      ],
    );
    const last = world.told.at(-1)?.payload;
    assert.deepEqual(last?.result, {}, 'what the first one was told is not about the second');
    assert.equal(asked.filter((url) => url.includes('kept-by-the-service')).length, 0);
  });
}
