import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** Answers of the back office that say one thing, and show another. */

/** A hold of 10.00 EUR, changed at a service whose answer to that is replaced. `isDone: false`: it does nothing. */
async function change(
  by: string,
  body: object | undefined,
  { isDone = true, isKnown = true }: { isDone?: boolean; isKnown?: boolean } = {},
) {
  const world: Payments = payments({
    callbacks: false,
    engine: {
      send: async (request): Promise<HttpAnswer> => {
        if (!request.url.endsWith('/preauthorization/increase') || body === undefined)
          return world.simulator.send(request);
        if (isDone) await world.simulator.send(request);
        return { status: 200, body: JSON.stringify(body) };
      },
    },
  });
  const hold = isKnown
    ? (await world.after(world.sale({ operation: 'preAuthorization' }))).transactionId
    : (world.simulator.other.preAuthorise({ amount: 1000 }) ?? '');
  await world.clock.advance(20_000);
  const subtract = by.startsWith('-') ? { subtract: '1' as const } : {};
  const more = { originalGuid: hold, increaseAmount: by.replace('-', ''), currency: 'EUR', ...subtract };
  const payload = await world.after(world.backOffice({ operation: 'preauthorization/increase', body: more }));
  return { world, payload };
}

const saidOf = ({ outcome, moneyMoved, source, amount }: ResultPayload) => [
  outcome,
  moneyMoved,
  source,
  amount?.total,
  amount?.hold,
];

const UNCHANGED = { httpStatus: 200, holdAmount: '10.00', increaseAmount: '2.00', currency: 'EUR' };

for (const by of ['2.00', '-2.00']) {
  test(`a change of a hold by ${by} that was not done is not told as approved, although the answer has a hold`, async () => {
    const { world, payload } = await change(by, UNCHANGED, { isDone: false });
    assert.deepEqual(saidOf(payload).slice(0, 4), ['not-charged', 'no', 'status', '0.00']);
    assert.equal(world.bank.netHeld(), 1000);
  });
}

test('an increase that is answered with the hold as it was before, and was done, is told as approved by its entry', async () => {
  const { world, payload } = await change('2.00', UNCHANGED);
  assert.deepEqual(saidOf(payload).slice(0, 4), ['approved', 'no', 'status', '2.00']);
  assert.equal(world.bank.netHeld(), 1200);
});

test('an increase of a hold of which nobody knows what was held before is told as it is answered', async () => {
  const { payload } = await change('2.00', UNCHANGED, { isKnown: false });
  assert.deepEqual(saidOf(payload).slice(0, 3), ['approved', 'no', 'answer']);
});

test('a decrease that is answered with less is told as it is answered', async () => {
  const { world, payload } = await change('-2.00', undefined);
  assert.deepEqual(saidOf(payload), ['approved', 'no', 'answer', '2.00', '8.00']);
  assert.equal(world.bank.netHeld(), 800);
});

test('an increase that is declined inside a 200, and was done, is told with the amounts and the code of its entry', async () => {
  const declined = { finStatus: 'DECLINED', issuerResponseCode: '05', holdAmount: '10.00', increaseAmount: '0.00' };
  const { payload } = await change('2.00', declined);
  assert.deepEqual(saidOf(payload), ['approved', 'no', 'status', '2.00', '12.00']);
  assert.deepEqual([payload.issuerCode, payload.result?.finStatus], ['00', 'AUTHORISED']);
});

test('an increase that is declined inside a 200, and was not done, is told with the code of the decline', async () => {
  const declined = { finStatus: 'DECLINED', issuerResponseCode: '05', holdAmount: '10.00', increaseAmount: '0.00' };
  const { payload } = await change('2.00', declined, { isDone: false });
  assert.deepEqual(saidOf(payload).slice(0, 4), ['declined', 'no', 'status', '0.00']);
  assert.deepEqual([payload.issuerCode, payload.result?.finStatus], ['05', 'DECLINED']);
});

/** An increase by 2.00 EUR, during which `meanwhile` happens. */
async function increasedWhile(meanwhile: (world: Payments, hold: string, again: () => Promise<HttpAnswer>) => unknown) {
  const world: Payments = payments({
    callbacks: false,
    engine: {
      send: async (request): Promise<HttpAnswer> => {
        const send = () => world.simulator.send(request);
        if (!request.url.endsWith('/preauthorization/increase')) return send();
        await meanwhile(world, JSON.parse(request.body ?? '{}').originalGuid, send);
        return send();
      },
    },
  });
  const { transactionId: originalGuid = '' } = await world.after(world.sale({ operation: 'preAuthorization' }));
  await world.clock.advance(20_000);
  const body = { originalGuid, increaseAmount: '2.00', currency: 'EUR' };
  return { world, payload: await world.after(world.backOffice({ operation: 'preauthorization/increase', body })) };
}

test('an increase that a proxy has sent on twice is left to a person', async () => {
  const { world, payload } = await increasedWhile((_world, _hold, again) => again());
  assert.equal(world.bank.netHeld(), 1400);
  assert.deepEqual([payload.outcome, payload.final, world.told.at(-1)?.exit], ['unknown', false, 'needs-attention']);
});

test('an increase while another till increases the same hold is told as approved by its entry', async () => {
  const { world, payload } = await increasedWhile(({ simulator }, hold) => simulator.other.increase(hold, 300));
  assert.equal(world.bank.netHeld(), 1500);
  assert.deepEqual(saidOf(payload).slice(0, 4), ['approved', 'no', 'status', '2.00']);
});
