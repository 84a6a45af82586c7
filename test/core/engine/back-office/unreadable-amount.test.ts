import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import type { BackOfficeOrder } from '../../../../src/core/operation/back-office-order.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** An answer that approves, and names an amount that nobody can read, or none: the chain says how much was done. */

type Body = Record<string, unknown>;

/** @param isDone false: the service does nothing, and answers as if it had */
function answering(endpoint: string, said: Body, isDone = true): Payments {
  const world: Payments = payments({
    callbacks: false,
    engine: {
      send: async (request) => {
        if (!request.url.endsWith(endpoint)) return world.simulator.send(request);
        const approval = { httpStatus: 200, guid: 'g-1', approvalCode: '123456', issuerResponseCode: '00' };
        const answer = isDone ? await world.simulator.send(request) : undefined;
        const body = answer === undefined ? approval : JSON.parse(answer.body);
        return { status: answer?.status ?? 200, body: JSON.stringify('error' in body ? body : { ...body, ...said }) };
      },
    },
  });
  return world;
}

async function token(world: Payments): Promise<string> {
  const stored = await world.after(world.sale({ operation: 'tokenizeCard', amount: undefined, currency: undefined }));
  return stored.card.token ?? '';
}

async function idOf(told: Promise<ResultPayload>, world: Payments): Promise<string> {
  const { transactionId = '' } = await told;
  await world.clock.advance(20_000);
  return transactionId;
}

const saidOf = ({ outcome, moneyMoved, source, amount }: ResultPayload) => [outcome, moneyMoved, source, amount?.total];

const AMOUNT = { amount: '10.00', currency: 'EUR' };

for (const amount of ['1e2', '10,00', '10.001', 'EUR 10.00', {}, [], true, '0.00']) {
  const written = JSON.stringify(amount);

  for (const operation of ['moto/sale', 'moto/refund'] as const) {
    test(`${operation} by token that is approved with the amount ${written} is told as the chain shows it`, async () => {
      for (const isDone of [true, false]) {
        const world = answering(`/${operation}`, { amount }, isDone);
        const body = { ...AMOUNT, cardToken: await token(world) };
        const payload = await world.after(world.backOffice({ operation, body }));
        const done = operation === 'moto/sale' ? 'approved' : 'refunded';
        const expected = isDone ? [done, 'yes', 'status', '10.00'] : ['not-charged', 'no', 'status', '0.00'];
        assert.deepEqual(saidOf(payload), expected);
        assert.equal(Math.abs(world.bank.netMoved()), isDone ? 1000 : 0);
      }
    });
  }

  test(`a reversal and a refund of a sale that are approved with the amount ${written} are told as the chain shows them`, async () => {
    for (const operation of ['reversal', 'moto/refund'] as const) {
      const world = answering(`/${operation}`, { amount });
      const originalGuid = await idOf(world.after(world.sale()), world);
      const payload = await world.after(world.backOffice({ operation, body: { originalGuid, ...AMOUNT } }));
      assert.deepEqual(saidOf(payload), ['refunded', 'yes', 'status', '10.00']);
      assert.equal(world.bank.netMoved(), 0);
    }
  });
}

const OF_HOLD: [what: string, endpoint: string, said: Body, order: (originalGuid: string) => BackOfficeOrder][] = [
  [
    'a capture',
    '/capture',
    { capturedAmount: '8,00' },
    (originalGuid) => ({
      operation: 'preauthorization/capture',
      body: { originalGuid, capturedAmount: '8.00', currency: 'EUR' },
    }),
  ],
  [
    'an increase',
    '/increase',
    { holdAmount: '12,00' },
    (originalGuid) => ({
      operation: 'preauthorization/increase',
      body: { originalGuid, increaseAmount: '2.00', currency: 'EUR' },
    }),
  ],
];

for (const [what, endpoint, said, order] of OF_HOLD) {
  test(`${what} that is approved with ${JSON.stringify(said)} is told as the chain shows it`, async () => {
    const world = answering(endpoint, said);
    const hold = await idOf(world.after(world.sale({ operation: 'preAuthorization' })), world);
    const { outcome, source, error } = await world.after(world.backOffice(order(hold)));
    assert.deepEqual([outcome, source, error], ['approved', 'status', undefined]);
  });
}

test('a capture that is approved with an amount of nothing, and of which no chain can be asked, is left to a person', async () => {
  const world = answering('/capture', { capturedAmount: '0.00' });
  const originalGuid = world.simulator.other.preAuthorise({ amount: 1000 }) ?? '';
  const body = { originalGuid, capturedAmount: '8.00', currency: 'EUR' };
  const payload = await world.after(world.backOffice({ operation: 'preauthorization/capture', body }));
  assert.deepEqual([payload.outcome, payload.moneyMoved, payload.final], ['unknown', 'unknown', false]);
  assert.equal(world.told.at(-1)?.exit, 'needs-attention');
});

test('the release of a hold is told as a release, whatever amount its answer names', async () => {
  const world = answering('/reversal', { amount: '10,00' });
  const originalGuid = await idOf(world.after(world.sale({ operation: 'preAuthorization' })), world);
  const body = { originalGuid };
  const { outcome, error } = await world.after(world.backOffice({ operation: 'reversal', body }));
  assert.deepEqual([outcome, error], ['completed', undefined]);
  assert.equal(world.simulator.requests.latest().filter(({ path }) => path === '/reversal').length, 1);
});

for (const amount of ['10.00', '10', 10, '10.000', '', null]) {
  test(`a payment by token that is approved with the amount ${JSON.stringify(amount)} is told as it is answered`, async () => {
    const world = answering('/moto/sale', { amount });
    const body = { ...AMOUNT, cardToken: await token(world) };
    const payload = await world.after(world.backOffice({ operation: 'moto/sale', body }));
    assert.deepEqual(saidOf(payload), ['approved', 'yes', 'answer', '10.00']);
  });
}
