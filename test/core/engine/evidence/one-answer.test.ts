import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, HttpRequest } from '../../../../src/core/base/seams.js';
import { SECOND_LOOK, SETTLING_LAG } from '../../../../src/core/base/timings.js';
import { begin, stepTerminal } from '../../../../src/core/lifecycle/terminal/lifecycle.js';
import { DEFAULT_KEY } from '../../../../src/simulator/index.js';
import { DEFAULT_POLICIES, payments } from '../../../harness/payments.js';

/** One answer that says "no" is not enough where it may be the odd one out. */

const MINUTE = 60_000;

test('a record that is missing from the one answer that counts does not make a charge "not charged"', async () => {
  const world = payments({ callbacks: false });
  const { faults } = world.simulator;
  faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /transactions' } });
  faults.arm({ kind: 'server-error-before', match: { endpoint: 'GET /status' }, times: 100_000 });
  const reference = await world.sale();
  // The first answer of the status service is the one that counts.
  await world.clock.advance(6 * MINUTE);
  faults.clear();
  faults.arm({ kind: 'status-record-missing' });
  await world.clock.advance(3 * 24 * 60 * MINUTE);
  assert.equal(world.bank.netMoved(reference), 1000);
  assert.ok(world.told.every(({ payload }) => payload.moneyMoved !== 'no'));
});

test('a payment of which there is no record twice is not charged, a few seconds after the first time', async () => {
  const world = payments({ callbacks: false });
  world.simulator.faults.arm({ kind: 'request-lost', match: { endpoint: 'POST /transactions' } });
  const { outcome, retry } = await world.after(world.sale());
  assert.deepEqual([outcome, retry], ['not-charged', 'safe']);
});

test('the same for a payment of the back office', async () => {
  const world = payments();
  const { card } = await world.after(world.sale({ operation: 'saleAndTokenizeCard' }));
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /moto/sale' } });
  world.simulator.faults.arm({ kind: 'server-error-before', match: { endpoint: 'GET /status' }, times: 100_000 });
  const body = { amount: '3.00', currency: 'EUR', cardToken: String(card.token) };
  await world.backOffice({ operation: 'moto/sale', body });
  await world.clock.advance(9 * MINUTE);
  world.simulator.faults.clear();
  world.simulator.faults.arm({ kind: 'status-record-missing' });
  await world.clock.advance(3 * 24 * 60 * MINUTE);
  assert.equal(world.bank.netMoved(), 1300);
  assert.ok(world.told.slice(1).every(({ payload }) => payload.moneyMoved !== 'no'));
});

test('a tip that was adjusted is approved, although its 200 declines it', async () => {
  const world = payments();
  const { transactionId: transactionID } = await world.after(world.sale());
  world.simulator.faults.arm({ kind: 'declined-with-200' });
  const order = { operation: 'tip-adjustment', body: { transactionID, amount: '2.00', currency: 'EUR' } } as const;
  const { outcome, final, source } = await world.after(world.backOffice(order));
  assert.deepEqual([outcome, final, source], ['approved', true, 'status']);
  assert.equal(world.bank.netMoved(), 1200);
});

test('a tip that was declined inside a 200 is declined, once the chain has had time to show it', async () => {
  const world = payments();
  const { transactionId: transactionID } = await world.after(world.sale());
  const send = async (request: HttpRequest): Promise<HttpAnswer> =>
    request.url.includes('tip-adjustment')
      ? { status: 200, body: '{"finStatus":"DECLINED","statusMessage":"Declined"}' }
      : world.simulator.send(request);
  world.engine = world.createEngine({ send });
  world.connect(world.engine);
  const askedAt = world.clock.now();
  const order = { operation: 'tip-adjustment', body: { transactionID, amount: '2.00', currency: 'EUR' } } as const;
  const { outcome, final } = await world.after(world.backOffice(order));
  assert.deepEqual([outcome, final, world.bank.netMoved()], ['declined', true, 1000]);
  assert.ok(world.clock.now() - askedAt < MINUTE);
});

