import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, HttpRequest } from '../../../../src/core/base/seams.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** A service that lists tips without the name of their payment: the description names it of refunds, reversals and captures alone. */

const unnamed = (entries: Record<string, unknown>[]) =>
  entries.map((entry) => (entry.type === 'TIP_ADJUSTMENT' ? { ...entry, originalEFTTransactionID: '' } : entry));

function withUnnamedTips(): Payments {
  const world: Payments = payments({
    simulator: { variants: { tipEntry: 'own' } },
    engine: {
      send: async (request: HttpRequest): Promise<HttpAnswer> => {
        const answer = await world.simulator.send(request);
        const isChain = request.url.endsWith('/status/all') && answer.status === 200;
        return isChain ? { ...answer, body: JSON.stringify(unnamed(JSON.parse(answer.body))) } : answer;
      },
    },
  });
  return world;
}

async function tipped(world: Payments, transactionID: string) {
  const { outcome, amount } = await world.after(
    world.backOffice({ operation: 'tip-adjustment', body: { transactionID, amount: '2.00', currency: 'EUR' } }),
  );
  return [outcome, amount?.total];
}

test('a tip that was set is found after a lost answer', async () => {
  const world = withUnnamedTips();
  const { transactionId } = await world.after(world.sale());
  await world.clock.advance(60_000);
  const endpoint = 'POST /transactions/tip-adjustment';
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint }, times: 100 });
  assert.deepEqual(await tipped(world, transactionId), ['approved', '2.00']);
  assert.equal(world.bank.netMoved(), 1200);
});

test('a reversal of the whole is told with the tip', async () => {
  const world = withUnnamedTips();
  const { transactionId } = await world.after(world.sale());
  await world.clock.advance(60_000);
  await tipped(world, transactionId);
  await world.clock.advance(600_000);
  const { outcome, amount } = await world.after(
    world.backOffice({ operation: 'reversal', body: { originalGuid: transactionId } }),
  );
  assert.deepEqual([outcome, amount?.total], ['refunded', '12.00']);
  assert.equal(world.bank.netMoved(), 0);
});
