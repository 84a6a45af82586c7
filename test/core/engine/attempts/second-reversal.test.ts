import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import { THROTTLED } from '../../../harness/approved-twice.js';
import { type Payments, payments } from '../../../harness/payments.js';

const charge = { transactionID: 'first', finStatus: 'AUTHORISED', type: 'SALE', totalAmount: 1000, currency: 'EUR' };
const back = (totalAmount: number) => ({
  transactionID: 'back',
  originalEFTTransactionID: 'first',
  finStatus: 'AUTHORISED',
  type: totalAmount === 1000 ? 'REVERSAL' : 'REFUND',
  totalAmount,
  currency: 'EUR',
});

/**
 * Two attempts were charged, and the first goes back. The first try of that is lost, and each later one is refused as done before.
 * @param chain what the status service shows of that attempt by then
 */
async function refusedAsDone(code: string, chain: readonly object[]): Promise<unknown[]> {
  const references: string[] = [];
  let tries = 0;
  const refusal = { error: { statusCode: 400, name: 'BadRequestError', code } };
  const w: Payments = payments({
    engine: {
      send: async (request): Promise<HttpAnswer> => {
        const body = JSON.parse(request.body ?? '{}');
        if (body.operation === 'sale' && references.push(body.transactionReference) === 1) return THROTTLED;
        if (request.url.endsWith('/reversal'))
          return ++tries === 1 ? { status: 500, body: '' } : { status: 400, body: JSON.stringify(refusal) };
        if (tries > 0 && request.url.includes(`${references[0]}/status`))
          return { status: 200, body: JSON.stringify(chain) };
        return w.simulator.send(request);
      },
    },
  });
  await w.sale({}, { busyWaitMs: 60_000 });
  await w.untilTold();
  await w.callback(references[0] ?? '', { transactionID: 'first', finStatus: 'AUTHORISED', totalAmount: 1000 });
  await w.clock.advance(600_000);
  return w.late().map(([, , error]) => error);
}

for (const code of ['3051', '3052']) {
  test(`a second charge that another system has given back in part is not told as reversed, whatever ${code} says`, async () => {
    assert.deepEqual(await refusedAsDone(code, [charge, back(100)]), ['REVERSAL_UNPROVEN']);
  });

  test(`a second charge whose reversal was lost, and shows in its chain, is told as reversed after ${code}`, async () => {
    assert.deepEqual(await refusedAsDone(code, [charge, back(1000)]), ['SECOND_ATTEMPT_REVERSED']);
  });
}
