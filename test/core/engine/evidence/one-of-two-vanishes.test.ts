import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payments } from '../../../harness/payments.js';

const SECOND = 1000;
const charge = (transactionID: string, finStatus = 'AUTHORISED') => ({
  transactionID,
  finStatus,
  type: 'SALE',
  totalAmount: 1000,
});

/**
 * What the flow is told where the status service shows two charges under one reference first, and `later` from 15 s on.
 * @param isSilent the terminal never says anything
 */
async function toldOf(later: readonly object[], { isSilent = false } = {}) {
  const world = payments({
    engine: {
      send: async ({ method, url }) => {
        const age = world.clock.now() - began;
        if (method === 'POST') return { status: 503, body: '' };
        if (!url.includes('/status/')) return { status: 204, body: '' };
        return { status: 200, body: JSON.stringify(age < 15 * SECOND ? [charge('one'), charge('two')] : later) };
      },
    },
  });
  const began = world.clock.now();
  const id = await world.sale();
  await world.clock.advance(40 * SECOND);
  if (!isSilent) await world.callback(id, charge('one'));
  const { exit, payload } = await world.untilTold();
  return [exit, payload.outcome, payload.error?.code];
}

test('a charge that showed beside another one under one reference is not forgotten once it shows no more', async () => {
  assert.deepEqual(await toldOf([charge('one')]), ['needs-attention', 'approved', 'AMOUNT_DIFFERS']);
});

test('where one of two charges under one reference shows as cancelled later, the other one is the payment', async () => {
  assert.deepEqual(await toldOf([charge('one'), charge('two', 'CANCELLED')]), ['done', 'approved', undefined]);
});

test('where one of two charges under one reference was given back, and the other shows no more, nobody says that nothing was charged', async () => {
  const back = { ...charge('back', 'AUTHORISED'), type: 'REVERSAL', originalEFTTransactionID: 'one' };
  for (const later of [[charge('one'), back], [charge('one', 'CANCELLED')]]) {
    const [exit, outcome] = await toldOf(later, { isSilent: true });
    assert.deepEqual([exit, outcome], ['needs-attention', 'unknown'], JSON.stringify(later));
  }
});
