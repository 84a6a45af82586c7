import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Payments, payments } from '../../../harness/payments.js';

/** A service that fills the ids that it does not have with zeros. */

const NONE = '00000000-0000-0000-0000-000000000000';

function withoutIds(names: readonly string[], of: (url: string) => boolean): Payments {
  const world: Payments = payments({
    callbacks: false,
    engine: {
      send: async (request) => {
        const { status, body } = await world.simulator.send(request);
        if (!of(request.url)) return { status, body };
        const fields = names.map((name) => new RegExp(`("${name}":)"[^"]*"`, 'g'));
        return { status, body: fields.reduce((text, field) => text.replace(field, `$1"${NONE}"`), body) };
      },
    },
  });
  return world;
}

test('two sales whose results have an id of zeros are told without one, and are not one payment', async () => {
  const world = withoutIds(['transactionID', 'efttransactionID', 'originalEFTTransactionID'], () => true);
  for (const amount of ['1000', '2000']) {
    const { outcome, transactionId } = await world.after(world.sale({ amount }));
    assert.deepEqual([outcome, transactionId], ['approved', '']);
    await world.clock.advance(20_000);
  }
  assert.deepEqual(await world.journal.find({ transactionId: NONE }), []);
  assert.equal(await world.engine.balance(NONE), undefined);
});

test('a sale by token that is answered with an id of zeros is told as the chain shows it, with the id that the chain has', async () => {
  const world = withoutIds(['guid'], (url) => url.endsWith('/moto/sale'));
  const { card } = await world.after(world.sale({ operation: 'tokenizeCard', amount: undefined, currency: undefined }));
  const body = { amount: '10.00', currency: 'EUR', cardToken: card.token ?? '' };
  const payload = await world.after(world.backOffice({ operation: 'moto/sale', body }));
  const [charge] = world.bank.charges();
  assert.deepEqual([payload.outcome, payload.source], ['approved', 'status']);
  assert.equal(payload.transactionId, charge?.transactionId);
});

test('a reversal that names its original by zeros is told as it is answered', async () => {
  const world = withoutIds(['originalGuid', 'authorizationGuid'], (url) => url.endsWith('/reversal'));
  const { transactionId: originalGuid = '' } = await world.after(world.sale());
  await world.clock.advance(20_000);
  const { outcome, source } = await world.after(world.backOffice({ operation: 'reversal', body: { originalGuid } }));
  assert.deepEqual([outcome, source], ['refunded', 'answer']);
});
