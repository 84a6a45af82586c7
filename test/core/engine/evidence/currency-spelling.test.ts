import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payments } from '../../../harness/payments.js';

const ACCEPTED = { status: 202, body: JSON.stringify({ transactionResultId: 'result' }) };

/** A sale of 10.00 EUR whose terminal posts a result in this currency; the flow has 20 minutes. */
async function toldOf(currency: string) {
  const world = payments({
    engine: { send: async ({ method }) => (method === 'POST' ? ACCEPTED : { status: 204, body: '' }) },
  });
  const id = await world.sale();
  await world.clock.advance(1000);
  assert.equal(
    await world.callback(id, { finStatus: 'AUTHORISED', transactionID: 'one', totalAmount: 1000, currency }),
    'taken',
  );
  const { exit, payload } = await world.untilTold();
  return [exit, payload.outcome, payload.amount?.currency, payload.amount?.total];
}

test('a sale is paid whose result writes its currency in small letters, or with blanks around it', async () => {
  for (const currency of ['EUR', 'eur', 'Eur', 'EUR ', ' eur\n', '', '  '])
    assert.deepEqual(await toldOf(currency), ['done', 'approved', 'EUR', '10.00'], JSON.stringify(currency));
});

test('another currency stays a question, however it is written', async () => {
  for (const currency of ['USD', 'usd ', 'E U R', 'EURO'])
    assert.deepEqual((await toldOf(currency)).slice(0, 2), ['needs-attention', 'unknown'], currency);
});

test('what the status service shows in small letters is the same currency too', async () => {
  const world = payments({
    callbacks: false,
    engine: {
      send: async ({ method, url }) => {
        if (method === 'POST') return ACCEPTED;
        const entry = {
          finStatus: 'AUTHORISED',
          type: 'SALE',
          transactionID: 'one',
          totalAmount: 1000,
          currency: 'eur',
        };
        return url.includes('/status/') ? { status: 200, body: JSON.stringify([entry]) } : { status: 204, body: '' };
      },
    },
  });
  await world.sale();
  const { payload } = await world.untilTold();
  assert.deepEqual([payload.outcome, payload.amount?.total], ['provisional', '10.00']);
});
