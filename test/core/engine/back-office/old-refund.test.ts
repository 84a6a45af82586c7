import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WATCH_GRACE, WATCH_LIMIT } from '../../../../src/core/base/timings.js';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import type { BackOfficeOrder } from '../../../../src/core/operation/back-office-order.js';
import { type Payments, payments } from '../../../harness/payments.js';

const DAY = 24 * 3_600_000;
const ORIGIN = { node: 'sale-node', message: {} };

/** A sale with a stored token, made so many days ago. */
async function soldBefore(world: Payments, days: number): Promise<ResultPayload> {
  const { card } = await world.after(world.sale({ operation: 'saleAndTokenizeCard' }));
  const body = { amount: '12.00', currency: 'EUR', cardToken: String(card.token) };
  const sale = await world.after(world.backOffice({ operation: 'moto/sale', body }));
  await world.clock.advance(days * DAY);
  return sale;
}

/** Another engine, whose journal does not know the sale. */
async function withoutJournal(world: Payments) {
  await world.engine.stop();
  const engine = world.createEngine({ journal: payments().journal });
  world.connect(engine);
  return engine;
}

function refundOf({ transactionId, reference }: ResultPayload): BackOfficeOrder {
  const body = { amount: '12.00', currency: 'EUR', originalGuid: transactionId };
  return { operation: 'moto/refund', body, originalReference: reference };
}

test('a refund of a sale of 91 days that the service approves, and drops, is for a person to look at', async () => {
  const world = payments();
  const sale = await soldBefore(world, 91);
  const { outcome, moneyMoved, error } = await world.after(world.backOffice(refundOf(sale)));
  assert.deepEqual([outcome, moneyMoved, error?.code], ['unknown', 'unknown', 'REFUND_UNCERTAIN']);
  assert.equal(world.told.at(-1)?.exit, 'needs-attention');
  assert.equal(world.bank.netMoved(sale.reference), 1200);
});

test('where the journal does not know the sale, the chain says how old it is', async () => {
  const world = payments();
  const sale = await soldBefore(world, 91);
  const engine = await withoutJournal(world);
  await engine.submitBackOffice(refundOf(sale), ORIGIN);
  assert.equal((await world.untilTold(3)).payload.error?.code, 'REFUND_UNCERTAIN');
  await engine.stop();
});

test('a refund of a sale of 80 days is reported as it was answered', async () => {
  const world = payments();
  const sale = await soldBefore(world, 80);
  const { outcome, moneyMoved } = await world.after(world.backOffice(refundOf(sale)));
  assert.deepEqual([outcome, moneyMoved], ['refunded', 'yes']);
  assert.equal(world.bank.netMoved(sale.reference), 0);
});

test('what nobody can be asked about is not left open for ever', async () => {
  const world = payments();
  const sale = await soldBefore(world, 91);
  const engine = await withoutJournal(world);
  await engine.submitBackOffice({ ...refundOf(sale), originalReference: undefined }, ORIGIN);
  const asked = (): number => world.simulator.requests.latest().length;
  assert.equal((await world.untilTold(3)).payload.final, false);
  const before = asked();
  await world.clock.advance(WATCH_LIMIT + WATCH_GRACE);
  const { error, final, moneyMoved, correction } = (await world.untilTold(4)).payload;
  assert.deepEqual([error?.code, final, moneyMoved, correction], ['WATCH_ENDED', true, 'unknown', true]);
  assert.equal(asked(), before, 'there is nothing to ask for');
  await engine.stop();
});

for (const [days, outcome, code] of [
  [80, 'refunded', undefined],
  [91, 'unknown', 'WATCH_ENDED'],
] as const) {
  test(`the chain says later that the payment is ${days} days old: ${outcome}`, async () => {
    const world = payments();
    const sale = await soldBefore(world, days);
    const engine = await withoutJournal(world);
    const down = 5 * 60_000;
    world.simulator.faults.arm({ kind: 'server-error-before', match: { endpoint: 'GET /status' }, forMs: down });
    await engine.submitBackOffice(refundOf(sale), ORIGIN);
    assert.equal((await world.untilTold(3)).payload.error?.code, 'REFUND_UNCERTAIN');
    await world.clock.advance(WATCH_LIMIT + WATCH_GRACE);
    const end = (await world.untilTold(4)).payload;
    assert.deepEqual([end.outcome, end.error?.code, end.final, end.correction], [outcome, code, true, true]);
    assert.equal(world.told.length, 4, 'once');
    await engine.stop();
  });
}

