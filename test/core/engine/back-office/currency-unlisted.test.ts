import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOddService, original } from '../../../harness/odd-service.js';

/** The status service lists a payment without its currency, or with one that is no ISO 4217 code. */

for (const currency of [undefined, '', null, '978']) {
  const atService = () => atOddService({ list: (chain) => chain.map((entry) => ({ ...entry, currency })) });

  test(`a reversal of the whole that is answered is told as done: currency ${currency}`, async () => {
    const world = atService();
    const originalGuid = await original(world);
    await world.after(world.backOffice({ operation: 'reversal', body: { originalGuid } }));
    const { exit, payload } = world.told.at(-1) ?? assert.fail('nothing told');
    assert.deepEqual([exit, payload.outcome, payload.moneyMoved, payload.final], ['done', 'refunded', 'yes', true]);
    assert.equal(world.bank.netMoved(), 0);
  });

  test(`a capture without a currency whose answer was lost is for a person to look at: currency ${currency}`, async () => {
    const world = atService();
    const originalGuid = await original(world, 'preAuthorization');
    world.simulator.faults.arm({
      kind: 'answer-lost',
      match: { endpoint: 'POST /preauthorization/capture' },
      times: 1,
    });
    const { outcome, moneyMoved } = await world.after(
      world.backOffice({ operation: 'preauthorization/capture', body: { originalGuid, capturedAmount: '10.00' } }),
    );
    assert.deepEqual([outcome, moneyMoved], ['unknown', 'unknown'], 'nobody says how much was captured');
    assert.deepEqual(
      world.logged.filter((line) => line.startsWith('error')),
      [],
    );
  });
}
