import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import type { BackOfficeOrder } from '../../../../src/core/operation/back-office-order.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** After a lost answer the outcome of that try stays open, however the tries that follow end. */

const held = (world: Payments): Promise<ResultPayload> => world.after(world.sale({ operation: 'preAuthorization' }));

const captureOf = (originalGuid: string): BackOfficeOrder => ({
  operation: 'preauthorization/capture',
  body: { originalGuid, capturedAmount: '10.00', currency: 'EUR' },
});

/** A capture whose first answer is lost, with the second try before it. */
async function withLostAnswer(world: Payments): Promise<string> {
  const { transactionId } = await held(world);
  world.simulator.faults.arm({ kind: 'broken-json', match: { endpoint: 'POST /preauthorization/capture' } });
  const operationId = await world.backOffice(captureOf(transactionId));
  assert.ok(await world.clock.runUntil(() => world.bank.netMoved() === 1000, 60_000));
  return operationId;
}

test('a capture that is cancelled after its answer was lost is looked for in the chain', async () => {
  const world = payments();
  const operationId = await withLostAnswer(world);
  world.engine.cancel(operationId);
  const { outcome, moneyMoved } = await world.after(Promise.resolve(operationId));
  assert.deepEqual([outcome, moneyMoved], ['approved', 'yes']);
});

for (const [when, downFor] of [
  ['at once', 0],
  ['after two minutes', 120_000],
] as const) {
  test(`a capture whose second try waits for the rate limit as the process ends is resumed ${when}`, async () => {
    const world = payments({ engine: { requestsPerSecond: 1 } });
    let latest = '';
    world.engine.observe(({ operation, timeline }) => {
      if (operation === 'preauthorization/capture') latest = timeline.at(-1)?.event ?? '';
    });
    const operationId = await withLostAnswer(world);
    assert.ok(await world.clock.runUntil(() => latest === 'answer-lost', 120_000));
    const body = { amount: '1.00', currency: 'EUR', cardToken: 'unknown' };
    for (let other = 0; other < 8; other++) await world.backOffice({ operation: 'moto/sale', body });
    assert.ok(await world.clock.runUntil(() => latest === 'sent-again', 10_000));
    const stopping = world.engine.stop();
    await world.clock.advance(11_000);
    await stopping;
    const [record] = await world.journal.find({ operationId });
    assert.equal(record?.timeline.at(-1)?.event, 'retry-postponed');
    await world.clock.advance(downFor);
    world.engine = world.createEngine();
    world.connect(world.engine);
    await world.engine.start();
    const { outcome, moneyMoved } = await world.after(Promise.resolve(operationId));
    assert.deepEqual([outcome, moneyMoved], ['approved', 'yes']);
    assert.equal(world.bank.netMoved(), 1000);
  });
}

for (const done of ['captured', 'refunded'] as const) {
  test(`a reversal of a payment of who knows where, ${done} by another till, is not told as done because it is refused so`, async () => {
    const world = payments({ simulator: { variants: { completedCodes: 'swapped' } } });
    const { other } = world.simulator;
    const id = (done === 'captured' ? other.preAuthorise({ amount: 1000 }) : other.sale({ amount: 1000 })) ?? '';
    if (done === 'captured') other.capture(id, 1000);
    else other.refund(id, 1000);
    const before = world.bank.netMoved();
    world.simulator.faults.arm({ kind: 'server-error-before', match: { endpoint: 'POST /reversal' } });
    const { outcome, moneyMoved, final, error } = await world.after(
      world.backOffice({ operation: 'reversal', body: { originalGuid: id } }),
    );
    assert.deepEqual([outcome, moneyMoved, final, error?.code], ['unknown', 'unknown', false, '3051']);
    assert.equal(world.bank.netMoved(), before);
  });
}

