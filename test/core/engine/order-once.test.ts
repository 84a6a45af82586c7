import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IdempotencyKeyReusedError } from '../../../src/core/base/errors.js';
import { orderKey } from '../../../src/core/operation/order-key.js';
import { FullDisk } from '../../harness/full-disk.js';
import { HangingJournal } from '../../harness/hanging-journal.js';
import { charges, heard, send } from '../../harness/keyed-orders.js';
import { NODE, type Payments, payments, saleOrder } from '../../harness/payments.js';

describe('an order with a key', () => {
  test('is charged once when five messages ask for it at once, and each is told', async () => {
    const world = payments();
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((message) => send(world, { message })));
    await world.untilTold(5);
    assert.equal(charges(world), 1);
    const [first, ...others] = heard(world);
    assert.deepEqual(first, ['a', 'approved', false]);
    assert.deepEqual(
      others,
      ['b', 'c', 'd', 'e'].map((message) => [message, 'approved', true]),
    );
    assert.equal(new Set(world.told.map(({ payload }) => payload.operationId)).size, 1);
    assert.deepEqual(world.told[3]?.payload.receipts, world.told[0]?.payload.receipts, 'the first one in all it says');
    assert.equal(world.told[0]?.payload.attempt, 1);
    assert.equal((await world.journal.repeats('env')).length, 0, 'nothing is left to be told');
    assert.equal(world.noticed.length, 1, 'callback-in hears of one order');
  });

  test('is told again at once when it is asked for after its end, with receipts', async () => {
    const world = payments();
    await send(world, { message: 'a' });
    await world.untilTold();
    await send(world, { message: 'b' });
    const again = await world.untilTold(2, 0);
    assert.equal(charges(world), 1);
    assert.deepEqual(again.payload, { ...world.told[0]?.payload, repeated: true });
    assert.equal(again.exit, 'done');
  });

  test('is another order in another environment, and without a key every message is one', async () => {
    const world = payments();
    await send(world);
    const other = world.createEngine({ environment: 'other' });
    world.connect(other);
    await other.submit({
      ...saleOrder({ serial_number: '10000002' }),
      origin: { node: NODE, message: {}, key: orderKey('4711', 'key') },
    });
    await world.untilTold(2);
    await world.sale();
    await world.untilTold(3);
    assert.equal(charges(world), 3);
    assert.equal(
      world.told.some(({ payload }) => payload.repeated),
      false,
    );
  });

  for (const [what, change] of [
    ['amount', { amount: '1001' }],
    ['currency', { currency: 'USD' }],
    ['operation', { operation: 'preAuthorization' }],
  ] as const) {
    test(`refuses its key to another ${what}, naming the first, also after its decline`, async () => {
      const world = payments();
      const first = await send(world, { amount: '3784' });
      await world.untilTold();
      const origin = { node: NODE, message: {}, key: orderKey('4711', 'key') };
      const order = saleOrder({ amount: '3784', ...change } as Parameters<typeof saleOrder>[0]);
      await assert.rejects(world.engine.submit({ ...order, origin }), (error) => {
        assert.ok(error instanceof IdempotencyKeyReusedError);
        assert.equal(error.code, 'IDEMPOTENCY_KEY_REUSED');
        assert.match(error.message, new RegExp(`sale 37.84 EUR of operation ${first}, and not to this one, \\w+`));
        return true;
      });
      assert.equal(world.started.length, 1);
    });
  }

  for (const [what, merchantAuth] of [
    ['another merchant', [{ externalId: 'tenant-b' }]],
    ['the merchant of the terminal', undefined],
  ] as const) {
    test(`refuses its key where ${what} is to get the money`, async () => {
      const world = payments();
      const origin = { node: NODE, message: {}, key: orderKey('4711', 'key') };
      await world.engine.submit({ ...saleOrder({ merchantAuth: [{ externalId: 'tenant-a' }] }), origin });
      await world.untilTold();
      await assert.rejects(
        world.engine.submit({ ...saleOrder(merchantAuth && { merchantAuth: [...merchantAuth] }), origin }),
        IdempotencyKeyReusedError,
      );
      assert.equal(world.started.length, 1);
    });
  }

  test('is the same where the same merchants are to get the money, whatever their numbers look like', async () => {
    const world = payments();
    const credentials = [
      // As long as a card number, with its check digit.
      { acquirer: 'AMEX' as const, mid: '4111111111111111' },
      { acquirer: 'TSYS' as const, tid: '17' },
    ];
    for (const merchantAuth of [credentials, [...credentials].reverse()]) {
      const origin = { node: NODE, message: {}, key: orderKey('4711', 'key') };
      await world.engine.submit({ ...saleOrder({ merchantAuth }), origin });
    }
    await world.untilTold(2);
    assert.equal(charges(world), 1);
    assert.equal(world.told[1]?.payload.repeated, true);
  });

  test('refuses its key where another merchant is to get a refund from the back office', async () => {
    const world = payments();
    const refund = (externalId: string) =>
      world.engine.submitBackOffice(
        {
          operation: 'moto/refund',
          body: { amount: '1.00', currency: 'EUR', cardToken: 't', merchantAuth: [{ externalId }] },
        },
        { node: NODE, message: {}, key: orderKey('4711', 'key') },
      );
    await refund('tenant-a');
    await assert.rejects(refund('tenant-b'), IdempotencyKeyReusedError);
  });

  test('is the same on another terminal with other texts', async () => {
    const world = payments();
    await send(world, { message: 'a' });
    const origin = { node: NODE, message: { _msgid: 'b' }, key: orderKey('4711', 'key') };
    await world.engine.submit({ ...saleOrder({ serial_number: '10000002', customerReference: 'x' }), origin });
    await world.untilTold(2);
    assert.equal(charges(world), 1);
    assert.equal(world.told[1]?.payload.repeated, true);
  });

  test('is attempted again after a decline, by one of several messages at once', async () => {
    const world = payments();
    await send(world, { message: 'a', amount: '3784' });
    await world.untilTold();
    await Promise.all(['b', 'c'].map((message) => send(world, { message, amount: '3784' })));
    await world.untilTold(3);
    assert.deepEqual(
      world.told.map(({ payload }) => [payload.attempt, payload.repeated === true, payload.outcome]),
      [
        [1, false, 'declined'],
        [2, false, 'declined'],
        [2, true, 'declined'],
      ],
    );
    assert.equal(world.started.filter((operation) => operation === 'sale').length, 2);
  });

  test('repeats a decline where the message wants that', async () => {
    const world = payments();
    await send(world, { message: 'a', amount: '3784' });
    await world.untilTold();
    await send(world, { message: 'b', amount: '3784', repeatUnsuccessful: true });
    await world.untilTold(2, 0);
    assert.deepEqual(heard(world)[1], ['b', 'declined', true]);
    assert.equal(world.started.length, 1);
  });

  test('is free again after a mistake, which every message that waits hears of in the same way', async () => {
    const world = payments({ engine: { apiKey: 'wrong-key' } });
    await Promise.all(['a', 'b'].map((message) => send(world, { message })));
    await world.untilTold(2);
    assert.deepEqual(
      world.told.map(({ exit, error }) => [exit, error?.code]),
      [
        ['mistake', 'REFUSED'],
        ['mistake', 'REFUSED'],
      ],
    );
    await send(world, { message: 'c' });
    const again = await world.untilTold(3);
    assert.equal(again.payload.attempt, 2);
  });
});

