import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import { THROTTLED } from '../../../harness/approved-twice.js';
import { type Payments, payments } from '../../../harness/payments.js';
import { NOT_FOUND, shown, told } from '../../../harness/two-attempts.js';

/** The own result of the first attempt cannot be read, but something else shows that it was charged. The second attempt leaves no trace. */

const ACCEPTED: HttpAnswer = {
  status: 202,
  body: JSON.stringify({ statusMessage: 'ok', transactionResultId: '10000001-77' }),
};
const APPROVED = { transactionID: 'one', finStatus: 'AUTHORISED', totalAmount: 1000 };
const UNREAD = { ...APPROVED, totalAmount: -1000 };
const DAYS = 3 * 24 * 3_600_000;

/** `first`: what the status service answers about the first attempt. */
async function secondLeavesNoTrace(first: HttpAnswer) {
  const sent: string[] = [];
  const world: Payments = payments({
    callbacks: true,
    engine: {
      send: async (http) => {
        const { operation, transactionReference } = JSON.parse(http.body ?? '{}');
        if (operation === 'sale') return sent.push(transactionReference) === 1 ? THROTTLED : ACCEPTED;
        if (operation !== undefined) return ACCEPTED;
        return sent.length > 1 && http.url.includes(`${sent[0]}/status`) ? first : NOT_FOUND;
      },
    },
  });
  await world.sale({}, { busyWaitMs: 60_000 });
  await world.clock.runUntil(() => sent.length === 2, 10_000);
  await world.clock.advance(60_000);
  const call = (result: object) => world.callback(sent[0] ?? '', result);
  return { world, call };
}

test('an attempt that the status service shows as charged is approved also if its own result cannot be read', async () => {
  const { world, call } = await secondLeavesNoTrace(shown('AUTHORISED'));
  await call(UNREAD);
  await world.clock.runUntilIdle(DAYS);
  assert.deepEqual(told(world).at(-1), ['done', 'approved', true, undefined]);
});

test('an attempt whose result is posted once more, and can be read then, is approved', async () => {
  const { world, call } = await secondLeavesNoTrace(NOT_FOUND);
  await call(UNREAD);
  await call(APPROVED);
  await world.clock.runUntilIdle(DAYS);
  assert.deepEqual(told(world).at(-1), ['done', 'approved', true, undefined]);
});

test('an attempt whose own result cannot be read, and which nothing else shows, is left to a person', async () => {
  const { world, call } = await secondLeavesNoTrace(NOT_FOUND);
  await call(UNREAD);
  await world.clock.runUntilIdle(DAYS);
  const { exit, payload } = world.told.at(-1) ?? assert.fail('nothing was told');
  assert.deepEqual([exit, payload.outcome, payload.moneyMoved], ['needs-attention', 'unknown', 'unknown']);
});
