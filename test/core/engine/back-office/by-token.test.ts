import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import { orderKey } from '../../../../src/core/operation/order-key.js';
import type { SimulatorOptions } from '../../../../src/simulator/index.js';
import { NODE, type Payments, payments } from '../../../harness/payments.js';

/** A payment by token whose answer was lost: the chain under its own reference says what became of it. */

interface ByToken {
  world: Payments;
  /** What the flow is told of it, of which the status service can be asked once `meanwhile` has happened. */
  told(meanwhile: (charge: string) => void): Promise<ResultPayload>;
}

async function lostPayment(variants: SimulatorOptions['variants'] = {}, amount = '10.00'): Promise<ByToken> {
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
  const body = { amount, currency: 'EUR', cardToken: stored.card.token ?? '' };
  return {
    world,
    async told(meanwhile) {
      isAnswered = false;
      world.simulator.faults.arm({ kind: 'server-error-after', match: { endpoint: 'POST /moto/sale' } });
      const operationId = await world.backOffice({ operation: 'moto/sale', body });
      await world.clock.advance(20_000);
      const [charge] = world.bank.charges();
      meanwhile(charge?.transactionId ?? '');
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

test('a payment by token that was duplicated on the way and charged twice is told so, and a person has to look', async () => {
  const { world, told } = await lostPayment();
  world.simulator.faults.arm({ kind: 'request-duplicated', match: { endpoint: 'POST /moto/sale' } });
  const payload = await told(() => {});
  assert.deepEqual(saidOf(payload), ['approved', 'yes', true, 'never', 'AMOUNT_DIFFERS', '20.00']);
  assert.equal(world.told.at(-1)?.exit, 'needs-attention');
  assert.equal(world.bank.netMoved(), 2000);
});

/** The status service calls what was approved FAILED for so long, ms. */
async function failedAtFirst(ms: number) {
  const failedUntil = { at: 0 };
  const world: Payments = payments({
    callbacks: false,
    engine: {
      send: async (request) => {
        const answer = await world.simulator.send(request);
        const isFailed = request.url.includes('/status/') && world.clock.now() < failedUntil.at;
        return isFailed ? { ...answer, body: answer.body.replace('AUTHORISED', 'FAILED') } : answer;
      },
    },
  });
  const stored = await world.after(world.sale({ operation: 'tokenizeCard', amount: undefined, currency: undefined }));
  const body = { amount: '10.00', currency: 'EUR', cardToken: stored.card.token ?? '' };
  failedUntil.at = world.clock.now() + ms;
  world.simulator.faults.arm({ kind: 'server-error-after', match: { endpoint: 'POST /moto/sale' } });
  const key = orderKey('order 17', 'a sale');
  assert.ok(key);
  const origin = { node: NODE, message: { _msgid: 'm3' }, key };
  return { world, pay: () => world.engine.submitBackOffice({ operation: 'moto/sale', body }, origin) };
}

test('a payment by token that is FAILED at first and approved two minutes later is told as approved', async () => {
  const { world, pay } = await failedAtFirst(120_000);
  const payload = await world.after(pay());
  assert.deepEqual(saidOf(payload), ['approved', 'yes', true, 'never', undefined, '10.00']);
  assert.equal(world.bank.netMoved(), 1000);
});

test('an order by token that is FAILED at first is not charged a second time when its message comes again', async () => {
  const { world, pay } = await failedAtFirst(120_000);
  await pay();
  await world.clock.advance(60_000);
  await pay();
  await world.clock.advance(600_000);
  assert.equal(world.bank.netMoved(), 1000);
});

test('a payment by token that is still FAILED once an absence would count is told as failed', async () => {
  const { world, told } = await lostPayment({}, '37.68');
  const payload = await told(() => {});
  assert.deepEqual(saidOf(payload), ['failed', 'no', true, 'after-change', undefined, '0.00']);
  assert.ok(world.clock.now() - (payload.timeline[0]?.at ?? 0) >= 375_000);
  assert.equal(world.bank.netMoved(), 0);
});