describe('an order with a key whose end is not known yet', () => {
  test('is told as it stands, and what comes of it as a correction to every message', async () => {
    const world = payments({ callbacks: false });
    world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /transactions' } });
    await Promise.all(['a', 'b'].map((message) => send(world, { message })));
    await world.untilTold(2);
    await send(world, { message: 'c' });
    await world.untilTold(3, 0);
    await world.clock.advance(2 * 24 * 3_600_000 + 600_000);
    const lines = world.told.map(({ origin, payload }) =>
      [origin.message._msgid, payload.outcome, payload.correction === true].join(' '),
    );
    assert.deepEqual(
      lines.toSorted(),
      ['a', 'b', 'c'].flatMap((message) => [`${message} approved true`, `${message} provisional false`]).toSorted(),
    );
    assert.equal(charges(world), 1);
    assert.deepEqual(await world.journal.repeats('env'), []);
  });

  test('is closed again by a late contradiction, and a message under its key hears of that', async () => {
    const world = payments({ simulator: { cardholder: 'none' } });
    const operationId = await send(world, { message: 'a' });
    await world.clock.advance(1000);
    const callback = (finStatus: string) =>
      world.callback(operationId, { transactionID: 't', finStatus, totalAmount: 1000 });
    await callback('DECLINED');
    await world.untilTold();
    await callback('AUTHORISED');
    await send(world, { message: 'b' });
    const again = await world.untilTold(2, 0);
    assert.equal(again.exit, 'needs-attention');
    assert.equal(again.payload.error?.code, 'CONTRADICTED');
    assert.deepEqual(world.started, ['sale']);
  });

  test('tells every message that the journal cannot be written, and the truth afterwards', async () => {
    const journal = new FullDisk();
    const world = payments({ journal, simulator: { cardholder: { tapAfterMs: 5000 } } });
    await Promise.all(['a', 'b'].map((message) => send(world, { message })));
    await world.clock.advance(1000);
    journal.isFull = true;
    await world.clock.advance(120_000);
    journal.isFull = false;
    await world.clock.advance(10_000);
    assert.deepEqual(
      world.told.map(({ origin, payload }) => [origin.message._msgid, payload.outcome, payload.correction]),
      [
        ['a', 'unknown', undefined],
        ['b', 'unknown', undefined],
        ['a', 'approved', true],
        ['b', 'approved', true],
      ],
    );
  });
});

