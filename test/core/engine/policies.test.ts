import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, HttpRequest } from '../../../src/core/base/seams.js';
import { type Annotation, UNREADABLE_ANNOTATION } from '../../../src/core/journal/annotation.js';
import { MemoryJournal } from '../../../src/core/journal/memory.js';
import type { BackOfficeOrder } from '../../../src/core/operation/back-office-order.js';
import type { Cardholder } from '../../../src/simulator/index.js';
import { type Payments, payments } from '../../harness/payments.js';

const MINUTE = 60_000;
const SUMMARY: BackOfficeOrder = {
  operation: 'batch/summary',
  body: { serialNumber: '10000001', deviceType: 'SIMULATEDT1', batchNumber: '1' },
};
const post = { endpoint: 'POST /transactions' };

function said(world: Payments): string[] {
  return world.told.map(
    ({ exit, payload: { outcome, moneyMoved, error, correction } }) =>
      `${exit}: ${outcome}, moved ${moneyMoved}${error ? `, ${error.code}` : ''}${correction ? ' (correction)' : ''}`,
  );
}

test('a partial approval is reported', async () => {
  const world = payments();
  await world.sale({ amount: '3757' });
  const { payload } = await world.untilTold();
  assert.deepEqual(said(world), ['needs-attention: partial, moved partly']);
  assert.equal(payload.retry, 'remainder-only');
  assert.equal(payload.amount?.total, '11.00');
  assert.equal(payload.amount?.due, '26.57');
});

test('a partial approval that names no amount is a question until the status service says how much', async () => {
  const world = payments();
  world.simulator.faults.arm({ kind: 'result-empty-amounts' });
  await world.sale({ amount: '3757' });
  await world.untilTold();
  assert.deepEqual(said(world), ['needs-attention: provisional, moved unknown, APPROVAL_UNCONFIRMED']);
  const { payload } = await world.untilTold(2, 3 * 24 * 60 * MINUTE);
  assert.deepEqual([payload.outcome, payload.amount?.total, payload.amount?.due], ['partial', '11.00', '26.57']);
});

test('a partial approval is reversed as a whole by policy, and reported once that is proven', async () => {
  const world = payments();
  await world.sale({ amount: '3757' }, { partialApproval: 'reverse' });
  await world.untilTold();
  assert.deepEqual(said(world), ['not-done: cancelled, moved no, PARTIAL_APPROVAL_REVERSED']);
  assert.equal(world.bank.netMoved(), 0);
  await world.clock.runUntilIdle();
  assert.equal(world.told.length, 1);
});

test('a partial approval that the cardholder refuses is reported as not done, however late the status service sees it', async () => {
  const world = payments({
    callbacks: false,
    simulator: { cardholder: { acceptPartial: false, answerAfterMs: 20_000 } },
  });
  await world.sale({ amount: '3757' });
  await world.untilTold();
  await world.clock.runUntilIdle();
  assert.equal(world.told.length, 1);
  assert.equal(world.told[0]?.exit, 'not-done');
  assert.equal(world.bank.netMoved(), 0);
});

test('after its deadline the terminal is stopped, and a card that was never presented is reported as not done', async () => {
  const world = payments({ simulator: { cardholder: 'none' } });
  await world.sale({}, { deadlineMs: 20_000 });
  const before = world.clock.now();
  await world.untilTold();
  assert.ok(world.started.includes('stopCurrentTransaction'));
  assert.ok(world.clock.now() - before < 60_000, `reported after ${world.clock.now() - before} ms`);
  assert.equal(world.told[0]?.exit, 'not-done');
  assert.equal(world.bank.netMoved(), 0);
});

/** Taps just before the terminal is asked to stop, so that the approval comes after the deadline. */
const tapsAtTheLastMoment: Cardholder = ({ stage }) => {
  if (stage === 'awaiting-card') return { afterMs: 19_500, act: { do: 'present-card' } };
  return stage === 'remove-card' ? { afterMs: 100, act: { do: 'remove-card' } } : undefined;
};

test('an approval after the deadline is reported where the policy says so', async () => {
  const world = payments({ simulator: { cardholder: tapsAtTheLastMoment } });
  await world.sale({}, { deadlineMs: 20_000 });
  await world.untilTold();
  assert.deepEqual(said(world), ['done: approved, moved yes']);
});

