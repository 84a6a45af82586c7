import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WATCH_GRACE, WATCH_LIMIT } from '../../../src/core/base/timings.js';
import { atOddService, type Entry, original } from '../../harness/odd-service.js';
import type { Payments } from '../../harness/payments.js';

/** The chain does not say whether a reversal released a hold, or gave back what another system had captured of it. */

const NO_AMOUNT = { amount: undefined, currency: undefined };
const WHERE = {
  'at the gateway': (world: Payments, originalGuid: string) =>
    world.after(world.backOffice({ operation: 'reversal', body: { originalGuid } })),
  'on the terminal': (world: Payments, originalTransactionId: string) =>
    world.after(world.sale({ operation: 'preAuthorizationReversal', originalTransactionId, ...NO_AMOUNT })),
} as const;
const typeless = (entry: Entry): Entry => (entry.type === 'PRE_AUTHORIZATION' ? { ...entry, type: '' } : entry);

for (const where of ['at the gateway', 'on the terminal'] as const) {
  test(`a person looks where the chain lists the hold without its type: reversed ${where}`, async () => {
    const world = atOddService({ list: (chain) => chain.map(typeless) });
    const hold = await original(world, 'preAuthorization');
    const { outcome, moneyMoved, error } = await WHERE[where](world, hold);
    assert.deepEqual([outcome, moneyMoved, error?.code], ['unknown', 'unknown', 'HOLD_OR_MONEY']);
    await world.clock.advance(WATCH_LIMIT + WATCH_GRACE);
    const end = world.told.slice(1).map(({ payload }) => [payload.moneyMoved, payload.final, payload.error?.code]);
    assert.deepEqual(end, [
      ['unknown', false, 'HOLD_OR_MONEY'],
      ['unknown', true, 'WATCH_ENDED'],
    ]);
  });
}

for (const type of ['REVERSAL', 'VOID_SALE']) {
  test(`a hold that was released moved no money, although the result of the terminal is a ${type}`, async () => {
    const world = atOddService({
      answer: (request, serve) =>
        request.url.includes('/transaction-result/')
          ? serve().then((got) => ({ ...got, body: got.body.replaceAll('PRE_AUTHORIZATION_REVERSAL', type) }))
          : undefined,
    });
    world.simulator.faults.arm({ kind: 'callback-lost', match: {}, times: 10 });
    const hold = await original(world, 'preAuthorization');
    const { outcome, moneyMoved, final } = await WHERE['on the terminal'](world, hold);
    assert.deepEqual([outcome, moneyMoved, final], ['completed', 'no', true]);
    assert.equal(world.bank.netHeld(), 0);
  });
}
