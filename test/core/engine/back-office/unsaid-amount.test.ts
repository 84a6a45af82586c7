import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payments } from '../../../harness/payments.js';

/** A decline that only the status service could confirm, which does not answer. */
test('that nobody can say is told with what was asked for, whatever amount the doubtful decline named', async () => {
  const world = payments({
    engine: {
      send: async (request) => {
        if (request.url.endsWith('/reversal')) {
          const answer = {
            httpStatus: 200,
            finStatus: 'DECLINED',
            issuerResponseCode: '05',
            amount: '0.00',
            currency: 'EUR',
          };
          return { status: 200, body: JSON.stringify(answer) };
        }
        if (request.url.startsWith(world.simulator.statusUrl)) throw new Error('nobody answers');
        return world.simulator.send(request);
      },
    },
  });
  const { transactionId } = await world.after(world.sale());
  const body = { originalGuid: transactionId, amount: '10.00', currency: 'EUR' };
  const { outcome, amount } = await world.after(world.backOffice({ operation: 'reversal', body }));
  assert.deepEqual([outcome, amount?.requested, amount?.total], ['unknown', '10.00', '10.00']);
});
