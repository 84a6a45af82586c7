import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerLostError } from '../../../../src/core/base/errors.js';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import { THROTTLED } from '../../../harness/approved-twice.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** Several attempts were refused for now, each of which may have begun: what one of them says is about that one alone. */

const NOT_ANSWERED = 'not answered';
/** One answer misses the record of the charge. */
const MISSED_ONCE = 'missed once';
const BUSY = { status: 400, body: JSON.stringify({ error: 1001, message: 'Device busy' }) };

/** Two attempts were answered 429, the third one "busy", and the flow has heard that nothing was done. */
async function refused() {
  const references: string[] = [];
  const reversed: string[] = [];
  const shown = new Map<number, string>();
  const entry = (place: number): Record<string, unknown> => ({
    finStatus: shown.get(place),
    type: 'SALE',
    transactionReference: references[place],
    transactionID: `transaction-${place}`,
    totalAmount: 1000,
    currency: 'EUR',
  });
  const answer = (body: unknown): HttpAnswer => ({ status: 200, body: JSON.stringify(body) });
  const w: Payments = payments({
    engine: {
      send: async (request) => {
        const body = JSON.parse(request.body ?? '{}');
        if (body.operation === 'sale') return references.push(body.transactionReference) <= 2 ? THROTTLED : BUSY;
        if (request.url.endsWith('/reversal')) {
          reversed.push(body.originalGuid);
          return answer({ issuerResponseCode: '00', reversalGuid: 'reversal' });
        }
        const place = references.findIndex((reference) => request.url.includes(reference));
        if (shown.get(place) === NOT_ANSWERED) throw new AnswerLostError('no answer');
        if (shown.get(place) === MISSED_ONCE) {
          shown.set(place, 'AUTHORISED');
          return answer([]);
        }
        return answer(shown.has(place) ? [entry(place)] : []);
      },
    },
  });
  await w.sale({}, { exclusiveTerminal: false });
  await w.untilTold();
  assert.deepEqual([w.told.at(-1)?.payload.moneyMoved, w.told.at(-1)?.payload.final], ['no', false]);
  const says = async (place: number, finStatus: string): Promise<void> => {
    shown.set(place, finStatus);
    await w.clock.advance(12_000);
  };
  const callback = (place: number, finStatus: string) =>
    w.callback(references[place] ?? '', { ...entry(place), finStatus, totalAmount: 1000 });
  return { ...w, reversed, shown, says, callback };
}

test('the decline of one attempt is not told where the gateway has approved another', async () => {
  const w = await refused();
  await w.says(0, 'DECLINED');
  await w.callback(0, 'DECLINED');
  await w.says(1, 'AUTHORISED');
  await w.clock.advance(600_000);
  assert.deepEqual([w.told.at(-1)?.payload.outcome, w.told.at(-1)?.payload.final], ['provisional', false]);
  await w.callback(1, 'AUTHORISED');
  await w.clock.advance(600_000);
  const { outcome, final, transactionId } = w.told.at(-1)?.payload ?? {};
  assert.deepEqual([outcome, final, transactionId], ['approved', true, 'transaction-1']);
});

test('the flow hears of the charge of one attempt at once, although nobody answers about another', async () => {
  const w = await refused();
  await w.says(1, NOT_ANSWERED);
  await w.says(0, 'AUTHORISED');
  const { outcome, moneyMoved } = w.told.at(-1)?.payload ?? {};
  assert.deepEqual([outcome, moneyMoved], ['provisional', 'unknown']);
});

test('the decline of one attempt ends nothing while another may still run', async () => {
  const w = await refused();
  await w.says(0, 'DECLINED');
  await w.callback(0, 'DECLINED');
  await w.clock.advance(60_000);
  assert.equal(w.told.at(-1)?.payload.final, false);
  await w.callback(1, 'AUTHORISED');
  await w.clock.advance(600_000);
  assert.deepEqual([w.told.at(-1)?.payload.outcome, w.told.at(-1)?.payload.final], ['approved', true]);
});

test('what one attempt leaves open is not covered by the decline of another', async () => {
  const w = await refused();
  await w.says(0, 'DECLINED');
  await w.says(1, 'IN_PROGRESS');
  await w.clock.advance(600_000);
  assert.deepEqual([w.told.at(-1)?.payload.moneyMoved, w.told.at(-1)?.payload.final], ['unknown', false]);
});

test('where all of them were declined, the flow hears that in the end', async () => {
  const w = await refused();
  for (const place of [0, 1]) {
    await w.says(place, 'DECLINED');
    await w.callback(place, 'DECLINED');
  }
  await w.clock.advance(600_000);
  const { moneyMoved, final } = w.told.at(-1)?.payload ?? {};
  assert.deepEqual([moneyMoved, final], ['no', true]);
});

test('the decline of one attempt is not told on one answer that misses the charge of another', async () => {
  const w = await refused();
  await w.says(0, 'DECLINED');
  // The charge shows when it is as late as it may be: 15 s after the limit.
  await w.clock.advance(354_000);
  w.shown.set(1, MISSED_ONCE);
  await w.clock.advance(60_000);
  const { outcome, final } = w.told.at(-1)?.payload ?? {};
  assert.deepEqual([outcome, final], ['provisional', false]);
});

test('that one attempt failed is not final on one answer that misses the charge of another', async () => {
  const w = await refused();
  await w.says(0, 'FAILED');
  await w.clock.advance(354_000);
  w.shown.set(1, MISSED_ONCE);
  await w.clock.advance(60_000);
  const { outcome, final } = w.told.at(-1)?.payload ?? {};
  assert.deepEqual([outcome, final], ['provisional', false]);
});
