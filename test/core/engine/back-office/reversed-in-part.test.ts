import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, HttpRequest } from '../../../../src/core/base/seams.js';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** Reversals of the whole that are answered with another amount than was there to take back. */

const DONE = { httpStatus: 200, issuerResponseCode: '00' };

/** A service that answers a reversal with `answer`. `part`: it takes back only so much, in major units, once. */
function answering(answer: object, part?: string): Payments {
  let first: HttpAnswer | undefined;
  const world: Payments = payments({
    engine: {
      send: async (request: HttpRequest): Promise<HttpAnswer> => {
        if (!request.url.endsWith('/reversal')) return world.simulator.send(request);
        const asked = { ...JSON.parse(request.body ?? '{}'), ...(part && { amount: part, currency: 'EUR' }) };
        first ??= await world.simulator.send({ ...request, body: JSON.stringify(asked) });
        const { reversalGuid } = JSON.parse(first.body);
        return { status: 200, body: JSON.stringify({ ...DONE, ...answer, reversalGuid }) };
      },
    },
  });
  return world;
}

const reverse = (world: Payments, originalGuid: string | undefined): Promise<ResultPayload> =>
  world.after(world.backOffice({ operation: 'reversal', body: { originalGuid: originalGuid ?? '' } }));

const saidOf = ({ outcome, moneyMoved, amount, error }: ResultPayload) => [
  outcome,
  moneyMoved,
  amount?.requested,
  amount?.total,
  error?.code,
];

for (const currency of ['EUR', undefined]) {
  test(`a reversal of the whole that is answered with a part, in ${currency}, is told as that part`, async () => {
    const world = answering({ amount: '4.00', currency }, '4.00');
    const { transactionId } = await world.after(world.sale());
    await world.clock.advance(20_000);
    const told = await reverse(world, transactionId);
    assert.equal(world.bank.netMoved(), 600);
    assert.deepEqual(saidOf(told), ['partial', 'partly', '10.00', '4.00', 'AMOUNT_DIFFERS']);
    assert.equal(world.told.at(-1)?.exit, 'needs-attention');
  });
}

test('a reversal of the whole that is answered with a part right after the sale is told as that part', async () => {
  const world = answering({ amount: '4.00', currency: 'EUR' }, '4.00');
  const { transactionId } = await world.after(world.sale());
  assert.deepEqual(saidOf(await reverse(world, transactionId)), [
    'partial',
    'partly',
    '10.00',
    '4.00',
    'AMOUNT_DIFFERS',
  ]);
});

test('a reversal of the whole that is answered in another currency is told as the chain shows it', async () => {
  const world = answering({ amount: '10.00', currency: 'USD' });
  const { transactionId } = await world.after(world.sale());
  const told = await reverse(world, transactionId);
  assert.deepEqual(saidOf(told), ['refunded', 'yes', '10.00', '10.00', undefined]);
  assert.equal(told.source, 'status');
});

test('a reversal of a capture that is answered with a part, as a release, is told as money that went back in part', async () => {
  const world = answering({ amount: '4.00', currency: 'EUR', type: 'PRE_AUTHORIZATION_REVERSAL' }, '4.00');
  const { transactionId: hold = '' } = await world.after(world.sale({ operation: 'preAuthorization' }));
  const body = { originalGuid: hold, capturedAmount: '10.00', currency: 'EUR' };
  const { transactionId } = await world.after(world.backOffice({ operation: 'preauthorization/capture', body }));
  const told = await reverse(world, transactionId);
  assert.equal(world.bank.netMoved(), 600);
  assert.deepEqual(saidOf(told), ['partial', 'partly', '10.00', '4.00', 'AMOUNT_DIFFERS']);
});

test('a tip that another system has set goes back with the rest: more than the journal knows of is told as done', async () => {
  const world = answering({ amount: '12.00', currency: 'EUR' });
  const { transactionId } = await world.after(world.sale());
  world.simulator.other.tip(transactionId ?? '', 200);
  const told = await reverse(world, transactionId);
  assert.equal(world.bank.netMoved(), 0);
  assert.deepEqual(saidOf(told), ['refunded', 'yes', '12.00', '12.00', undefined]);
});

for (const isAfterToken of [false, true])
  test(`a tip that another system has taken away is no part that is missing, right after a token was made: ${isAfterToken}`, async () => {
    const world = answering({ amount: '10.00', currency: 'EUR' });
    const { transactionId: transactionID = '' } = await world.after(world.sale());
    const body = { transactionID, amount: '2.00', currency: 'EUR' };
    await world.after(world.backOffice({ operation: 'tip-adjustment', body }));
    world.simulator.other.tip(transactionID, 0);
    await world.clock.advance(30_000);
    if (isAfterToken) await world.after(world.backOffice({ operation: 'token', body: { transactionID } }));
    const told = await reverse(world, transactionID);
    assert.equal(world.bank.netMoved(), 0);
    assert.deepEqual(saidOf(told), ['refunded', 'yes', '10.00', '10.00', undefined]);
  });
