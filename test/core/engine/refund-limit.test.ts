import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { InputError } from '../../../src/core/base/errors.js';
import { MemoryJournal } from '../../../src/core/journal/memory.js';
import { orderKey } from '../../../src/core/operation/order-key.js';
import { DEFAULT_KEY } from '../../../src/simulator/index.js';
import { HangingJournal } from '../../harness/hanging-journal.js';
import { NODE, type Payments, payments, saleOrder } from '../../harness/payments.js';
import { openShop } from '../../harness/shop.js';

/** A refund gives back at most what is left of its payment, whatever else is asked for at the same time. */

const LIMIT = { atMostLeft: { source: 'msg.payload.amount' } };

const orderOf = (originalTransactionId: string, amount = '1000') => ({
  ...saleOrder({ operation: 'refund', amount, originalTransactionId }, { busyWaitMs: 60_000 }),
  ...LIMIT,
});

type Way = (world: Payments, payment: string, amount?: string) => Promise<string>;

const onTerminal: Way = (world, payment, amount) => world.engine.submit(orderOf(payment, amount));

const byToken: Way = (world, originalGuid, amount = '1000') => {
  const body = { originalGuid, amount: (Number(amount) / 100).toFixed(2), currency: 'EUR' };
  return world.engine.submitBackOffice({ operation: 'moto/refund', body, ...LIMIT }, { node: NODE, message: {} });
};

async function paidByToken(world: Payments): Promise<string> {
  const stored = await world.after(world.sale({ operation: 'tokenizeCard', amount: undefined, currency: undefined }));
  const body = { amount: '10.00', currency: 'EUR', cardToken: stored.card.token ?? '' };
  return (await world.after(world.backOffice({ operation: 'moto/sale', body }))).transactionId;
}

const paid = async (world: Payments): Promise<string> => (await world.after(world.sale())).transactionId;

const refunds = (world: Payments): number => world.bank.entries().filter(({ kind }) => kind === 'refund').length;

for (const [where, pay, refund] of [
  ['on the terminal', paid, onTerminal],
  ['by token', paidByToken, byToken],
] as const) {
  describe(`a refund ${where}`, () => {
    test('that comes at the same moment as another of the same payment waits for its result', async () => {
      const world = payments();
      const payment = await pay(world);
      const [first, second] = await Promise.allSettled([refund(world, payment), refund(world, payment)]);
      assert.ok(first.status === 'fulfilled' && second.status === 'rejected');
      assert.ok(second.reason instanceof InputError);
      const expected = `at most 0.00, the amount left of the original while operation ${first.value} is under way: wait for its result`;
      assert.equal(second.reason.message, `msg.payload.amount: expected ${expected}, got "10.00"`);
      assert.equal((await world.after(Promise.resolve(first.value))).outcome, 'refunded');
      await assert.rejects(refund(world, payment), /at most 0\.00, the amount left of the original, got "10\.00"$/);
      assert.equal(refunds(world), 1);
    });

    test('that waits behind one over which the journal hangs is refused after a minute, and is never sent', async () => {
      const journal = new HangingJournal();
      const world = payments({ journal });
      const payment = await pay(world);
      journal.hangs = true;
      const first = refund(world, payment, '200');
      const waiting = refund(world, payment, '300');
      let isOver = false;
      waiting.catch(() => {
        isOver = true;
      });
      await world.clock.advance(59_000);
      assert.ok(!isOver, 'it may be over soon');
      await world.clock.advance(1000);
      await assert.rejects(waiting, { code: 'JOURNAL_UNAVAILABLE', message: /nothing was sent/ });
      journal.comeBack();
      await first;
      await world.clock.advance(60_000);
      assert.equal(refunds(world), 1);
      assert.equal((await world.after(refund(world, payment, '400'))).outcome, 'refunded');
    });

    test('of a part leaves the rest to others at the same moment', async () => {
      const world = payments();
      const payment = await pay(world);
      const asked = await Promise.allSettled(['400', '500', '200', '100'].map((part) => refund(world, payment, part)));
      assert.deepEqual(
        asked.map(({ status }) => status),
        ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
      );
    });
  });
}

test('a refund of which nobody knows whether it was done may have given the money back', async () => {
  const world = payments();
  const payment = await paidByToken(world);
  await world.clock.advance(60_000);
  world.simulator.faults.arm({ kind: 'status-in-progress', match: {}, times: 1000 });
  world.simulator.faults.arm({ kind: 'server-error-after', match: { endpoint: 'POST /moto/refund' } });
  const { operationId, outcome } = await world.after(byToken(world, payment));
  assert.equal(outcome, 'unknown');
  await assert.rejects(
    byToken(world, payment),
    new RegExp(`at most 0\\.00, .* as long as nobody knows whether operation ${operationId} gave money back: find out`),
  );
});

test('a refund that was not done leaves the money to another', async () => {
  const world = payments();
  const payment = await paid(world);
  world.simulator.faults.arm({ kind: 'request-lost', match: { endpoint: 'POST /transactions' }, times: 1 });
  const { outcome } = await world.after(onTerminal(world, payment));
  assert.equal(outcome, 'not-charged');
  assert.equal((await world.after(onTerminal(world, payment))).outcome, 'refunded');
});

