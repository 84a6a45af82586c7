import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import type { SimulatorOptions } from '../../../../src/simulator/index.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** A payment by token whose answer was lost: the chain under its own reference says what became of it. */

interface ByToken {
  world: Payments;
  /** What the flow is told of 10.00 EUR, of which the status service can be asked once `meanwhile` has happened. */
  told(meanwhile: (charge: string) => void): Promise<ResultPayload>;
}

async function lostPayment(variants: SimulatorOptions['variants'] = {}): Promise<ByToken> {
  let isAnswered = true;
  const world: Payments = payments({
    callbacks: false,
    simulator: { variants },
    engine: {
      send: async (request) => {
        const isHidden = request.url.includes('/status/') && !isAnswered;
        return isHidden ? { status: 503, body: '{}' } : world.simulator.send(request);
      },
    },
  });
  const stored = await world.after(world.sale({ operation: 'tokenizeCard', amount: undefined, currency: undefined }));
  const body = { amount: '10.00', currency: 'EUR', cardToken: stored.card.token ?? '' };
  return {
    world,
    async told(meanwhile) {
      isAnswered = false;
      world.simulator.faults.arm({ kind: 'server-error-after', match: { endpoint: 'POST /moto/sale' } });
      const operationId = await world.backOffice({ operation: 'moto/sale', body });
      await world.clock.advance(20_000);
      const [charge] = world.bank.charges();
      assert.ok(charge);
      meanwhile(charge.transactionId);
      await world.clock.advance(20_000);
      isAnswered = true;
      return world.after(Promise.resolve(operationId));
    },
  };
}

const saidOf = ({ outcome, moneyMoved, final, retry, error, amount }: ResultPayload) => [
  outcome,
  moneyMoved,
  final,
  retry,
  error?.code,
  amount?.total,
];

for (const refundedSale of ['REFUNDED', 'CANCELLED'] as const) {
  test(`a payment by token that another till has refunded, shown as ${refundedSale}, is not told as approved`, async () => {
    const { world, told } = await lostPayment({ refundedSale });
    const payload = await told((charge) => world.simulator.other.refund(charge));
    const [outcome, retry] = refundedSale === 'REFUNDED' ? ['refunded', 'never'] : ['cancelled', 'safe'];
    assert.deepEqual(saidOf(payload), [outcome, 'no', true, retry, undefined, '0.00']);
    assert.equal(world.told.at(-1)?.exit, 'not-done');
    assert.equal(world.bank.netMoved(), 0);
  });
}

for (const partlyReturnedSale of ['REFUNDED', 'unchanged'] as const) {
  test(`a payment by token of which a part went back, its status ${partlyReturnedSale}, is told with what is left`, async () => {
    const { world, told } = await lostPayment({ partlyReturnedSale });
    const payload = await told((charge) => world.simulator.other.refund(charge, 400));
    assert.deepEqual(saidOf(payload), ['partial', 'partly', true, 'never', 'PARTLY_REFUNDED', '6.00']);
    assert.equal(world.told.at(-1)?.exit, 'needs-attention');
    assert.equal(world.bank.netMoved(), 600);
  });
}

test('a payment by token that another till has reversed in part is told with what is left', async () => {
  const { world, told } = await lostPayment();
  const payload = await told((charge) => world.simulator.other.reverse(charge, 400));
  assert.deepEqual(saidOf(payload), ['partial', 'partly', true, 'never', 'PARTLY_REFUNDED', '6.00']);
  assert.equal(world.bank.netMoved(), 600);
});
