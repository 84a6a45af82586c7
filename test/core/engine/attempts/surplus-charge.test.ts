import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import { THROTTLED } from '../../../harness/approved-twice.js';
import { type Payments, payments } from '../../../harness/payments.js';

const HOUR = 3_600_000;
const UNAVAILABLE: HttpAnswer = { status: 503, body: '' };
const REVERSED: HttpAnswer = {
  status: 200,
  body: JSON.stringify({ issuerResponseCode: '00', reversalGuid: 'reversal' }),
};

const record = (id: string, finStatus = 'AUTHORISED'): HttpAnswer => ({
  status: 200,
  body: JSON.stringify([{ transactionID: id, finStatus, totalAmount: 1000 }]),
});

/**
 * Two attempts were answered 429, and were charged all the same. The answer to the third is lost, and nobody says how it ends.
 * @param reversal what the service answers to a reversal; what it took back shows as reversed from then on
 * @param third what the status service shows of the third attempt, so many ms after the sale was asked for
 * @param note of a person who takes it back while the engine tries to
 */
async function twoChargedOneUnclear(
  reversal: () => HttpAnswer,
  third: (age: number) => HttpAnswer = () => record('third', 'IN_PROGRESS'),
  note?: string,
) {
  const references: string[] = [];
  const asked: string[] = [];
  const back = new Set<string>();
  const w: Payments = payments({
    engine: {
      send: async (request) => {
        const body = JSON.parse(request.body ?? '{}');
        if (body.operation === 'sale') return references.push(body.transactionReference) <= 2 ? THROTTLED : UNAVAILABLE;
        if (request.url.endsWith('/reversal')) {
          asked.push(body.originalGuid);
          const answer = reversal();
          if (note !== undefined) {
            const [open] = await w.engine.find({ operationId });
            assert.ok(open);
            await w.engine.annotate(open, { event: 'handled', by: 'ann', note });
            back.add(body.originalGuid);
          }
          if (answer === REVERSED) back.add(body.originalGuid);
          return answer;
        }
        const place = references.findIndex((reference) => request.url.includes(reference));
        if (place === 2) return third(w.clock.now() - began);
        const id = place === 0 ? 'first' : 'second';
        return place < 0 ? w.simulator.send(request) : record(id, back.has(id) ? 'REVERSED' : 'AUTHORISED');
      },
    },
  });
  const began = w.clock.now();
  const operationId = await w.sale({}, { busyWaitMs: 60_000, exclusiveTerminal: false });
  await w.untilTold();
  await w.clock.advance(HOUR);
  const soon = [...asked];
  await w.clock.advance(49 * HOUR);
  return { asked, soon, told: w.told.map(({ payload }) => [payload.outcome, payload.error?.code, payload.final]) };
}

test('of two charges one goes back although nobody says what became of the latest attempt', async () => {
  const { asked, soon, told } = await twoChargedOneUnclear(() => REVERSED);
  assert.deepEqual([soon, asked], [['second'], ['second']], 'once, and long before the watch ends');
  assert.deepEqual(told.at(-1), ['unknown', 'WATCH_ENDED', true]);
});

test('once the latest attempt shows as declined the operation is the charge that was left', async () => {
  const { asked, told } = await twoChargedOneUnclear(
    () => REVERSED,
    (age) => record('third', age < 2 * HOUR ? 'IN_PROGRESS' : 'DECLINED'),
  );
  assert.deepEqual(asked, ['second']);
  assert.deepEqual(told.at(-1), ['approved', 'SECOND_ATTEMPT_REVERSED', true]);
});

test('a person who has given one of two charges back is not followed by a reversal, and the watch goes on', async () => {
  const { asked, told } = await twoChargedOneUnclear(
    () => THROTTLED,
    (age) => record('third', age < 2 * HOUR ? 'IN_PROGRESS' : 'DECLINED'),
    'a person gives it back',
  );
  assert.deepEqual(asked, ['second']);
  assert.deepEqual(told.at(-1)?.[0], 'approved');
});

test('a reversal of one of two charges that nobody confirms is for a person, and none follows', async () => {
  const { asked, soon, told } = await twoChargedOneUnclear(() => UNAVAILABLE);
  assert.deepEqual(new Set(asked), new Set(['second']));
  assert.equal(asked.length, soon.length, 'a person may have taken it back since');
  assert.ok(told.some(([, code]) => code === 'REVERSAL_UNPROVEN'));
  assert.deepEqual(told.at(-1), ['unknown', 'WATCH_ENDED', true]);
});
