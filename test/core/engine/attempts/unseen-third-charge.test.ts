import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import { THROTTLED } from '../../../harness/approved-twice.js';
import { type Payments, payments } from '../../../harness/payments.js';

const NOT_FOUND: HttpAnswer = {
  status: 404,
  body: JSON.stringify({ error: { statusCode: 404, name: 'NotFoundError' } }),
};
const UNAVAILABLE: HttpAnswer = { status: 503, body: '' };

const record = (id: string, finStatus = 'AUTHORISED'): HttpAnswer => ({
  status: 200,
  body: JSON.stringify([{ transactionID: id, finStatus, totalAmount: 1000 }]),
});

/**
 * Two attempts were answered 429, and began all the same; the third is approved. The status service shows the first one.
 * @param shows what it shows of the second one, at each look since the third was sent
 */
async function thirdApproved(shows: (look: number) => HttpAnswer) {
  const references: string[] = [];
  const reversed: { id: unknown; at: number }[] = [];
  let looks = 0;
  const w: Payments = payments({
    engine: {
      send: async (request) => {
        const body = JSON.parse(request.body ?? '{}');
        if (body.operation === 'sale' && references.push(body.transactionReference) <= 2) return THROTTLED;
        if (request.url.endsWith('/reversal')) {
          reversed.push({ id: body.originalGuid, at: w.clock.now() });
          return { status: 200, body: JSON.stringify({ issuerResponseCode: '00', reversalGuid: 'reversal' }) };
        }
        const place = references.findIndex((reference) => request.url.includes(reference));
        if (place !== 0 && place !== 1) return w.simulator.send(request);
        if (references.length < 3) return NOT_FOUND;
        return place === 0 ? record('first') : shows(++looks);
      },
    },
  });
  await w.sale({}, { busyWaitMs: 60_000, exclusiveTerminal: false });
  const { payload } = await w.untilTold();
  assert.deepEqual([payload.outcome, payload.reference], ['approved', references[2]]);
  const toldAt = w.clock.now();
  await w.clock.advance(600_000);
  assert.equal(w.told.length, 1);
  assert.deepEqual(
    reversed.map(({ id }) => id),
    ['first'],
  );
  const alarms = w.late().map(([, , code]) => code);
  return { alarms, reversedAfter: (reversed[0]?.at ?? 0) - toldAt };
}

test('a third charge that the answer missed which showed the second one is for a person to look at', async () => {
  const { alarms } = await thirdApproved((look) => (look === 1 ? NOT_FOUND : record('second')));
  assert.deepEqual(alarms, ['REVERSAL_UNPROVEN', 'SECOND_ATTEMPT_REVERSED']);
});

test('where only two attempts have charged the second goes back within seconds, and nobody is asked to look', async () => {
  const { alarms, reversedAfter } = await thirdApproved(() => NOT_FOUND);
  assert.deepEqual(alarms, ['SECOND_ATTEMPT_REVERSED']);
  assert.ok(reversedAfter <= 10_000, `${reversedAfter} ms`);
});

test('a second charge goes back although nobody says whether there was a third one, and a person is asked to look', async () => {
  const { alarms, reversedAfter } = await thirdApproved((look) => (look === 1 ? NOT_FOUND : UNAVAILABLE));
  assert.deepEqual(alarms, ['REVERSAL_UNPROVEN']);
  assert.ok(reversedAfter <= 30_000, `${reversedAfter} ms`);
});

test('a third attempt whose record never says how it ended is for a person to look at', async () => {
  const { alarms } = await thirdApproved(() => record('second', 'IN_PROGRESS'));
  assert.deepEqual(alarms, ['REVERSAL_UNPROVEN']);
});
