import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, HttpRequest } from '../../../../src/core/base/seams.js';
import { atOddService, storedCard } from '../../../harness/odd-service.js';
import { payments } from '../../../harness/payments.js';

/** A deployment that does not know `subtract`. */
test('a decrease after which more is held than before is not told as approved', async () => {
  const world = payments({
    engine: {
      send: async (request: HttpRequest): Promise<HttpAnswer> => {
        if (!request.url.endsWith('/preauthorization/increase')) return world.simulator.send(request);
        const { subtract: _, ...body } = JSON.parse(request.body ?? '{}');
        return world.simulator.send({ ...request, body: JSON.stringify(body) });
      },
    },
  });
  const { transactionId } = await world.after(world.sale({ operation: 'preAuthorization' }));
  await world.clock.advance(20_000);
  const { outcome, operation, amount, error } = await world.after(
    world.backOffice({
      operation: 'preauthorization/increase',
      body: { originalGuid: transactionId, increaseAmount: '2.00', subtract: '1', currency: 'EUR' },
    }),
  );
  assert.equal(world.bank.netHeld(), 1200);
  assert.ok(
    outcome !== 'approved' || error !== undefined,
    JSON.stringify({ outcome, operation, amount: amount?.minor }),
  );
});

test('a sale by token that is answered with the payment of another reference is not told as its own', async () => {
  const other = '11111111-1111-4111-8111-111111111111';
  const answer = {
    httpStatus: 200,
    issuerResponseCode: '00',
    approvalCode: '123456',
    guid: 'g-1',
    transactionReference: other,
  };
  const world = payments({
    engine: {
      send: async (request: HttpRequest): Promise<HttpAnswer> =>
        request.url.endsWith('/moto/sale')
          ? { status: 200, body: JSON.stringify(answer) }
          : world.simulator.send(request),
    },
  });
  const { outcome, moneyMoved } = await world.after(
    world.backOffice({ operation: 'moto/sale', body: { amount: '10.00', currency: 'EUR', cardToken: 't' } }),
  );
  assert.equal(world.bank.netMoved(), 0);
  assert.notDeepEqual([outcome, moneyMoved], ['approved', 'yes']);
});

for (const operation of ['moto/sale', 'moto/refund'] as const) {
  test(`${operation} by token at a service that makes a reference of its own is not told as not done`, async () => {
    const transactionReference = '44444444-4444-4444-8444-444444444444';
    const withOwn = (body = '{}'): string => JSON.stringify({ ...JSON.parse(body), transactionReference });
    const world = atOddService({
      answer: (request, serve) => {
        if (!request.url.endsWith(`/${operation}`)) return undefined;
        return serve({ ...request, body: withOwn(request.body) }).then(({ status, body }) => ({
          status,
          body: withOwn(body),
        }));
      },
    });
    const body = { amount: '10.00', currency: 'EUR', cardToken: await storedCard(world) };
    const { outcome } = await world.after(world.backOffice({ operation, body }));
    assert.deepEqual([outcome, Math.abs(world.bank.netMoved())], ['unknown', 1000]);
  });
}

const OF_ANOTHER = { httpStatus: 200, guid: 'g-2', issuerResponseCode: '00', amount: '2.00', currency: 'EUR' };

for (const operation of ['moto/sale', 'moto/refund'] as const) {
  for (const isDone of [true, false]) {
    test(`${operation} by token that was ${isDone ? '' : 'not '}done, and is answered with another amount, is told as the chain shows it`, async () => {
      const world = payments({
        engine: {
          send: async (request: HttpRequest): Promise<HttpAnswer> => {
            if (!request.url.endsWith(`/${operation}`)) return world.simulator.send(request);
            if (isDone) await world.simulator.send(request);
            return { status: 200, body: JSON.stringify({ ...OF_ANOTHER, approvalCode: '123456' }) };
          },
        },
      });
      const { card } = await world.after(
        world.sale({ operation: 'tokenizeCard', amount: undefined, currency: undefined }),
      );
      const body = { amount: '10.00', currency: 'EUR', cardToken: card.token ?? '' };
      const { moneyMoved, amount } = await world.after(world.backOffice({ operation, body }));
      const moved = world.bank.netMoved();
      assert.equal(Math.abs(moved), isDone ? 1000 : 0);
      assert.deepEqual([moneyMoved, amount?.total], isDone ? ['yes', '10.00'] : ['no', '0.00']);
    });
  }
}