test('a refund counts for as long as the journal has its payment, although that changed later', async () => {
  let age = 0;
  const journal = new MemoryJournal(() => age);
  const world = payments({ journal });
  const payment = await paid(world);
  assert.equal((await world.after(onTerminal(world, payment))).outcome, 'refunded');
  await world.clock.advance(1000);
  const [sale] = await journal.find({ transactionId: payment });
  assert.ok(sale);
  age = 50;
  await journal.advance(sale);
  age = 110;
  assert.equal(await journal.prune(100), 0);
  await assert.rejects(onTerminal(world, payment), /at most 0\.00, the amount left of the original, got "10\.00"$/);
  assert.equal(refunds(world), 1);
  age = 200;
  while ((await journal.prune(100)) > 0);
  assert.deepEqual(await journal.find({ environment: 'env' }), []);
});

test('a refund that is not compared is begun, and the chain shows how much is left', async () => {
  const world = payments();
  const payment = await paid(world);
  const { atMostLeft: _limit, ...unchecked } = orderOf(payment);
  const [first, second] = await Promise.all([world.engine.submit(unchecked), world.engine.submit(unchecked)]);
  assert.equal((await world.after(Promise.resolve(first))).outcome, 'refunded');
  assert.equal((await world.after(Promise.resolve(second))).error?.code, 'REFUNDED_BEFORE');
});

test('a message that repeats a refund under its key is told what became of it', async () => {
  const world = payments();
  const payment = await paid(world);
  const key = orderKey('4711', 'key');
  assert.ok(key);
  const order = orderOf(payment);
  const keyed = { ...order, origin: { ...order.origin, key } };
  await Promise.all([world.engine.submit(keyed), world.engine.submit(keyed)]);
  await world.untilTold(3);
  assert.deepEqual(
    world.told.map(({ payload }) => [payload.outcome, payload.repeated === true]),
    [
      ['approved', false],
      ['refunded', false],
      ['refunded', true],
    ],
  );
  assert.equal(refunds(world), 1);
});

test('of two refunds through two doors at once one is sent', async () => {
  const shop = openShop();
  await shop.leads('leader');
  const [one, two] = [await shop.stands('one'), await shop.stands('two')];
  const sale = await shop.after(shop.sells(one));
  await shop.untilAsked();
  await shop.pays();
  const [record] = await one.payments.find({ operationId: sale });
  const asked = Promise.allSettled(
    [one, two].map((till) => till.payments.submit(orderOf(record?.transactionId ?? ''))),
  );
  await shop.after(asked);
  const refused = (await asked).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  assert.equal(refused.length, 1);
  assert.ok(refused[0] instanceof InputError);
  assert.match(refused[0].message, /^msg\.payload\.amount: expected at most 0\.00/);
  shop.close();
});

const SECOND = 'second-key-4711';

/** Two environments with one journal and a key each, of one merchant or of two. `areKnown`: the service has said of which. */
async function twoEnvironments(of: 'one merchant' | 'two merchants', areKnown = true) {
  const terminals = [{ serial_number: '10000001', terminal_type: 'SIMULATEDT1' }];
  const others = [{ serial_number: '10000002', terminal_type: 'SIMULATEDT1' }];
  const isOne = of === 'one merchant';
  const first = { id: 'M-1', keys: isOne ? [DEFAULT_KEY, SECOND] : [DEFAULT_KEY], terminals };
  const world = payments({
    simulator: { merchants: isOne ? [first] : [first, { id: 'M-2', keys: [SECOND], terminals: others }] },
  });
  const other = world.createEngine({ environment: 'other', apiKey: SECOND });
  if (areKnown) await Promise.all([world.engine.start(), other.start()]);
  await world.clock.advance(60_000);
  return { world, other };
}

for (const areKnown of [true, false]) {
  const what = areKnown ? 'of the same merchant' : 'of which nobody knows the merchant';

  test(`a refund by another environment with a key ${what} leaves nothing to this one`, async () => {
    const { world, other } = await twoEnvironments('one merchant', areKnown);
    const payment = await paidByToken(world);
    assert.equal((await world.after(byToken(world, payment))).outcome, 'refunded');
    await assert.rejects(byToken({ ...world, engine: other }, payment), /at most 0\.00/);
    assert.equal(refunds(world), 1);
  });
}

test('of two refunds at once by two environments of one merchant one is sent', async () => {
  const { world, other } = await twoEnvironments('one merchant');
  const payment = await paidByToken(world);
  const asked = await Promise.allSettled([world, { ...world, engine: other }].map((one) => byToken(one, payment)));
  assert.deepEqual(
    asked.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
});

test('what another merchant was paid is nothing that this one knows of', async () => {
  const { world, other } = await twoEnvironments('two merchants');
  const payment = await paidByToken(world);
  assert.equal((await world.engine.balance(payment))?.refundable, 1000n);
  assert.equal(await other.balance(payment), undefined);
});