test('an approval after the deadline is reversed by policy, and the reversal is proven before the flow gets the result', async () => {
  const world = payments({ simulator: { cardholder: tapsAtTheLastMoment } });
  await world.sale({}, { deadlineMs: 20_000, lateApproval: 'reverse' });
  await world.untilTold();
  assert.deepEqual(said(world), ['not-done: cancelled, moved no, LATE_APPROVAL_REVERSED']);
  assert.equal(world.bank.netMoved(), 0);
  assert.ok(world.progress.some(({ stage }) => stage === 'reversing'));
});

test('an approval that only the status service knows is reversed by policy at the recovery limit', async () => {
  const world = payments({ callbacks: false });
  world.simulator.faults.arm({ kind: 'answer-lost', match: post });
  await world.sale({}, { lateApproval: 'reverse' });
  await world.untilTold();
  assert.deepEqual(said(world), ['not-done: cancelled, moved no, LATE_APPROVAL_REVERSED']);
  assert.equal(world.bank.netMoved(), 0);
});

test('a reversal whose answer is lost is proven by the status service, and never done twice', async () => {
  const world = payments({ simulator: { cardholder: tapsAtTheLastMoment } });
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /reversal' } });
  await world.sale({}, { deadlineMs: 20_000, lateApproval: 'reverse' });
  await world.untilTold();
  assert.deepEqual(said(world), ['not-done: cancelled, moved no, LATE_APPROVAL_REVERSED']);
  assert.equal(world.bank.netMoved(), 0);
  assert.equal(world.bank.entries().filter(({ kind }) => kind === 'reversal').length, 1);
});

test('a reversal by policy that the rate limit refuses is sent again within a few seconds', async () => {
  const world = payments({ simulator: { cardholder: tapsAtTheLastMoment } });
  world.simulator.faults.arm({ kind: 'rate-limited', match: { endpoint: 'POST /reversal' }, times: 2 });
  await world.sale({}, { deadlineMs: 20_000, lateApproval: 'reverse' });
  const before = world.clock.now();
  await world.untilTold();
  assert.deepEqual(said(world), ['not-done: cancelled, moved no, LATE_APPROVAL_REVERSED']);
  assert.ok(world.clock.now() - before < 60_000, `reported after ${world.clock.now() - before} ms`);
});

test('a reversal by policy that is answered with that of another payment, and was not done, is sent again', async () => {
  let isFirst = true;
  const other = '11111111-1111-4111-8111-111111111111';
  const answer = { httpStatus: 200, issuerResponseCode: '00', amount: '10.00', currency: 'EUR', originalGuid: other };
  const world: Payments = payments({
    simulator: { cardholder: tapsAtTheLastMoment },
    engine: {
      send: async (request: HttpRequest): Promise<HttpAnswer> => {
        if (!request.url.endsWith('/reversal') || !isFirst) return world.simulator.send(request);
        isFirst = false;
        return {
          status: 200,
          body: JSON.stringify({ ...answer, reversalGuid: '22222222-2222-4222-8222-222222222222' }),
        };
      },
    },
  });
  await world.sale({}, { deadlineMs: 20_000, lateApproval: 'reverse' });
  await world.untilTold();
  await world.clock.runUntilIdle();
  assert.equal(said(world).at(-1), 'not-done: cancelled, moved no, LATE_APPROVAL_REVERSED');
  assert.equal(world.bank.netMoved(), 0);
});

test('a reversal by policy whose answer writes the currency in small letters is done, also where no status says so', async () => {
  let isReversed = false;
  const world: Payments = payments({
    simulator: { cardholder: tapsAtTheLastMoment },
    engine: {
      send: async (request: HttpRequest): Promise<HttpAnswer> => {
        if (isReversed && request.url.includes('/status/')) return { status: 500, body: '' };
        const answer = await world.simulator.send(request);
        if (!request.url.endsWith('/reversal')) return answer;
        isReversed = true;
        return { ...answer, body: answer.body.replace('"EUR"', '"eur"') };
      },
    },
  });
  await world.sale({}, { deadlineMs: 20_000, lateApproval: 'reverse' });
  await world.untilTold();
  assert.deepEqual(said(world), ['not-done: cancelled, moved no, LATE_APPROVAL_REVERSED']);
  assert.equal(world.bank.netMoved(), 0);
});