for (const amount of ['2.00', 'ten']) {
  test(`a sale by token that is approved over ${amount}, by its own reference, is never told as not charged`, async () => {
    const world = payments({
      engine: {
        send: async (request: HttpRequest): Promise<HttpAnswer> => {
          if (!request.url.endsWith('/moto/sale')) return world.simulator.send(request);
          const { transactionReference } = JSON.parse(request.body ?? '{}');
          const said = { ...OF_ANOTHER, approvalCode: '123456', amount, transactionReference };
          return { status: 200, body: JSON.stringify(said) };
        },
      },
    });
    const { card } = await world.after(
      world.sale({ operation: 'tokenizeCard', amount: undefined, currency: undefined }),
    );
    const body = { amount: '10.00', currency: 'EUR', cardToken: card.token ?? '' };
    await world.backOffice({ operation: 'moto/sale', body });
    await world.clock.advance(3_600_000);
    await world.engine.stop();
    world.engine = world.createEngine();
    await world.engine.start();
    world.connect(world.engine);
    await world.clock.advance(72 * 3_600_000);
    const told = world.told.filter(({ payload }) => payload.operation === 'moto/sale').map(({ payload }) => payload);
    assert.deepEqual(
      told.map(({ outcome, moneyMoved, error }) => [outcome, moneyMoved, error?.code]),
      [
        ['unknown', 'unknown', 'AMOUNT_DIFFERS'],
        ['unknown', 'unknown', 'WATCH_ENDED'],
      ],
    );
  });
}

test('a refund by token that was not done, and is answered with that of a payment, is not told as done', async () => {
  const about = '11111111-1111-4111-8111-111111111111';
  const world = payments({
    engine: {
      send: async (request: HttpRequest): Promise<HttpAnswer> => {
        if (!request.url.endsWith('/moto/refund')) return world.simulator.send(request);
        return { status: 200, body: JSON.stringify({ ...OF_ANOTHER, amount: '10.00', originalGuid: about }) };
      },
    },
  });
  const { card } = await world.after(world.sale({ operation: 'tokenizeCard', amount: undefined, currency: undefined }));
  const body = { amount: '10.00', currency: 'EUR', cardToken: card.token ?? '' };
  const { moneyMoved, outcome } = await world.after(world.backOffice({ operation: 'moto/refund', body }));
  assert.deepEqual([outcome, moneyMoved], ['not-charged', 'no']);
});

test('a refund that was not done, and is answered with that of another till to the same sale, is not told as done in part', async () => {
  let another: string | undefined;
  const world = payments({
    engine: {
      send: async (request: HttpRequest): Promise<HttpAnswer> => {
        if (!request.url.endsWith('/moto/refund')) return world.simulator.send(request);
        return { status: 200, body: JSON.stringify({ ...OF_ANOTHER, guid: another }) };
      },
    },
  });
  const { transactionId: originalGuid = '' } = await world.after(world.sale());
  another = world.simulator.other.refund(originalGuid, 200);
  await world.clock.advance(20_000);
  const body = { originalGuid, amount: '4.00', currency: 'EUR' };
  const { outcome, moneyMoved } = await world.after(world.backOffice({ operation: 'moto/refund', body }));
  assert.equal(world.bank.netMoved(), 800);
  assert.deepEqual([outcome, moneyMoved], ['not-charged', 'no']);
});

test('a sale by token that names another currency and no amount is not told as approved as asked', async () => {
  const answer = { httpStatus: 200, issuerResponseCode: '00', approvalCode: '123456', guid: 'g-1', currency: 'USD' };
  const world = payments({
    engine: {
      send: async (request: HttpRequest): Promise<HttpAnswer> =>
        request.url.endsWith('/moto/sale')
          ? { status: 200, body: JSON.stringify(answer) }
          : world.simulator.send(request),
    },
  });
  const { outcome, error } = await world.after(
    world.backOffice({ operation: 'moto/sale', body: { amount: '10.00', currency: 'EUR', cardToken: 't' } }),
  );
  assert.ok(outcome !== 'approved' || error !== undefined, JSON.stringify([outcome, error]));
});
