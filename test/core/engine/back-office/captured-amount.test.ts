import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import { capturedAs } from '../../../../src/core/lifecycle/back-office/amounts.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** What the answer to a capture says of the amount, in whichever field. */

type Body = Record<string, unknown>;

/**
 * A capture of 8.00 EUR of a hold of 10.00, whose answer is bent. `taken`: what the service captures instead of what it was asked for.
 */
async function captured(answer: (body: Body) => Body, tipAmount?: string, taken?: Body): Promise<ResultPayload> {
  const world: Payments = payments({
    callbacks: false,
    engine: {
      send: async (request) => {
        if (!request.url.endsWith('/capture')) return world.simulator.send(request);
        const asked =
          taken === undefined ? request.body : JSON.stringify({ ...JSON.parse(request.body ?? ''), ...taken });
        const { status, body } = await world.simulator.send({ ...request, body: asked });
        if (status !== 200) return { status, body };
        const { capturedAmount: _captured, tipAmount: _tip, ...bare } = JSON.parse(body);
        return { status, body: JSON.stringify(answer(bare)) };
      },
    },
  });
  const { transactionId: originalGuid = '' } = await world.after(world.sale({ operation: 'preAuthorization' }));
  await world.clock.advance(20_000);
  const tip = tipAmount === undefined ? {} : { tipAmount };
  const body = { originalGuid, capturedAmount: '8.00', currency: 'EUR', ...tip };
  return world.after(world.backOffice({ operation: 'preauthorization/capture', body }));
}

const saidOf = ({ outcome, moneyMoved, error, amount }: ResultPayload) => [
  outcome,
  moneyMoved,
  error?.code,
  amount?.total,
];

test('a capture that names less than was asked for in "amount" alone is told with that amount', async () => {
  const payload = await captured((body) => ({ ...body, amount: '6.00' }), undefined, { capturedAmount: '6.00' });
  assert.deepEqual(saidOf(payload), ['partial', 'partly', 'AMOUNT_DIFFERS', '6.00']);
});

test('a capture whose tip was left out is told with what was captured', async () => {
  const said = { amount: '8.00', tipAmount: '0.00' };
  const payload = await captured((body) => ({ ...body, ...said }), '1.00', { tipAmount: '0.00' });
  assert.deepEqual(saidOf(payload), ['partial', 'partly', 'AMOUNT_DIFFERS', '8.00']);
});

test('a capture that names its amount in capitals or not, with the tip or without, or no amount at all, is told as asked for', async () => {
  for (const said of [
    {},
    { amount: '' },
    { amount: '8.00' },
    { amount: '9.00' },
    { amount: '9.00', tipAmount: '1.00' },
  ]) {
    for (const currency of ['EUR', 'eur', '']) {
      const payload = await captured((body) => ({ ...body, ...said, currency }), '1.00');
      assert.deepEqual(saidOf(payload), ['approved', 'yes', undefined, '9.00'], JSON.stringify([said, currency]));
    }
  }
});

test('a capture with a surcharge is told as asked for, and the surcharge on top, whether or not its one amount contains it', async () => {
  for (const amount of ['8.00', '8.50']) {
    const payload = await captured((body) => ({ ...body, amount, surcharge: { amount: '0.50' } }));
    assert.deepEqual(saidOf(payload), ['approved', 'yes', undefined, '8.50'], amount);
  }
});

test('beside the captured amount another one decides nothing', async () => {
  const payload = await captured((body) => ({ ...body, capturedAmount: '8.00', amount: '10.00' }));
  assert.deepEqual(saidOf(payload), ['approved', 'yes', undefined, '8.00']);
});

test('an answer that names another amount or currency, in small letters too, proves nothing: what the chain shows is told', async () => {
  for (const said of [
    { amount: '6.00' },
    { capturedAmount: '6.00', currency: 'eur' },
    { capturedAmount: '8.00', currency: 'usd' },
    { currency: 'usd' },
  ]) {
    const payload = await captured((body) => ({ ...body, ...said }));
    assert.deepEqual(saidOf(payload), ['approved', 'yes', undefined, '8.00'], JSON.stringify(said));
    assert.equal(payload.source, 'status', JSON.stringify(said));
  }
});

test('an amount that stands alone, and contains the tip that was asked for, is as much as was asked for', () => {
  const asked = { currency: 'EUR', amount: 1000n, tip: 200n };
  for (const amount of ['12.00', '10.00'])
    assert.equal(capturedAs(asked, { amount, tipAmount: '2.00', currency: 'EUR' }).amount, '10.00', amount);
});
