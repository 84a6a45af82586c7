import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TransactionOperation } from '../../../../src/core/api/schema/operation-rules.js';
import { THROTTLED } from '../../../harness/approved-twice.js';
import { type Payments, payments } from '../../../harness/payments.js';
import { NOT_FOUND } from '../../../harness/two-attempts.js';

const ORIGINAL = '3f6a1c52-7d0e-4b8a-9c11-5e2f4a6b7c8d';

/** The first attempt is answered 429, and begins all the same; of the second one the flow is told. `call` posts a result of either. */
async function told(operation: TransactionOperation, type: string, totalAmount: number) {
  const addresses: string[] = [];
  const world: Payments = payments({
    engine: {
      send: async (request) => {
        const body = JSON.parse(request.body ?? '{}');
        if (body.operation !== operation)
          return request.url.includes('/status') ? NOT_FOUND : { status: 204, body: '' };
        if (addresses.push(body.callbackUrl.split('/').at(-1)) === 1) return THROTTLED;
        return { status: 202, body: JSON.stringify({ statusMessage: 'ok', transactionResultId: '10000001-1' }) };
      },
    },
  });
  const isRelease = operation === 'preAuthorizationReversal';
  const money = isRelease ? { amount: undefined, currency: undefined } : { amount: String(totalAmount) };
  await world.sale({ operation, ...money, originalTransactionId: ORIGINAL }, { busyWaitMs: 60_000 });
  await world.clock.advance(5000);
  const call = (place: number, transactionID: string) =>
    world.callback(addresses[place] ?? '', {
      transactionID,
      transactionReference: '',
      originalEFTTransactionID: ORIGINAL,
      finStatus: 'AUTHORISED',
      type,
      totalAmount,
      currency: 'EUR',
    });
  assert.equal(await call(1, 'two'), 'taken');
  await world.untilTold();
  return { world, call };
}

test('a hold that two attempts of one increase have raised is one alarm', async () => {
  const { world, call } = await told('preAuthorizationIncrease', 'PRE_AUTHORIZATION_INCREASE', 500);
  const [first] = world.told;
  assert.deepEqual([first?.payload.outcome, first?.payload.error], ['approved', undefined]);
  assert.equal(await call(1, 'two'), 'taken');
  assert.equal(await call(0, 'one'), 'taken');
  assert.equal(await call(0, 'one'), 'taken');
  await world.clock.advance(600_000);
  assert.deepEqual(world.late(), [['needs-attention', 'provisional', 'REVERSAL_UNPROVEN']]);
  assert.equal(world.told.length, 1);
});

test('one transaction that both attempts post is no second one', async () => {
  const { world, call } = await told('preAuthorizationIncrease', 'PRE_AUTHORIZATION_INCREASE', 500);
  assert.equal(await call(0, 'two'), 'taken');
  await world.clock.advance(600_000);
  assert.deepEqual(world.late(), []);
});

test('a hold that two attempts have released is released once', async () => {
  const { world, call } = await told('preAuthorizationReversal', 'PRE_AUTHORIZATION_REVERSAL', 1000);
  assert.equal(await call(0, 'one'), 'taken');
  await world.clock.advance(600_000);
  assert.deepEqual(world.late(), []);
});

test('that the chain shows an increase does not take back that a person has to look at a second one', async () => {
  const addresses: string[] = [];
  let hold = '';
  const increase = (transactionID: string) => ({
    transactionID,
    originalEFTTransactionID: hold,
    finStatus: 'AUTHORISED',
    type: 'PRE_AUTHORIZATION_INCREASE',
    totalAmount: 500,
    currency: 'EUR',
    customerReference: marks[0],
  });
  const marks: string[] = [];
  const shown: string[] = [];
  const world: Payments = payments({
    engine: {
      send: async (request) => {
        const body = JSON.parse(request.body ?? '{}');
        if (body.operation === 'preAuthorizationIncrease') {
          marks.push(body.customerReference);
          return addresses.push(body.callbackUrl.split('/').at(-1)) === 1 ? THROTTLED : { status: 502, body: '' };
        }
        const answer = await world.simulator.send(request);
        if (marks.length < 2 || !request.url.includes('/status')) return answer;
        return { ...answer, body: JSON.stringify([...JSON.parse(answer.body), ...shown.map(increase)]) };
      },
    },
  });
  hold = (await world.after(world.sale({ operation: 'preAuthorization' }))).transactionId;
  await world.clock.advance(60_000);
  await world.sale({ operation: 'preAuthorizationIncrease', amount: '500', originalTransactionId: hold });
  await world.clock.runUntil(() => addresses.length === 2, 60_000);
  await world.clock.advance(1);
  for (const [place, id] of ['one', 'two'].entries()) {
    const posted = { ...increase(id), transactionReference: '' };
    assert.equal(await world.callback(addresses[place] ?? '', posted), 'taken');
    shown.push(id);
    await world.clock.advance(10_000);
  }
  await world.clock.advance(3 * 24 * 3_600_000);
  assert.deepEqual(
    world.told.slice(1).map(({ payload: { final, error } }) => [final, error?.code]),
    [
      [false, 'REVERSAL_UNPROVEN'],
      [true, 'WATCH_ENDED'],
    ],
  );
});