test('what was approved is told as done once the payment is young enough, although the chain lists no marks', async () => {
  const world = payments();
  const sale = await soldBefore(world, 3);
  await world.engine.stop();
  let isDown = true;
  const engine = world.createEngine({
    journal: payments().journal,
    send: async (request) => {
      const isStatus = request.url.includes('/status');
      if (isStatus && isDown) return { status: 503, body: '' };
      const answer = await world.simulator.send(request);
      return isStatus ? { ...answer, body: answer.body.replace(/"customerReference":"[^"]*",?/g, '') } : answer;
    },
  });
  world.connect(engine);
  await engine.submitBackOffice(refundOf(sale), ORIGIN);
  assert.equal((await world.untilTold(3)).payload.error?.code, 'REFUND_UNCERTAIN');
  isDown = false;
  const end = (await world.untilTold(4, WATCH_LIMIT)).payload;
  assert.deepEqual([end.outcome, end.moneyMoved, end.final, end.correction], ['refunded', 'yes', true, true]);
  await engine.stop();
});

test('a refund of a payment whose age nobody knows is for a person to look at', async () => {
  const world = payments();
  const sale = await soldBefore(world, 91);
  const engine = await withoutJournal(world);
  await engine.submitBackOffice({ ...refundOf(sale), originalReference: undefined }, ORIGIN);
  assert.equal((await world.untilTold(3)).payload.error?.code, 'REFUND_UNCERTAIN');
  await engine.stop();
});

for (const ahead of [200, 50]) {
  test(`a refund of a sale of 100 days is not told as done because the clock stood ${ahead} days ahead at the sale`, async () => {
    const world = payments();
    let offset = ahead * DAY;
    const clock = {
      ...world.clock,
      now: () => world.clock.now() + offset,
      wall: () => world.clock.wall() + offset,
      after: (ms: number, then: () => void) => world.clock.after(ms, then),
    };
    const restart = async () => {
      await world.engine.stop();
      world.engine = world.createEngine({ clock: clock as never });
      world.connect(world.engine);
      await world.engine.start();
    };
    await restart();
    const sale = await soldBefore(world, 100);
    offset = 0;
    await restart();
    const { moneyMoved, error } = await world.after(world.backOffice(refundOf(sale)));
    assert.equal(world.bank.netMoved(sale.reference), 1200, 'the acquirer has dropped it');
    assert.deepEqual([moneyMoved, error?.code], ['unknown', 'REFUND_UNCERTAIN']);
  });
}

test('a sale of another system is not of unknown age because the clock here is some minutes slow', async () => {
  const world = payments();
  const sale = await soldBefore(world, 0);
  await world.engine.stop();
  const slow = 5 * 60_000;
  const clock = {
    ...world.clock,
    now: () => world.clock.now() - slow,
    wall: () => world.clock.wall() - slow,
    after: (ms: number, then: () => void) => world.clock.after(ms, then),
  };
  const engine = world.createEngine({ journal: payments().journal, clock: clock as never });
  world.connect(engine);
  await engine.submitBackOffice(refundOf(sale), ORIGIN);
  const { outcome, error } = (await world.untilTold(3)).payload;
  assert.deepEqual([outcome, error?.code], ['refunded', undefined]);
  await engine.stop();
});

test('a refund of an old payment whose age nobody can say, as the status service is down, is for a person to look at', async () => {
  const world = payments();
  const sale = await soldBefore(world, 91);
  const engine = await withoutJournal(world);
  world.simulator.faults.arm({ kind: 'server-error-before', match: { endpoint: 'GET /status' }, forMs: DAY });
  await engine.submitBackOffice(refundOf(sale), ORIGIN);
  const { exit, payload } = await world.untilTold(3);
  assert.deepEqual(
    [exit, payload.outcome, payload.moneyMoved, payload.error?.code],
    ['needs-attention', 'unknown', 'unknown', 'REFUND_UNCERTAIN'],
  );
  assert.equal(world.bank.netMoved(sale.reference), 1200, 'nothing went back');
  await engine.stop();
});
