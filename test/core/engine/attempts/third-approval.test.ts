import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer } from '../../../../src/core/base/seams.js';
import { turned, turnsTo } from '../../../../src/core/lifecycle/terminal/earlier-attempts.js';
import { begin, type LifecycleEvent, stepTerminal } from '../../../../src/core/lifecycle/terminal/lifecycle.js';
import { THROTTLED } from '../../../harness/approved-twice.js';
import { DEFAULT_POLICIES, type Payments, payments } from '../../../harness/payments.js';
import { told } from '../../../harness/two-attempts.js';

/** The first `busy` attempts are answered "busy"; one of them began all the same, and its callback is late. */
async function world(busy: number, policies = {}, simulator = {}) {
  const references: string[] = [];
  const reversed: string[] = [];
  const w: Payments = payments({
    simulator,
    engine: {
      send: async (request) => {
        const body = JSON.parse(request.body ?? '{}');
        if (body.operation === 'sale' && references.push(body.transactionReference) <= busy) return THROTTLED;
        if (body.operation === 'stopCurrentTransaction') return { status: 400, body: JSON.stringify({ error: 1003 }) };
        if (!request.url.endsWith('/reversal')) return w.simulator.send(request);
        reversed.push(body.originalGuid);
        return { status: 200, body: JSON.stringify({ issuerResponseCode: '00', reversalGuid: 'reversal' }) };
      },
    },
  });
  await w.sale({}, { busyWaitMs: 60_000, ...policies });
  const call = (reference: string, id: string) =>
    w.callback(reference, { transactionID: id, finStatus: 'AUTHORISED', totalAmount: 1000 });
  return { ...w, references, reversed, call };
}

test('an earlier attempt approved after the latest was reversed by the policy is no silence', async () => {
  const w = await world(1, { lateApproval: 'reverse', deadlineMs: 15_000 }, { cardholder: { tapAfterMs: 22_000 } });
  await w.clock.advance(900_000);
  const before = w.told.length + w.noticed.length;
  assert.equal(await w.call(w.references[0] ?? '', 'first'), 'taken');
  await w.clock.advance(900_000);
  assert.ok(w.told.length + w.noticed.length > before || w.reversed.includes('first'), 'nobody hears of the charge');
});

test('a third charge after the second was taken back is no silence', async () => {
  const w = await world(2, {});
  await w.clock.advance(120_000);
  await w.call(w.references[0] ?? '', 'first');
  await w.clock.advance(60_000);
  const before = w.noticed.length;
  assert.equal(await w.call(w.references[1] ?? '', 'second'), 'taken');
  await w.clock.advance(600_000);
  assert.ok(w.noticed.length > before || w.reversed.includes('second'), 'nobody hears of the third charge');
});

test('an approval of the other attempt while the first second one is being taken back is no silence', async () => {
  const w = await world(2, {});
  await w.clock.advance(120_000);
  await Promise.all([w.call(w.references[0] ?? '', 'first'), w.call(w.references[1] ?? '', 'second')]);
  await w.clock.advance(600_000);
  assert.ok(w.reversed.length === 2 || w.late().length > 1);
});

for (const finStatus of ['CANCELLED', 'DECLINED', 'FAILED'])
  test(`a late ${finStatus} of an earlier attempt contradicts no approval of the latest`, async () => {
    const w = await world(1, {});
    await w.clock.advance(120_000);
    const [first = ''] = w.references;
    assert.equal(await w.callback(first, { transactionID: 'first', finStatus, totalAmount: 0 }), 'taken');
    await w.clock.advance(60_000);
    assert.deepEqual(
      w.late().filter(([, , code]) => code === 'CONTRADICTED'),
      [],
    );
  });

test('a third charge that shows while the second is being taken back is no silence', async () => {
  const references: string[] = [];
  const reversed: string[] = [];
  const w: Payments = payments({
    engine: {
      send: async (request) => {
        const body = JSON.parse(request.body ?? '{}');
        if (body.operation === 'sale' && references.push(body.transactionReference) <= 2) return THROTTLED;
        if (!request.url.endsWith('/reversal')) return w.simulator.send(request);
        reversed.push(body.originalGuid);
        return {
          status: reversed.length < 4 ? 500 : 200,
          body: JSON.stringify({ issuerResponseCode: '00', reversalGuid: 'r' }),
        };
      },
    },
  });
  await w.sale({}, { busyWaitMs: 60_000 });
  await w.untilTold();
  const call = (n: number, id: string) =>
    w.callback(references[n] ?? '', { transactionID: id, finStatus: 'AUTHORISED', totalAmount: 1000 });
  await call(0, 'first');
  await w.clock.advance(2000);
  await call(1, 'second');
  await w.clock.advance(3 * 24 * 3_600_000);
  assert.ok(reversed.includes('second') || w.late().length > 1, 'nobody hears of the third charge');
});

