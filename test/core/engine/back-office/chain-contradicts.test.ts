import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BackOfficeOrder } from '../../../../src/core/operation/back-office-order.js';
import { atOddService, CUT, original, storedCard } from '../../../harness/odd-service.js';

/** What the chain shows after a lost answer, or beside one that approves, may be less than the truth, or change. */

type Order = (originalGuid: string) => BackOfficeOrder;

const CHANGES: Readonly<Record<string, Order>> = {
  '/moto/refund': (originalGuid) => ({
    operation: 'moto/refund',
    body: { originalGuid, amount: '4.00', currency: 'EUR' },
  }),
  '/preauthorization/increase': (originalGuid) => ({
    operation: 'preauthorization/increase',
    body: { originalGuid, increaseAmount: '4.00', currency: 'EUR' },
  }),
  '/preauthorization/capture': (originalGuid) => ({
    operation: 'preauthorization/capture',
    body: { originalGuid, capturedAmount: '4.00', currency: 'EUR' },
  }),
};

for (const [path, order] of Object.entries(CHANGES)) {
  test(`a ${path.slice(1)} with a lost answer that the chain shows as approved in part is not told as not done`, async () => {
    const { operation } = order('');
    const isHold = operation !== 'moto/refund';
    const world = atOddService({
      answer: (request, serve) => (request.url.endsWith(path) ? serve().then(() => CUT) : undefined),
      list: ([first, ...others]) => [
        { ...first, finStatus: 'AUTHORISED', ...(isHold && { holdAmount: 1000 }), capturedAmount: undefined },
        ...others.map((entry) => ({ ...entry, finStatus: 'PARTIAL_APPROVAL', totalAmount: 300 })),
      ],
    });
    const { outcome, retry } = await world.after(
      world.backOffice(order(await original(world, isHold ? 'preAuthorization' : 'sale'))),
    );
    assert.deepEqual([outcome, retry], ['unknown', 'after-recovery']);
  });
}

for (const finStatus of ['DECLINED', 'FAILED', 'CANCELLED']) {
  test(`a release that was answered as done, and that the chain shows as ${finStatus}, is not told as done`, async () => {
    const made = { type: 'PRE_AUTHORIZATION_REVERSAL', transactionID: '33333333-3333-4333-8333-333333333333' };
    let originalGuid = '';
    const world = atOddService({
      answer: (request) => {
        if (!request.url.endsWith('/reversal')) return undefined;
        const said = { httpStatus: 200, ...made, originalEFTTransactionID: originalGuid, finStatus: 'AUTHORISED' };
        return Promise.resolve({ status: 200, body: JSON.stringify(said) });
      },
      list: (chain) => [...chain, { ...chain[0], ...made, originalEFTTransactionID: originalGuid, finStatus }],
    });
    originalGuid = await original(world, 'preAuthorization');
    const { outcome } = await world.after(world.backOffice({ operation: 'reversal', body: { originalGuid } }));
    assert.equal(world.bank.netHeld(), 1000);
    assert.notEqual(outcome, 'completed');
  });
}

test('a sale by token with a lost answer that the chain shows as declined at first, and as approved later, is told as approved', async () => {
  let isDeclined = true;
  const world = atOddService({
    answer: (request, serve) => (request.url.endsWith('/moto/sale') ? serve().then(() => CUT) : undefined),
    list: (chain) =>
      isDeclined && chain[0]?.type === 'MOTO_SALE' ? [{ ...chain[0], finStatus: 'DECLINED', approvalCode: '' }] : chain,
  });
  const body = { amount: '10.00', currency: 'EUR', cardToken: await storedCard(world) };
  await world.backOffice({ operation: 'moto/sale', body });
  await world.clock.advance(40_000);
  isDeclined = false;
  const { payload } = await world.untilTold(2);
  assert.deepEqual([payload.outcome, world.bank.netMoved()], ['approved', 1000]);
});

test('a tip with a lost answer is not told as not set by a status service that lists no tips', async () => {
  const world = atOddService({
    answer: (request, serve) => (request.url.endsWith('/tip-adjustment') ? serve().then(() => CUT) : undefined),
    list: (chain) =>
      chain
        .filter(({ type }) => type !== 'TIP_ADJUSTMENT')
        .map(({ tipAmount = 0, totalAmount, ...entry }) => ({
          ...entry,
          totalAmount: Number(totalAmount) - Number(tipAmount),
        })),
  });
  const transactionID = await original(world);
  const body = { transactionID, amount: '2.00', currency: 'EUR' };
  const { moneyMoved } = await world.after(world.backOffice({ operation: 'tip-adjustment', body }));
  assert.equal(world.bank.netMoved(), 1200);
  assert.notEqual(moneyMoved, 'no');
});

for (const issuerResponseCode of ['85', '30', '11']) {
  test(`a refund that was made, and is answered with the code ${issuerResponseCode} of the issuer, is told as made`, async () => {
    const world = atOddService({
      answer: (request, serve) => {
        if (!request.url.endsWith('/moto/refund')) return undefined;
        return serve().then(({ status, body }) => {
          const said = { ...JSON.parse(body), issuerResponseCode, approvalCode: '' };
          return { status, body: JSON.stringify(said) };
        });
      },
    });
    const body = { originalGuid: await original(world), amount: '4.00', currency: 'EUR' };
    const { outcome } = await world.after(world.backOffice({ operation: 'moto/refund', body }));
    assert.deepEqual([outcome, world.bank.netMoved()], ['refunded', 600]);
  });
}
