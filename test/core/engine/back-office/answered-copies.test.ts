import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import type { BackOfficeOrder } from '../../../../src/core/operation/back-office-order.js';
import { atOddService, original, storedCard } from '../../../harness/odd-service.js';
import type { Payments } from '../../../harness/payments.js';

/** Something in between sends a request twice, and only the answer to the copy arrives. */

const TOO_MANY: HttpAnswer = {
  status: 429,
  body: JSON.stringify({ error: { statusCode: 429, name: 'TooManyRequestsError', message: 'Too many requests' } }),
};
const DUPLICATE: HttpAnswer = {
  status: 200,
  body: JSON.stringify({ httpStatus: 200, issuerResponseCode: '94', issuerResponseText: 'Duplicate transmission' }),
};
const MONEY = { amount: '10.00', currency: 'EUR' };

/** @param copy what the copy of the first request to a path is answered with; undefined: as the simulator does */
function answeringCopies(path: string, copy?: HttpAnswer): Payments {
  let left = 1;
  return atOddService({
    answer: (request, serve) =>
      request.url.endsWith(path) && left-- > 0 ? serve().then(() => copy ?? serve()) : undefined,
  });
}

test('a sale by token is charged once where the copy of its request is answered 429', async () => {
  const world = answeringCopies('/moto/sale', TOO_MANY);
  const body = { ...MONEY, cardToken: await storedCard(world) };
  const { outcome } = await world.after(world.backOffice({ operation: 'moto/sale', body }));
  assert.deepEqual([outcome, world.bank.netMoved()], ['approved', 1000]);
});

test('a refund is made once where the copy of its request is answered 429', async () => {
  const world = answeringCopies('/moto/refund', TOO_MANY);
  const body = { originalGuid: await original(world), ...MONEY, amount: '4.00' };
  const { outcome } = await world.after(world.backOffice({ operation: 'moto/refund', body }));
  assert.deepEqual([outcome, world.bank.netMoved()], ['refunded', 600]);
});

test('a hold is increased once where the copy of the request is answered 429', async () => {
  const world = answeringCopies('/preauthorization/increase', TOO_MANY);
  const body = { originalGuid: await original(world, 'preAuthorization'), increaseAmount: '2.00', currency: 'EUR' };
  const { outcome } = await world.after(world.backOffice({ operation: 'preauthorization/increase', body }));
  assert.deepEqual([outcome, world.bank.netHeld()], ['approved', 1200]);
});

test('a sale by token that was charged, and meets nothing but 429 from then on, is told as charged', async () => {
  let wasServed = false;
  const world = atOddService({
    answer: (request, serve) => {
      if (!request.url.endsWith('/moto/sale')) return undefined;
      if (wasServed) return Promise.resolve(TOO_MANY);
      wasServed = true;
      return serve().then(() => TOO_MANY);
    },
  });
  const body = { ...MONEY, cardToken: await storedCard(world) };
  const { outcome } = await world.after(world.backOffice({ operation: 'moto/sale', body }));
  assert.deepEqual([outcome, world.bank.netMoved()], ['approved', 1000]);
});

test('a sale by token that meets nothing but 429, and was never done, is told as refused, and safe to send again', async () => {
  const world = atOddService({
    answer: (request) => (request.url.endsWith('/moto/sale') ? Promise.resolve(TOO_MANY) : undefined),
  });
  const body = { ...MONEY, cardToken: await storedCard(world) };
  const { outcome, moneyMoved, retry } = await world.after(world.backOffice({ operation: 'moto/sale', body }));
  assert.deepEqual([outcome, moneyMoved, retry], ['refused', 'no', 'safe']);
});

test('a sale by token whose copy the issuer declines as a duplicate is told as charged', async () => {
  const world = answeringCopies('/moto/sale', DUPLICATE);
  const body = { ...MONEY, cardToken: await storedCard(world) };
  const { outcome } = await world.after(world.backOffice({ operation: 'moto/sale', body }));
  assert.deepEqual([outcome, world.bank.netMoved()], ['approved', 1000]);
});

const FOLLOW_UPS: readonly [string, 'sale' | 'preAuthorization', (originalGuid: string) => BackOfficeOrder, string][] =
  [
    [
      'refund of the whole',
      'sale',
      (originalGuid) => ({ operation: 'moto/refund', body: { originalGuid, ...MONEY } }),
      'refunded',
    ],
    // Without a mark nobody knows whose a reversal is.
    ['reversal', 'sale', (originalGuid) => ({ operation: 'reversal', body: { originalGuid } }), 'unknown'],
    [
      'capture',
      'preAuthorization',
      (originalGuid) => ({
        operation: 'preauthorization/capture',
        body: { originalGuid, capturedAmount: '8.00', currency: 'EUR' },
      }),
      'approved',
    ],
  ];

for (const [name, of, order, told] of FOLLOW_UPS) {
  test(`a ${name} whose copy is refused as done already is told as "${told}"`, async () => {
    const world = answeringCopies(`/${order('').operation.replace('preauthorization/', '')}`);
    const { outcome } = await world.after(world.backOffice(order(await original(world, of))));
    assert.deepEqual([outcome, world.bank.netMoved()], [told, of === 'sale' ? 0 : 800]);
  });
}

test('a reversal of what was reversed before is told as refused: the chain showed that already', async () => {
  const world = atOddService({});
  const originalGuid = await original(world);
  await world.after(world.backOffice({ operation: 'reversal', body: { originalGuid } }));
  await world.clock.advance(20_000);
  const { outcome, error } = await world.after(world.backOffice({ operation: 'reversal', body: { originalGuid } }));
  assert.deepEqual([outcome, error?.code], ['refused', '3051']);
});

test('a capture that is answered with an equal one of another point of sale, which the chain showed before, is not told as approved', async () => {
  let another = '';
  const world = atOddService({
    answer: (request) => {
      if (!request.url.endsWith('/capture')) return undefined;
      const said = { httpStatus: 200, issuerResponseCode: '00', approvalCode: '123456', finStatus: 'AUTHORISED' };
      const body = { ...said, transactionID: another, capturedAmount: '5.00', currency: 'EUR' };
      return Promise.resolve({ status: 200, body: JSON.stringify(body) });
    },
  });
  const originalGuid = await original(world, 'preAuthorization');
  another = world.simulator.other.capture(originalGuid, 500) ?? '';
  await world.clock.advance(20_000);
  const body = { originalGuid, capturedAmount: '5.00', currency: 'EUR' };
  const { outcome } = await world.after(world.backOffice({ operation: 'preauthorization/capture', body }));
  assert.equal(outcome, 'not-charged');
});