/** Two attempts were answered 429 and began; of the third the test says how it is answered. The status service shows the first two. */
async function threeAttempts(answerToThird?: HttpAnswer, untilSent = 3) {
  const references: string[] = [];
  const reversed: string[] = [];
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const shown = (place: number): HttpAnswer => ({
    status: 200,
    body: JSON.stringify([
      {
        finStatus: 'AUTHORISED',
        type: 'SALE',
        transactionReference: references[place],
        transactionID: ['first', 'second'][place],
        totalAmount: 1000,
        currency: 'EUR',
      },
    ]),
  });
  const w: Payments = payments({
    engine: {
      send: async (request) => {
        const body = JSON.parse(request.body ?? '{}');
        const place = references.findIndex((reference) => request.url.includes(reference));
        if (body.operation === 'sale' && references.push(body.transactionReference) <= 2) return THROTTLED;
        if (body.operation === 'sale' && answerToThird !== undefined) return answered.then(() => answerToThird);
        if (place === 0 || place === 1) return shown(place);
        if (!request.url.endsWith('/reversal')) return w.simulator.send(request);
        reversed.push(body.originalGuid);
        return { status: 200, body: JSON.stringify({ issuerResponseCode: '00', reversalGuid: 'reversal' }) };
      },
    },
  });
  await w.sale({}, { busyWaitMs: 60_000, exclusiveTerminal: false });
  await w.clock.runUntil(() => references.length === untilSent, 60_000);
  const call = (place: number, id: string) =>
    w.callback(references[place] ?? '', { transactionID: id, finStatus: 'AUTHORISED', totalAmount: 1000 });
  return { ...w, reversed, call, answer };
}

const BUSY = { status: 400, body: JSON.stringify({ error: 1001, message: 'Device busy' }) };

test('where the latest attempt and one before it were approved, the other one before it is asked for as well', async () => {
  const w = await threeAttempts();
  await w.call(0, 'first');
  await w.clock.advance(900_000);
  assert.equal(w.told.at(-1)?.payload.moneyMoved, 'yes');
  const codes = w.noticed.map(({ delivery }) => delivery.payload.error?.code);
  assert.ok(w.reversed.includes('second') || codes.includes('REVERSAL_UNPROVEN'), 'nobody hears of the second charge');
});

test('of three charges the latest goes back, and then one of the other two', async () => {
  const w = await threeAttempts();
  await w.call(2, 'third');
  await w.call(0, 'first');
  await w.clock.advance(900_000);
  const [latest] = w.bank.entries();
  assert.deepEqual(w.reversed, [latest?.transactionId, 'second']);
  assert.deepEqual(told(w), [['done', 'approved', true, 'SECOND_ATTEMPT_REVERSED']]);
  assert.equal(w.told[0]?.payload.transactionId, 'first');
  assert.deepEqual(
    w.late().map(([, , code]) => code),
    ['SECOND_ATTEMPT_REVERSED'],
  );
});

test('where an earlier attempt was approved and the latest is refused, the other one is asked for, and goes back', async () => {
  const w = await threeAttempts(BUSY);
  await w.call(1, 'second');
  w.answer();
  await w.clock.advance(900_000);
  assert.deepEqual([w.told.at(-1)?.payload.moneyMoved, w.told.at(-1)?.payload.final], ['yes', true]);
  assert.deepEqual(w.reversed, ['first']);
});

test('where the latest attempt was approved although it was answered 429, the one before it is asked for, and goes back', async () => {
  const w = await threeAttempts(BUSY, 2);
  await w.call(1, 'second');
  await w.clock.advance(900_000);
  assert.deepEqual([w.told.at(-1)?.payload.moneyMoved, w.told.at(-1)?.payload.final], ['yes', true]);
  assert.deepEqual(w.reversed, ['first']);
});

test('a flow that was told "busy" hears at once that this is true no more, while the other attempts are asked for', () => {
  const error = { code: '1001', name: 'TERMINAL_BUSY', message: 'busy' };
  const throttled = { code: '429', name: 'TooManyRequestsError', message: 'Too many requests' };
  const events: [LifecycleEvent, number][] = [
    [{ type: 'refused', refusal: 'throttled', error: throttled }, 0],
    [{ type: 'tick' }, 1000],
    [{ type: 'leaving' }, 1000],
    [{ type: 'refused', refusal: 'busy', error }, 1000],
    [{ type: 'gateway', meaning: 'none', askedAt: 4000 }, 4000],
    [{ type: 'gateway', meaning: 'none', askedAt: 9000 }, 9000],
    [{ type: 'delivered', sequence: 1 }, 9000],
  ];
  const policies = { ...DEFAULT_POLICIES, exclusiveTerminal: false };
  let state = begin('sale', policies, true, 0);
  for (const [event, now] of events) state = stepTerminal(state, event, now).state;
  assert.deepEqual([state.phase, state.reported, state.pending], ['listening', 'refused', undefined]);
  const approval = { type: 'terminal', meaning: 'approved', via: 'callback', transactionId: 'one' } as const;
  assert.ok(turnsTo(state, approval));
  const heard = stepTerminal(turned(state, 'second'), approval, 20_000).state;
  assert.deepEqual([heard.phase, heard.pending?.verdict.outcome], ['waiting', 'unknown']);
});