test('a decline of the second try does not say what the first one did', async () => {
  const world = payments();
  let tries = 0;
  const { send } = world.simulator;
  void world.engine.stop();
  world.engine = world.createEngine({
    send: async (request) => {
      const answer = await send(request);
      if (!request.url.endsWith('/reversal')) return answer;
      tries++;
      const declined = { httpStatus: 200, finStatus: 'DECLINED', issuerResponseCode: '12' };
      return tries === 1 ? { status: 500, body: '{}' } : { status: 200, body: JSON.stringify(declined) };
    },
  });
  world.connect(world.engine);
  const { transactionId } = await world.after(world.sale());
  const body = { originalGuid: transactionId };
  const { outcome, moneyMoved } = await world.after(world.backOffice({ operation: 'reversal', body }));
  assert.deepEqual([outcome, moneyMoved, tries], ['refunded', 'yes', 2]);
  assert.equal(world.bank.netMoved(), 0);
});

test('a payment by token that the status service shows as partial is reported as partial', async () => {
  const world = payments();
  const { card } = await world.after(world.sale({ operation: 'tokenizeCard', amount: undefined, currency: undefined }));
  const { send } = world.simulator;
  void world.engine.stop();
  world.engine = world.createEngine({
    send: async (request) => {
      const answer = await send(request);
      if (!request.url.includes('/status/')) return answer;
      const part = answer.body.replaceAll('"totalAmount":3700', '"totalAmount":1100');
      return { ...answer, body: part };
    },
  });
  world.connect(world.engine);
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /moto/sale' } });
  const body = { amount: '37.00', currency: 'EUR', cardToken: card.token ?? '' };
  const paid = await world.after(world.backOffice({ operation: 'moto/sale', body }));
  assert.deepEqual([paid.outcome, paid.moneyMoved, paid.error?.code], ['partial', 'partly', 'AMOUNT_DIFFERS']);
  assert.deepEqual([paid.amount?.requested, paid.amount?.total], ['37.00', '11.00']);
});

test('an increase that only the hold proves is not taken for the hold when that is released', async () => {
  const world = payments();
  const { transactionId } = await held(world);
  await world.clock.advance(20_000);
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /preauthorization/increase' } });
  const more = { originalGuid: transactionId, increaseAmount: '5.00', currency: 'EUR' };
  const increased = await world.after(world.backOffice({ operation: 'preauthorization/increase', body: more }));
  assert.deepEqual([increased.outcome, increased.source], ['approved', 'status']);
  const release = { operation: 'reversal', body: { originalGuid: transactionId } } as const;
  const { outcome, moneyMoved } = await world.after(world.backOffice(release));
  assert.deepEqual([outcome, moneyMoved], ['completed', 'no']);
  assert.deepEqual([world.bank.netMoved(), world.bank.netHeld()], [0, 0]);
});

test('a release that waits for its terminal goes before a capture that comes later, and reports what it released', async () => {
  const world = payments();
  const { transactionId } = await held(world);
  const sale = world.sale();
  const release = { operation: 'preAuthorizationReversal', originalTransactionId: transactionId } as const;
  const request = { ...release, amount: undefined, currency: undefined };
  const waiting = await world.sale(request, { busyWaitMs: 600_000 });
  const capture = world.backOffice(captureOf(transactionId));
  await world.after(sale);
  const { outcome, moneyMoved } = await world.after(Promise.resolve(waiting));
  assert.deepEqual([outcome, moneyMoved], ['completed', 'no']);
  assert.equal((await world.after(capture)).outcome, 'refused');
  assert.deepEqual([world.bank.netMoved(), world.bank.netHeld()], [1000, 0]);
});

test('a refund of a sale of which a part was reversed before is told as done, although its answer was lost', async () => {
  const world = payments();
  const { transactionId = '' } = await world.after(world.sale());
  await world.clock.advance(30_000);
  assert.ok(world.simulator.other.reverse(transactionId, 200));
  await world.clock.advance(30_000);
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /moto/refund' } });
  const body = { originalGuid: transactionId, amount: '3.00', currency: 'EUR' };
  const { outcome, moneyMoved, amount } = await world.after(world.backOffice({ operation: 'moto/refund', body }));
  assert.equal(world.bank.netMoved(), 500);
  assert.deepEqual([outcome, moneyMoved, amount?.total], ['refunded', 'yes', '3.00']);
});
