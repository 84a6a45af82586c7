import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOddService, original } from '../../../harness/odd-service.js';

for (const amount of ['12.00', '1234.00', '9.00', '1000']) {
  test(`a reversal of a sale of 10.00 that is answered with ${amount} is told as what the chain shows`, async () => {
    const world = atOddService({
      answer: (request, serve) =>
        request.url.endsWith('/reversal')
          ? serve().then((got) => ({ ...got, body: JSON.stringify({ ...JSON.parse(got.body), amount }) }))
          : undefined,
    });
    const originalGuid = await original(world);
    const told = await world.after(world.backOffice({ operation: 'reversal', body: { originalGuid } }));
    assert.deepEqual([told.outcome, told.moneyMoved, told.amount?.total], ['refunded', 'yes', '10.00']);
    assert.equal(world.bank.netMoved(), 0);
  });
}