test('a reversal by policy that is answered with the one before it is not taken for done', async () => {
  const world = payments({ simulator: { cardholder: tapsAtTheLastMoment } });
  await world.sale({}, { deadlineMs: 20_000, lateApproval: 'reverse' });
  await world.untilTold();
  world.simulator.faults.arm({ kind: 'answer-of-another', isDone: false, match: { endpoint: 'POST /reversal' } });
  await world.sale({}, { deadlineMs: 20_000, lateApproval: 'reverse' });
  await world.untilTold(2);
  await world.clock.runUntilIdle();
  assert.equal(world.bank.netMoved(), 0);
  assert.match(said(world).at(-1) ?? '', /^not-done: cancelled, moved no, /);
});

test('a reversal that nobody confirms needs attention, and is not sent again behind the back of who looks', async () => {
  const world = payments({ simulator: { cardholder: tapsAtTheLastMoment } });
  world.simulator.faults.arm({
    kind: 'server-error-before',
    match: { endpoint: 'POST /reversal' },
    forMs: 10 * MINUTE,
  });
  await world.sale({}, { deadlineMs: 20_000, lateApproval: 'reverse' });
  const { payload } = await world.untilTold(2);
  assert.deepEqual(said(world), [
    'needs-attention: unknown, moved unknown, OUTCOME_UNKNOWN',
    'needs-attention: provisional, moved unknown, REVERSAL_UNPROVEN (correction)',
  ]);
  await world.clock.advance(60 * MINUTE);
  assert.equal(world.bank.netMoved(), 1000);
  const originalGuid = payload.transactionId;
  await world.after(world.backOffice({ operation: 'reversal', body: { originalGuid } }));
  await world.untilTold(4, 60 * MINUTE);
  assert.equal(said(world)[3], 'not-done: cancelled, moved no, CANCELLED (correction)');
  assert.equal(world.bank.netMoved(), 0);
});

test('a reversal that waits for the rate limit while a person is asked to look is not sent behind their back', async () => {
  const tooMany = { status: 429, body: '{"error":"Too many requests"}' };
  const world: Payments = payments({
    simulator: { cardholder: tapsAtTheLastMoment },
    engine: {
      send: async (request: HttpRequest): Promise<HttpAnswer> =>
        request.url.endsWith('/reversal') && world.told.length < 2 ? tooMany : world.simulator.send(request),
    },
  });
  await world.sale({}, { deadlineMs: 20_000, lateApproval: 'reverse' });
  await world.untilTold(2);
  assert.equal(said(world)[1], 'needs-attention: provisional, moved unknown, REVERSAL_UNPROVEN (correction)');
  await world.clock.advance(60 * MINUTE);
  assert.equal(world.bank.netMoved(), 1000);
});

test('a payment is cancelled from the flow while the card is awaited, and the answer says that it was', async () => {
  const world = payments({ simulator: { cardholder: 'none' } });
  const operationId = await world.sale();
  await world.clock.advance(2000);
  assert.equal(world.engine.cancel(operationId), true);
  await world.untilTold();
  assert.equal(world.told[0]?.exit, 'not-done');
  assert.equal(world.told[0]?.payload.moneyMoved, 'no');
  await world.clock.runUntilIdle();
  assert.equal(world.bank.netMoved(), 0);
  assert.equal(world.engine.cancel(operationId), false, 'nothing is under way any more');
});

test('a payment that waits for its turn is cancelled without being sent', async () => {
  const world = payments({ simulator: { cardholder: 'none' } });
  await world.sale();
  const second = await world.sale({}, { busyWaitMs: MINUTE });
  world.engine.cancel(second);
  await world.untilTold();
  assert.equal(world.told[0]?.payload.operationId, second);
  assert.deepEqual(said(world), ['not-done: cancelled, moved no']);
  assert.deepEqual(world.started, ['sale']);
});

test('a cancel that comes too late does not undo an approval', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: { tapAfterMs: 900 } } });
  const operationId = await world.sale();
  await world.clock.advance(1000);
  world.engine.cancel(operationId);
  await world.untilTold();
  await world.clock.runUntilIdle();
  assert.deepEqual(said(world), ['done: approved, moved yes']);
  assert.equal(world.bank.netMoved(), 1000);
});

