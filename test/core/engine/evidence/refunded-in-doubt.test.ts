import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, HttpRequest } from '../../../../src/core/base/seams.js';
import { DEFAULT_KEY, type Variants } from '../../../../src/simulator/index.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** A sale whose response was lost, of which something went back, and a chain that does not show how much. */

type Entry = { type?: string };

/** A service that lists chains otherwise. */
function listing(change: (chain: Entry[]) => Entry[], variants: Partial<Variants> = {}): Payments {
  const world: Payments = payments({
    callbacks: false,
    simulator: { variants },
    engine: {
      send: async (request: HttpRequest): Promise<HttpAnswer> => {
        const answer = await world.simulator.send(request);
        if (!request.url.includes('/status/') || answer.status !== 200) return answer;
        const body = JSON.parse(answer.body);
        return Array.isArray(body) ? { ...answer, body: JSON.stringify(change(body)) } : answer;
      },
    },
  });
  return world;
}

async function refundOfLostSale(world: Payments, amount?: number): Promise<void> {
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /transactions' } });
  const reference = await world.sale();
  await world.clock.advance(40_000);
  const { body } = await world.simulator.send({
    method: 'GET',
    url: `${world.simulator.statusUrl}/transactions/${reference}/status/first`,
    headers: { ApiKeyCloud: DEFAULT_KEY },
    timeoutMs: 15_000,
  });
  assert.ok(world.simulator.other.refund(JSON.parse(body).transactionID, amount));
  await world.clock.advance(3 * 86_400_000);
}

/** What the flow may rely on in the end, and whether anything it heard before said more than that. */
const said = ({ told }: Payments) => [
  told.at(-1)?.payload.error?.code,
  told.map(({ payload }) => payload.moneyMoved).filter((moved) => moved !== 'unknown'),
];
const A_PERSON_MUST_LOOK = ['WATCH_ENDED', []];

test('a sale that shows as REFUNDED, with a refund that its chain does not list, is not told as charged', async () => {
  const world = listing((chain) => chain.filter(({ type }) => type !== 'REFUND'));
  await refundOfLostSale(world);
  assert.equal(world.bank.netMoved(), 0);
  assert.deepEqual(said(world), A_PERSON_MUST_LOOK);
});

for (const field of ['totalAmount', 'type']) {
  test(`a sale that shows as REFUNDED, without its ${field}, is not told as wholly refunded: only a part was`, async () => {
    const without = (one: Entry) => (one.type === 'SALE' ? { ...one, [field]: undefined } : one);
    const world = listing((chain) => chain.map(without), { partlyReturnedSale: 'REFUNDED' });
    await refundOfLostSale(world, 100);
    assert.equal(world.bank.netMoved(), 900);
    assert.deepEqual(said(world), A_PERSON_MUST_LOOK);
  });
}
