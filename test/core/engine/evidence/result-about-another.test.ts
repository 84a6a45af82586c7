import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** The result of a follow-up on a terminal that is about another payment proves nothing: the chain of its original decides. */

const OTHER = '11111111-1111-4111-8111-111111111111';

/** The results of a terminal, bent from `bend` on. Polled for. */
function bentResults() {
  let bent: ((result: Record<string, unknown>) => object) | undefined;
  const world: Payments = payments({
    callbacks: false,
    engine: {
      send: async (request): Promise<HttpAnswer> => {
        const answer = await world.simulator.send(request);
        if (bent === undefined || !request.url.includes('/transaction-result/') || answer.status !== 200) return answer;
        return { ...answer, body: JSON.stringify(bent(JSON.parse(answer.body))) };
      },
    },
  });
  const bend = (result: typeof bent): void => {
    bent = result;
  };
  return { world, bend };
}

const saidOf = ({ outcome, moneyMoved, source }: ResultPayload) => [outcome, moneyMoved, source];

for (const operation of ['saleReversal', 'refund'] as const) {
  test(`a ${operation} on the terminal that names another payment is not told as done by its result`, async () => {
    for (const isKnown of [true, false]) {
      const { world, bend } = bentResults();
      const { transactionId: originalTransactionId } = await world.after(world.sale());
      const { transactionId: known } = await world.after(world.sale());
      bend((result) => ({ ...result, originalEFTTransactionID: isKnown ? known : OTHER }));
      const { source, moneyMoved } = await world.after(world.sale({ operation, originalTransactionId }));
      assert.notDeepEqual([source, moneyMoved], ['poll', 'yes']);
      assert.notEqual(moneyMoved, 'no');
    }
  });

  test(`a ${operation} on the terminal that names its payment in capitals, or none, is told by its result`, async () => {
    for (const name of ['upper', '', '0']) {
      const { world, bend } = bentResults();
      const { transactionId: originalTransactionId = '' } = await world.after(world.sale());
      const named = name === 'upper' ? originalTransactionId.toUpperCase() : name;
      bend((result) => ({ ...result, originalEFTTransactionID: named }));
      const payload = await world.after(world.sale({ operation, originalTransactionId }));
      assert.deepEqual(saidOf(payload), ['refunded', 'yes', 'poll']);
    }
  });
}

test('a reversal on the terminal that names another payment, and was not done, is not told as refunded', async () => {
  const result = {
    finStatus: 'AUTHORISED',
    type: 'REVERSAL',
    transactionID: OTHER,
    totalAmount: 1000,
    currency: 'EUR',
  };
  const world: Payments = payments({
    callbacks: false,
    engine: {
      send: async (request): Promise<HttpAnswer> => {
        if (request.body?.includes('saleReversal'))
          return { status: 202, body: JSON.stringify({ transactionResultId: 'reversal' }) };
        return request.url.endsWith('/transaction-result/reversal')
          ? { status: 200, body: JSON.stringify({ ...result, originalEFTTransactionID: OTHER }) }
          : world.simulator.send(request);
      },
    },
  });
  const { transactionId: originalTransactionId } = await world.after(world.sale());
  await world.after(world.sale({ operation: 'saleReversal', originalTransactionId }));
  await world.clock.advance(3 * 24 * 3_600_000);
  const told = world.told.slice(1).map(({ payload }) => payload.moneyMoved);
  assert.ok(told.length > 0 && told.every((moved) => moved === 'unknown'), told.join());
  assert.equal(world.bank.netMoved(), 1000);
});

test('a capture on the terminal may name the increase before it, and a reversal of the hold the capture', async () => {
  const { world, bend } = bentResults();
  const { transactionId: originalTransactionId = '' } = await world.after(
    world.sale({ operation: 'preAuthorization' }),
  );
  const increase = await world.after(
    world.sale({ operation: 'preAuthorizationIncrease', amount: '200', originalTransactionId }),
  );
  bend((result) => ({ ...result, originalEFTTransactionID: increase.transactionId }));
  const capture = await world.after(
    world.sale({ operation: 'preAuthorizationCapture', amount: '800', originalTransactionId }),
  );
  assert.deepEqual(saidOf(capture), ['approved', 'yes', 'poll']);
  bend((result) => ({ ...result, originalEFTTransactionID: capture.transactionId }));
  const { moneyMoved } = await world.after(
    world.sale({
      operation: 'preAuthorizationReversal',
      amount: undefined,
      currency: undefined,
      originalTransactionId,
    }),
  );
  assert.equal(moneyMoved, 'yes');
});

test('a keyed sale whose result is that of an earlier sale is not told as approved', async () => {
  const { world, bend } = bentResults();
  const { result: earlier = {} } = await world.after(world.sale());
  bend(() => ({ ...earlier, type: 'MOTO_SALE' }));
  await world.after(world.sale({ operation: 'moToSale' }));
  await world.clock.advance(3 * 24 * 3_600_000);
  const told = world.told.slice(1).map(({ payload }) => payload.moneyMoved);
  assert.ok(told.length > 0 && told.every((moved) => moved === 'unknown'), told.join());
});

test('a sale whose result is that of an earlier one, without a reference, is told by the status service', async () => {
  const { world, bend } = bentResults();
  const { result: earlier = {} } = await world.after(world.sale());
  bend((result) => ({ ...earlier, transactionReference: '', finStatus: result.finStatus }));
  await world.after(world.sale());
  await world.clock.advance(24 * 3_600_000);
  const told = world.told.slice(1).map(({ payload }) => payload.source);
  assert.ok(told.length > 0 && !told.includes('poll'), told.join());
});

test('a sale whose result names no reference is told by its result', async () => {
  const { world, bend } = bentResults();
  bend((result) => ({ ...result, transactionReference: '' }));
  assert.deepEqual(saidOf(await world.after(world.sale())), ['approved', 'yes', 'poll']);
});

test('a reversal on the terminal whose result has the id of what it reverses is told by its result', async () => {
  const { world, bend } = bentResults();
  const { transactionId: originalTransactionId } = await world.after(world.sale());
  bend((result) => ({ ...result, transactionID: originalTransactionId }));
  const payload = await world.after(world.sale({ operation: 'saleReversal', originalTransactionId }));
  assert.deepEqual(saidOf(payload), ['refunded', 'yes', 'poll']);
});

test('a decline on the terminal counts whatever it names', async () => {
  const { world, bend } = bentResults();
  const { transactionId: originalTransactionId } = await world.after(world.sale());
  bend((result) => ({ ...result, finStatus: 'DECLINED', originalEFTTransactionID: OTHER }));
  const { outcome } = await world.after(world.sale({ operation: 'refund', originalTransactionId }));
  assert.equal(outcome, 'declined');
});

test('a card that was stored without a token is not told as completed, and frees its terminal', async () => {
  const { world, bend } = bentResults();
  bend((result) => ({ ...result, cardToken: '' }));
  const order = { operation: 'tokenizeCard', amount: undefined, currency: undefined } as const;
  const { outcome, moneyMoved, retry, final } = await world.after(world.sale(order));
  assert.deepEqual([outcome, moneyMoved, retry, final], ['unknown', 'no', 'safe', true]);
  assert.equal(world.told.at(-1)?.exit, 'needs-attention');
  bend(undefined);
  const next = await world.after(world.sale(order));
  assert.deepEqual([next.outcome, typeof next.card.token], ['completed', 'string']);
});
