import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotSentError } from '../../../../src/core/base/errors.js';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import { THROTTLED } from '../../../harness/approved-twice.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** A keyed payment arrives twice: the answer to its copy is 429, and it runs. The status service does not know it by our reference. */

const refusal = (status: number, number: number): HttpAnswer => ({ status, body: JSON.stringify({ error: number }) });
const THEN: readonly (readonly [string, HttpAnswer | Error])[] = [
  ['offline (1002)', refusal(500, 1002)],
  ['not assigned (1004)', refusal(500, 1004)],
  ['invalid (422)', { status: 422, body: JSON.stringify({ error: { statusCode: 422, name: 'ValidationError' } }) }],
  ['the connection is refused', new NotSentError('connection refused')],
];

/** @param then what every attempt after the first one gets */
async function keyed(then: HttpAnswer | Error, callbacks: boolean) {
  const attempts: string[] = [];
  const world: Payments = payments({
    callbacks,
    engine: {
      send: async (http) => {
        const body = JSON.parse(http.body ?? '{}');
        if (body.operation !== 'moToSale') return world.simulator.send(http);
        const isFirst = attempts.push(body.callbackUrl?.split('/').at(-1)) === 1;
        if (!isFirst && then instanceof Error) throw then;
        return isFirst || then instanceof Error ? THROTTLED : then;
      },
    },
  });
  await world.sale({ operation: 'moToSale' });
  const { payload } = await world.untilTold();
  return { world, payload, attempt: attempts[0] ?? '' };
}

for (const [what, then] of THEN) {
  test(`"not done" is not told after a 429, although the next attempt certainly did not begin: ${what}`, async () => {
    const { world, payload, attempt } = await keyed(then, true);
    const { outcome, moneyMoved, final, error } = payload;
    assert.deepEqual([outcome, moneyMoved, final, error?.code], ['unknown', 'unknown', false, 'ONLY_CALLBACK']);
    await world.callback(attempt, { type: 'MOTO_SALE', finStatus: 'AUTHORISED', totalAmount: 1000, currency: 'EUR' });
    const last = (await world.untilTold(2)).payload;
    assert.deepEqual([last.outcome, last.final, last.correction], ['approved', true, true]);
  });
}

for (const [name, then] of [['429 again', THROTTLED] as const, ...THEN.slice(0, 1)])
  test(`a callback long after the recovery limit is a correction, as nobody else says anything: ${name}`, async () => {
    const { world, attempt } = await keyed(then, true);
    await world.clock.advance(3_600_000);
    await world.callback(attempt, { type: 'MOTO_SALE', finStatus: 'AUTHORISED', totalAmount: 1000, currency: 'EUR' });
    const last = (await world.untilTold(2)).payload;
    assert.deepEqual([last.outcome, last.final, last.correction], ['approved', true, true]);
  });

for (const minutes of [1, 60])
  test(`once the only attempt that may have begun was declined, the refusal of the next one stands: after ${minutes} minutes`, async () => {
    const { world, attempt } = await keyed(refusal(500, 1002), true);
    await world.clock.advance(minutes * 60_000);
    await world.callback(attempt, { type: 'MOTO_SALE', finStatus: 'DECLINED', totalAmount: 1000, currency: 'EUR' });
    const last = (await world.untilTold(2)).payload;
    assert.deepEqual([last.outcome, last.moneyMoved, last.final, last.error?.code], ['refused', 'no', true, '1002']);
  });

test('a decline of one attempt says nothing of another one that met a 429', async () => {
  const { world, attempt } = await keyed(THROTTLED, true);
  await world.callback(attempt, { type: 'MOTO_SALE', finStatus: 'DECLINED', totalAmount: 1000, currency: 'EUR' });
  const last = (await world.untilTold(2, 3 * 24 * 3_600_000)).payload;
  assert.deepEqual([last.moneyMoved, last.error?.code], ['unknown', 'WATCH_ENDED']);
});

test('without a callback address a person has to look, and hears so once more in the end', async () => {
  const { world, payload } = await keyed(refusal(500, 1002), false);
  assert.deepEqual([payload.outcome, payload.final, payload.error?.code], ['unknown', false, 'NO_WITNESS']);
  const last = (await world.untilTold(2, 3 * 24 * 3_600_000)).payload;
  assert.deepEqual([last.outcome, last.final, last.error?.code], ['unknown', true, 'WATCH_ENDED']);
});

test('a cancel right after a 429 does not say that nothing was charged', async () => {
  const world: Payments = payments({
    engine: { send: async (http) => (http.url.endsWith('/transactions') ? THROTTLED : world.simulator.send(http)) },
  });
  const operationId = await world.sale({ operation: 'moToSale' });
  await world.clock.advance(500);
  world.engine.cancel(operationId);
  const { outcome, error } = (await world.untilTold()).payload;
  assert.deepEqual([outcome, error?.code], ['unknown', 'ONLY_CALLBACK']);
});