test('what a person has dealt with is not reversed behind their back, and the watch goes on', async () => {
  const untilHeard = 30 * MINUTE;
  const world = payments({ callbacks: false });
  world.simulator.faults.arm({ kind: 'answer-lost', match: post });
  world.simulator.faults.arm({ kind: 'server-error-before', match: { endpoint: 'GET /status' }, forMs: untilHeard });
  const operationId = await world.sale({}, { lateApproval: 'reverse' });
  await world.untilTold();
  assert.deepEqual(said(world), ['needs-attention: unknown, moved unknown, OUTCOME_UNKNOWN']);
  const [record] = await world.engine.find({ operationId });
  assert.ok(record);
  await world.engine.annotate(record, { event: 'handled', by: 'ann', note: 'given back by hand' });
  await world.clock.advance(untilHeard);
  const [watched] = await world.engine.find({ operationId });
  assert.equal(watched?.closed, false);
  assert.ok(watched?.timeline.some(({ event }) => event === 'reversal-ended-by-person'));
  assert.equal(world.bank.entries().filter(({ kind }) => kind === 'reversal').length, 0);
  await world.untilTold(3, 3 * 24 * 60 * MINUTE);
  assert.deepEqual(said(world).slice(1), [
    'needs-attention: provisional, moved unknown, APPROVAL_UNCONFIRMED (correction)',
    'done: approved, moved yes (correction)',
  ]);
});

test('a person who has given the money back while a reversal waited for the rate limit is heard', async () => {
  let reversals = 0;
  const world = payments({
    callbacks: false,
    engine: {
      send: async (request) => {
        if (request.url.endsWith('/reversal')) reversals++;
        return world.simulator.send(request);
      },
    },
  });
  world.simulator.faults.arm({ kind: 'answer-lost', match: post });
  world.simulator.faults.arm({ kind: 'server-error-before', match: { endpoint: 'GET /status' }, forMs: 30 * MINUTE });
  const operationId = await world.sale({}, { lateApproval: 'reverse' });
  const phase = async () => (await world.engine.find({ operationId }))[0]?.state.phase;
  // Others use up the rate limit at every moment.
  while ((await phase()) !== 'reversing') {
    await world.backOffice(SUMMARY);
    await world.clock.advance(250);
  }
  assert.equal(reversals, 0);
  const [record] = await world.engine.find({ operationId });
  assert.ok(record);
  await world.engine.annotate(record, { event: 'handled', by: 'ann', note: 'given back by hand' });
  await world.clock.advance(2 * 60 * MINUTE);
  assert.equal(reversals, 0);
});

test('a person whose note is damaged in the journal may have handled it: no policy reverses it', async () => {
  const journal = new DamagedNotes();
  const world = payments({ journal, callbacks: false });
  world.simulator.faults.arm({ kind: 'answer-lost', match: post });
  world.simulator.faults.arm({ kind: 'server-error-before', match: { endpoint: 'GET /status' }, forMs: 30 * MINUTE });
  const operationId = await world.sale({}, { lateApproval: 'reverse' });
  await world.untilTold();
  const [record] = await world.engine.find({ operationId });
  assert.ok(record);
  await world.engine.annotate(record, { event: 'handled', by: 'ann', note: 'given back by hand' });
  await world.untilTold(2, 60 * MINUTE);
  assert.equal(said(world)[1], 'needs-attention: provisional, moved unknown, APPROVAL_UNCONFIRMED (correction)');
  assert.equal(world.bank.entries().filter(({ kind }) => kind === 'reversal').length, 0);
});

/** A disk that has damaged every note. */
class DamagedNotes extends MemoryJournal {
  override async annotations(operationIds: readonly string[]): Promise<Map<string, Annotation[]>> {
    const found = await super.annotations(operationIds);
    return new Map([...found].map(([id, notes]) => [id, notes.map(() => UNREADABLE_ANNOTATION)]));
  }
}

test('a person who takes that back leaves it to the policy again', async () => {
  const world = payments({ callbacks: false });
  world.simulator.faults.arm({ kind: 'answer-lost', match: post });
  world.simulator.faults.arm({ kind: 'server-error-before', match: { endpoint: 'GET /status' }, forMs: 30 * MINUTE });
  const operationId = await world.sale({}, { lateApproval: 'reverse' });
  await world.untilTold();
  const [record] = await world.engine.find({ operationId });
  assert.ok(record);
  await world.engine.annotate(record, { event: 'handled', by: 'ann', note: 'mine' });
  await world.engine.annotate(record, { event: 'handled-withdrawn', by: 'ann', note: '' });
  await world.untilTold(2, 60 * MINUTE);
  assert.equal(said(world)[1], 'not-done: cancelled, moved no, LATE_APPROVAL_REVERSED (correction)');
  assert.equal(world.bank.netMoved(), 0);
});