describe('a message that repeats an order, while the journal hangs over it', () => {
  const hanging = async () => {
    const journal = new HangingJournal();
    const world = payments({ journal, simulator: { cardholder: 'none' } });
    await send(world, { message: 'a' });
    await world.clock.advance(5000);
    journal.hangsOverRepeats = true;
    const taken = send(world, { message: 'b' });
    world.terminal.presentCard();
    await world.clock.advance(59_000);
    return { journal, world, taken };
  };
  const heardSo = (world: Payments) =>
    world.told.map(({ exit, origin, payload: { outcome, error, repeated, correction } }) =>
      [origin.message._msgid, exit, outcome, error?.code, repeated && 'repeated', correction && 'correction']
        .filter(Boolean)
        .join(' '),
    );
  const UNKNOWN = ['a done approved', 'b needs-attention unknown JOURNAL_UNAVAILABLE repeated'];

  test('hears after a minute that nobody knows, and the end as a correction', async () => {
    const { journal, world, taken } = await hanging();
    assert.deepEqual(heardSo(world), UNKNOWN.slice(0, 1), 'it may be over soon');
    await world.clock.advance(1000);
    assert.deepEqual(heardSo(world), UNKNOWN);
    assert.equal(world.told[1]?.payload.final, false);
    assert.equal(world.told[1]?.payload.operationId, world.told[0]?.payload.operationId);
    journal.comeBack();
    await taken;
    assert.deepEqual(heardSo(world), [...UNKNOWN, 'b done approved repeated correction']);
    assert.equal(charges(world), 1);
    await world.clock.advance(0);
    assert.deepEqual(await journal.repeats('env'), []);
  });

  test('hears the end even where the journal refuses it after that', async () => {
    const { journal, world, taken } = await hanging();
    await world.clock.advance(1000);
    journal.refuse();
    await taken;
    assert.deepEqual(heardSo(world), [...UNKNOWN, 'b done approved repeated correction']);
  });

  test('goes to Catch where the journal refuses it before its flow was told anything', async () => {
    const { journal, world, taken } = await hanging();
    world.engine.hold();
    await world.clock.advance(1000);
    journal.refuse();
    await assert.rejects(taken, { code: 'JOURNAL_UNAVAILABLE' });
    world.connect(world.engine);
    assert.deepEqual(heardSo(world), UNKNOWN.slice(0, 1));
  });
});
