import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payments } from '../../../harness/payments.js';

/** A sale may store the card as well, and the description does not say by which of its two types it goes then. */

for (const tokenizedSale of ['by-operation', 'SALE', 'SALE_AND_TOKENIZE_CARD'] as const)
  for (const request of [{ tokenize: true }, { operation: 'saleAndTokenizeCard' }] as const)
    for (const callbacks of [true, false])
      test(`a sale with ${JSON.stringify(request)} is approved where its type is ${tokenizedSale}, ${callbacks ? 'by callback' : 'by poll'}`, async () => {
        const world = payments({ callbacks, simulator: { variants: { tokenizedSale } } });
        const { outcome, moneyMoved, final, card } = await world.after(world.sale(request));
        assert.deepEqual([outcome, moneyMoved, final], ['approved', 'yes', true]);
        assert.ok(card.token);
      });

for (const tokenizedSale of ['SALE', 'SALE_AND_TOKENIZE_CARD'] as const)
  test(`a sale whose result is lost is found in the status service where its type is ${tokenizedSale}`, async () => {
    const world = payments({ callbacks: false, simulator: { variants: { tokenizedSale } } });
    world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /transactions' } });
    const { outcome, moneyMoved } = await world.after(world.sale({ tokenize: true }));
    assert.deepEqual([outcome, moneyMoved], ['provisional', 'unknown']);
    await world.clock.advance(3 * 24 * 60 * 60_000);
    assert.deepEqual(
      world.told.slice(1).map(({ payload }) => [payload.outcome, payload.moneyMoved]),
      [['approved', 'yes']],
    );
  });