test('a sale that a proxy sent twice is not called refused because the second answer was 429', () => {
  const error = { code: '429', name: 'TooManyRequestsError', message: 'Too many requests' };
  const sending = begin('sale', DEFAULT_POLICIES, true, 0);
  const { state } = stepTerminal(sending, { type: 'refused', refusal: 'throttled', error }, 2 * MINUTE);
  assert.deepEqual([state.phase, state.pending], ['pausing', undefined], 'it is too late for another try');
  const from = 2 * MINUTE + SETTLING_LAG;
  const found = stepTerminal(state, { type: 'gateway', meaning: 'approved', askedAt: from }, from).state;
  assert.notEqual(found.pending?.verdict.moneyMoved, 'no');
  const none = stepTerminal(state, { type: 'gateway', meaning: 'none', askedAt: from }, from).state;
  assert.equal(none.pending, undefined, 'a record may be missing from one answer');
  const later = from + SECOND_LOOK;
  const stillNone = stepTerminal(none, { type: 'gateway', meaning: 'none', askedAt: later }, later).state;
  const { outcome, final } = stillNone.pending?.verdict ?? {};
  assert.deepEqual([outcome, final], ['refused', false], 'the cardholder may be slow');
});

const ALREADY: HttpAnswer = {
  status: 400,
  body: JSON.stringify({ error: { statusCode: 400, name: 'BadRequestError', code: '3051' } }),
};
for (const { name, lost } of [
  { name: 'a reversal by policy that is refused as done before, by nobody of ours, is left to a person', lost: 0 },
  { name: 'the same where the answer to the first try of ours is lost: nobody can be asked whose it was', lost: 1 },
  { name: 'the same where the answer to a later try of ours is lost', lost: 2 },
]) {
  test(name, async () => {
    const world = payments();
    let tries = 0;
    const send = async (request: HttpRequest): Promise<HttpAnswer> => {
      if (!request.url.endsWith('/reversal')) return world.simulator.send(request);
      return ++tries === lost ? { status: 500, body: '' } : ALREADY;
    };
    world.engine = world.createEngine({ send });
    world.connect(world.engine);
    // Keyed entry without a reference that the status service knows.
    await world.sale(
      { operation: 'moToSale' },
      { deadlineMs: 1700, lateApproval: 'reverse', exclusiveTerminal: false },
    );
    await world.clock.advance(10 * MINUTE);
    assert.equal(world.bank.netMoved(), 1000);
    assert.ok(tries > 2);
    assert.ok(world.told.every(({ payload }) => payload.moneyMoved !== 'no'));
    assert.equal(world.told.at(-1)?.payload.error?.code, 'REVERSAL_UNPROVEN');
  });
}

for (const { operation, outcome, finStatus } of [
  { operation: 'sale', outcome: 'refunded', finStatus: 'AUTHORISED' },
  { operation: 'sale', outcome: 'refunded', finStatus: 'PARTIAL_APPROVAL' },
  { operation: 'preAuthorization', outcome: 'cancelled', finStatus: 'AUTHORISED' },
] as const) {
  test(`a late ${finStatus} says nothing against "${outcome}" of a ${operation}: another system has given it back since`, async () => {
    const world = payments({ simulator: { variants: { reversedSale: 'REFUNDED' } } });
    world.simulator.faults.arm({ kind: 'callback-lost', times: 100 });
    world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /transactions' } });
    const reference = await world.sale({ operation });
    await world.clock.advance(5000);
    const [charge] = world.bank.entries();
    const body = JSON.stringify({ originalGuid: charge?.transactionId });
    const headers = { apikeycloud: DEFAULT_KEY, 'content-type': 'application/json' };
    await world.simulator.handle({ target: 'service', method: 'POST', path: '/reversal', headers, body });
    const { payload } = await world.untilTold();
    assert.deepEqual([payload.outcome, payload.moneyMoved], [outcome, 'no']);
    const type = operation === 'sale' ? 'SALE' : 'PRE_AUTHORIZATION';
    const result = {
      finStatus,
      type,
      transactionID: charge?.transactionId,
      totalAmount: finStatus === 'AUTHORISED' ? 1000 : 400,
    };
    await world.callback(reference, result);
    assert.deepEqual(world.late(), []);
  });
}
