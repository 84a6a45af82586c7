import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, HttpRequest } from '../../../../src/core/base/seams.js';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** Reversals that are answered as those of a sale are: without a status and a type, which say that a hold was released. */

function answeredAsSale(changes: object = {}): Payments {
  const world: Payments = payments({
    engine: {
      send: async (request: HttpRequest): Promise<HttpAnswer> => {
        const answer = await world.simulator.send(request);
        if (!request.url.endsWith('/reversal') || answer.status !== 200) return answer;
        const { finStatus: _finStatus, type: _type, ...body } = JSON.parse(answer.body);
        return { ...answer, body: JSON.stringify({ ...body, ...changes }) };
      },
    },
  });
  return world;
}

const saidOf = ({ outcome, moneyMoved, final, source }: ResultPayload) => [outcome, moneyMoved, final, source];

test('the release of a hold that is answered as a reversal of a sale is not told as money that went back', async () => {
  const world = answeredAsSale();
  const { transactionId: originalGuid = '' } = await world.after(world.sale({ operation: 'preAuthorization' }));
  await world.clock.advance(20_000);
  const told = await world.after(world.backOffice({ operation: 'reversal', body: { originalGuid } }));
  assert.deepEqual([world.bank.netMoved(), world.bank.netHeld()], [0, 0]);
  assert.deepEqual(saidOf(told), ['completed', 'no', true, 'status']);
});

test('the same for a hold of another system, whose chain the answer names', async () => {
  const world = answeredAsSale();
  const originalGuid = world.simulator.other.preAuthorise({ amount: 1000 }) ?? '';
  await world.clock.advance(20_000);
  const told = await world.after(world.backOffice({ operation: 'reversal', body: { originalGuid } }));
  assert.equal(world.bank.netHeld(), 0);
  assert.deepEqual(saidOf(told), ['completed', 'no', true, 'status']);
});

test('a reversal of a payment of another system that nobody can be asked about is told as the shape of its answer says', async () => {
  const world = answeredAsSale({ transactionReference: undefined });
  const originalGuid = world.simulator.other.sale({ amount: 1000 }) ?? '';
  await world.clock.advance(20_000);
  const told = await world.after(world.backOffice({ operation: 'reversal', body: { originalGuid } }));
  assert.equal(world.bank.netMoved(), 0);
  assert.deepEqual(saidOf(told), ['refunded', 'yes', true, 'answer']);
});

/**
 * Lets a hold go as a whole, whatever amount it was asked for.
 * @param said the amount in its answer
 * @param totalAmount that of its entry in the chain, where it is not that of the hold
 */
function releasingAll(said: object, totalAmount?: number): Payments {
  const listed = (entry: { type?: string }): object =>
    entry.type === 'PRE_AUTHORIZATION_REVERSAL' && totalAmount !== undefined ? { ...entry, totalAmount } : entry;
  const world: Payments = payments({
    engine: {
      send: async (request: HttpRequest): Promise<HttpAnswer> => {
        if (!request.url.endsWith('/reversal')) {
          const answer = await world.simulator.send(request);
          const isChain = request.url.endsWith('/status/all') && answer.status === 200;
          return isChain ? { ...answer, body: JSON.stringify(JSON.parse(answer.body).map(listed)) } : answer;
        }
        const { amount: _amount, currency: _currency, ...asked } = JSON.parse(request.body ?? '{}');
        const { status, body } = await world.simulator.send({ ...request, body: JSON.stringify(asked) });
        return { status, body: JSON.stringify({ ...JSON.parse(body), ...said }) };
      },
    },
  });
  return world;
}

for (const [what, said] of [
  ['names all of it', {}],
  ['names the part', { amount: '4.00' }],
  ['names no amount', { amount: undefined }],
] as const) {
  test(`a hold of which a part was to be released, and all was, needs attention (its answer ${what})`, async () => {
    const world = releasingAll(said);
    const { transactionId: originalGuid = '' } = await world.after(world.sale({ operation: 'preAuthorization' }));
    await world.clock.advance(20_000);
    const body = { originalGuid, amount: '4.00', currency: 'EUR' };
    const told = await world.after(world.backOffice({ operation: 'reversal', body }));
    assert.equal(world.bank.netHeld(), 0);
    assert.deepEqual(saidOf(told), ['partial', 'no', true, 'status']);
    assert.deepEqual(
      [told.error?.code, told.amount?.requested, told.amount?.total],
      ['AMOUNT_DIFFERS', '4.00', '10.00'],
    );
  });
}

for (const [asked, outcome] of [
  [{ amount: '10.00', currency: 'EUR' }, 'completed'],
  [{ amount: '4.00', currency: 'EUR' }, 'partial'],
  [{}, 'completed'],
] as const) {
  test(`an amount of zero in the entry of a release says nothing against all of the hold (asked for: ${asked.amount ?? 'no amount'})`, async () => {
    const world = releasingAll({}, 0);
    const { transactionId: originalGuid = '' } = await world.after(world.sale({ operation: 'preAuthorization' }));
    await world.clock.advance(20_000);
    const told = await world.after(world.backOffice({ operation: 'reversal', body: { originalGuid, ...asked } }));
    assert.equal(world.bank.netHeld(), 0);
    assert.deepEqual(saidOf(told), [outcome, 'no', true, 'status']);
  });
}
