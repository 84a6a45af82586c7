import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, HttpRequest } from '../../../../src/core/base/seams.js';
import { sleep } from '../../../../src/core/platform/sleep.js';
import { BUSY, THROTTLED } from '../../../harness/approved-twice.js';
import { type Payments, payments } from '../../../harness/payments.js';
import { NOT_FOUND, told } from '../../../harness/two-attempts.js';

const OFFLINE: HttpAnswer = { status: 400, body: JSON.stringify({ error: 1002, message: 'Device offline' }) };

/**
 * The first attempt has begun although it was answered 429. Its approval is called back after the deadline, while the request of
 * the second one is on its way, and its record has vanished from the status service.
 */
async function chargedBefore(refusal: HttpAnswer, secondChargesAfterMs?: number) {
  const sent: string[] = [];
  const reversed: string[] = [];
  const send = async (http: HttpRequest): Promise<HttpAnswer> => {
    const { operation, transactionReference, originalGuid } = JSON.parse(http.body ?? '{}');
    if (operation === 'sale') {
      if (sent.push(transactionReference) === 1) return THROTTLED;
      await sleep(world.clock, 10_000, new AbortController().signal);
      return refusal;
    }
    if (http.url.endsWith('/reversal')) {
      reversed.push(originalGuid);
      return { status: 200, body: JSON.stringify({ issuerResponseCode: '00', reversalGuid: 'back' }) };
    }
    return http.url.includes('/status') ? NOT_FOUND : world.simulator.send(http);
  };
  const world: Payments = payments({ callbacks: true, simulator: { cardholder: 'none' }, engine: { send } });
  await world.sale({}, { deadlineMs: 5000, lateApproval: 'reverse' });
  await world.clock.advance(8000);
  const [first = '', second] = sent;
  assert.ok(second, 'the second request is on its way');
  await world.callback(first, { transactionID: 'one', finStatus: 'AUTHORISED', totalAmount: 1000 });
  if (secondChargesAfterMs !== undefined) {
    await world.clock.advance(secondChargesAfterMs);
    await world.callback(second, { transactionID: 'two', finStatus: 'AUTHORISED', totalAmount: 1000 });
  }
  await world.clock.advance(900_000);
  return { ...world, reversed };
}

for (const [name, refusal] of [
  ['offline', OFFLINE],
  ['busy', BUSY],
  ['429', THROTTLED],
] as const) {
  test(`an attempt whose late approval came before the "${name}" of the next one goes back, although its record has vanished`, async () => {
    const world = await chargedBefore(refusal);
    assert.deepEqual(world.reversed, ['one']);
    assert.deepEqual(told(world).at(-1), ['not-done', 'cancelled', true, 'LATE_APPROVAL_REVERSED']);
  });
}

test('an attempt that was answered 429 beside a late approval has the time that a card takes before it counts as not begun', async () => {
  const world = await chargedBefore(THROTTLED, 60_000);
  assert.deepEqual(world.reversed.toSorted(), ['one', 'two']);
  assert.deepEqual(told(world), [
    ['needs-attention', 'unknown', false, 'OUTCOME_UNKNOWN'],
    ['not-done', 'cancelled', true, 'LATE_APPROVAL_REVERSED'],
  ]);
});
