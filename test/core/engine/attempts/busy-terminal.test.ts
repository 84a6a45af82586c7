import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PaymentsOptions, payments } from '../../../harness/payments.js';

const PRINT = {
  operation: 'printReceipt',
  receipt: '<p>Thank you</p>',
  amount: undefined,
  currency: undefined,
} as const;
const SHARED = { exclusiveTerminal: false };
const REPEATED = { kind: 'repeated-request' } as const;

/** A proxy repeats the first request: its answer is 1001, and the terminal runs our sale. */
function repeated({ callbacks = false, simulator }: PaymentsOptions = {}) {
  const world = payments({ callbacks, simulator: { cardholder: { tapAfterMs: 20_000 }, ...simulator } });
  world.simulator.faults.arm(REPEATED);
  return world;
}

type World = ReturnType<typeof payments>;

const told = (world: World): unknown[] =>
  world.told.map(({ exit, payload: { outcome, final, retry, correction = false } }) => [
    exit,
    outcome,
    final,
    retry,
    correction,
  ]);

const count = (world: World, operation: string): number => world.started.filter((one) => one === operation).length;

test('what keeps a terminal of this flow alone busy is stopped, and the payment follows within the wait', async () => {
  const world = repeated();
  await world.sale({}, { busyWaitMs: 60_000 });
  await world.untilTold();
  await world.clock.advance(600_000);
  assert.deepEqual(told(world), [['done', 'approved', true, 'never', false]]);
  assert.equal(count(world, 'sale'), 2);
  assert.ok(count(world, 'stopCurrentTransaction') >= 2, 'one that ends it, and one that proves it');
  assert.equal(world.bank.netMoved(), 1000);
});

test('a terminal of this flow alone that proves to be idle is told as busy: final, safe to try again', async () => {
  const world = payments();
  world.simulator.faults.arm({ kind: 'terminal-busy' });
  await world.sale();
  const { payload } = await world.untilTold(1, 30_000);
  assert.equal(payload.error?.name, 'TERMINAL_BUSY');
  assert.deepEqual(told(world), [['not-done', 'refused', true, 'safe', false]]);
});

test('a stop comes too late for a sale of ours that had arrived twice: it is found, and not sent again', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: { tapAfterMs: 100 } } });
  world.simulator.faults.arm(REPEATED);
  await world.sale({}, { busyWaitMs: 60_000 });
  await world.clock.advance(600_000);
  assert.equal(count(world, 'sale'), 1);
  assert.equal(world.bank.netMoved(), 1000);
  assert.equal(world.told.at(-1)?.payload.outcome, 'provisional');
});

test('the same where the status service misses its record in one answer', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: { tapAfterMs: 100 } } });
  world.simulator.faults.arm(REPEATED);
  world.simulator.faults.arm({ kind: 'status-record-missing' });
  await world.sale({}, { busyWaitMs: 60_000 });
  await world.clock.advance(600_000);
  assert.equal(count(world, 'sale'), 1);
  assert.equal(world.bank.netMoved(), 1000);
  assert.equal(world.told.at(-1)?.payload.outcome, 'provisional');
});

test('a receipt is printed as soon as a stop proves that what kept the terminal busy has ended', async () => {
  const world = repeated();
  await world.sale(PRINT, { busyWaitMs: 300_000 });
  await world.untilTold(1, 15_000);
  assert.deepEqual(told(world), [['done', 'completed', true, 'never', false]]);
  assert.equal(count(world, 'printReceipt'), 2);
});

test('a shared terminal that stays busy is told as "not done", not final, and in the end that nothing began', async () => {
  const world = payments({ callbacks: false });
  world.simulator.faults.arm({ kind: 'terminal-busy' });
  await world.sale({}, SHARED);
  await world.untilTold(1, 10_000);
  assert.deepEqual(told(world), [['not-done', 'refused', false, 'after-recovery', false]]);
  await world.clock.advance(360_000);
  assert.equal(world.told.length, 1);
  await world.clock.advance(30_000);
  assert.deepEqual(told(world)[1], ['not-done', 'refused', true, 'safe', true]);
  assert.equal(count(world, 'stopCurrentTransaction'), 0, 'a stop could hit the sale of another till');
});

for (const callbacks of [true, false]) {
  const how = callbacks ? 'by its callback' : 'by the status service';
  test(`what begins after the flow was told "busy" is a correction soon after the charge, ${how}`, async () => {
    const world = repeated({ callbacks });
    await world.sale({}, SHARED);
    await world.untilTold(1, 10_000);
    assert.equal(world.bank.netMoved(), 0);
    await world.untilTold(2, 60_000);
    const [charge] = world.bank.entries();
    assert.ok(charge !== undefined && world.clock.now() - charge.at <= 30_000);
    const { outcome, correction } = world.told[1]?.payload ?? {};
    assert.deepEqual([outcome, correction], [callbacks ? 'approved' : 'provisional', true]);
  });
}

test('it is a correction as soon where answers of the status service get lost', async () => {
  const world = repeated();
  await world.sale({}, SHARED);
  await world.untilTold(1, 10_000);
  await world.clock.runUntil(() => world.bank.entries().length > 0, 60_000);
  world.simulator.faults.arm({ kind: 'server-error-before', match: { endpoint: 'GET /status' }, times: 3 });
  await world.untilTold(2, 60_000);
  const [charge] = world.bank.entries();
  assert.ok(charge !== undefined && world.clock.now() - charge.at <= 30_000);
});

test('a flow that was told "busy" hears soon that this is true no more, while the reversal by policy is not confirmed', async () => {
  const world = repeated({ callbacks: true });
  await world.sale({}, { ...SHARED, lateApproval: 'reverse', deadlineMs: 15_000 });
  await world.untilTold(1, 10_000);
  world.simulator.faults.arm({ kind: 'server-error-before', match: { endpoint: 'POST /reversal' }, times: 8 });
  await world.untilTold(2, 60_000);
  const [charge] = world.bank.entries();
  assert.ok(charge !== undefined && world.clock.now() - charge.at <= 30_000);
  await world.untilTold(3, 60_000);
  assert.deepEqual(told(world), [
    ['not-done', 'refused', false, 'after-recovery', false],
    ['needs-attention', 'unknown', false, 'after-recovery', true],
    ['not-done', 'cancelled', true, 'safe', true],
  ]);
  assert.equal(world.bank.netMoved(), 0);
});

test('an attempt that was stopped at the terminal after the flow was told "busy" is told as cancelled', async () => {
  const world = repeated({ callbacks: true, simulator: { cardholder: 'none' } });
  await world.sale({}, SHARED);
  await world.untilTold(1, 10_000);
  world.terminal.cancel();
  await world.untilTold(2, 30_000);
  assert.deepEqual(told(world)[1], ['not-done', 'cancelled', true, 'safe', true]);
});

test('what has no reference of its own is not sent again to a shared terminal that is busy: it may have begun', async () => {
  const world = payments({ callbacks: false });
  const { transactionId } = await world.after(world.sale());
  world.simulator.faults.arm(REPEATED);
  const policies = { ...SHARED, busyWaitMs: 60_000 };
  await world.sale({ operation: 'refund', amount: '100', originalTransactionId: transactionId }, policies);
  await world.clock.advance(600_000);
  assert.equal(count(world, 'refund'), 1);
  assert.equal(world.bank.netMoved(), 900);
  assert.ok(world.told.every(({ payload }) => payload.moneyMoved !== 'no' || !payload.final));
});

test('a keyed sale that a shared terminal refused as busy stays a question where nobody could ever tell of it', async () => {
  const world = repeated();
  await world.sale({ operation: 'moToSale' }, SHARED);
  const { payload } = await world.untilTold(1, 10_000);
  assert.deepEqual([payload.outcome, payload.final, payload.error?.code], ['unknown', false, 'NO_WITNESS']);
  await world.clock.advance(3 * 24 * 3_600_000);
  const { moneyMoved, final } = world.told.at(-1)?.payload ?? {};
  assert.deepEqual([moneyMoved, final], ['unknown', true]);
});

test('a keyed sale that a shared terminal refused as busy is a question until its callback answers it', async () => {
  const world = repeated({ callbacks: true });
  await world.sale({ operation: 'moToSale' }, SHARED);
  const { payload } = await world.untilTold(1, 10_000);
  assert.deepEqual([payload.outcome, payload.moneyMoved, payload.final], ['unknown', 'unknown', false]);
  const { payload: correction } = await world.untilTold(2, 120_000);
  assert.deepEqual([correction.outcome, correction.correction], ['approved', true]);
});

test('a keyed sale that was charged although its terminal said "busy" is no "not charged" when its callbacks are lost', async () => {
  const world = repeated({ simulator: { deliver: async () => ({ status: 404, body: '' }) }, callbacks: true });
  await world.sale({ operation: 'moToSale' }, SHARED);
  await world.clock.runUntil(() => world.bank.netMoved() > 0, 60_000);
  await world.clock.advance(3 * 24 * 3_600_000);
  assert.equal(world.bank.netMoved(), 1000);
  assert.deepEqual(
    world.told.map(({ exit, payload: { moneyMoved, final, error } }) => [exit, moneyMoved, final, error?.code]),
    [
      ['needs-attention', 'unknown', false, 'ONLY_CALLBACK'],
      ['needs-attention', 'unknown', true, 'WATCH_ENDED'],
    ],
  );
});

test('what moves no money is tried again at a busy terminal whatever a stop is answered', async () => {
  const world = payments({ callbacks: false, simulator: { variants: { idleStop: 1003 } } });
  world.simulator.faults.arm({ kind: 'terminal-busy' });
  const order = { operation: 'tokenizeCard', amount: undefined, currency: undefined } as const;
  await world.sale(order, { busyWaitMs: 300_000 });
  const { payload } = await world.untilTold(1, 30_000);
  assert.equal(payload.outcome, 'completed');
});

test('the next payment does not wait for the end of one that was told as busy', async () => {
  const world = payments({ callbacks: false });
  world.simulator.faults.arm({ kind: 'terminal-busy' });
  await world.sale({}, SHARED);
  await world.untilTold(1, 10_000);
  const { outcome } = await world.after(world.sale({}, SHARED));
  assert.equal(outcome, 'approved');
  assert.ok(world.told.some(({ payload }) => payload.outcome === 'refused' && !payload.final));
});

test('a restart takes up what was told as busy, and says in the end that nothing began', async () => {
  const world = payments({ callbacks: false });
  world.simulator.faults.arm({ kind: 'terminal-busy' });
  await world.sale({}, SHARED);
  await world.untilTold(1, 10_000);
  await world.engine.stop();
  world.engine = world.createEngine();
  await world.engine.start();
  world.connect(world.engine);
  await world.clock.advance(400_000);
  assert.deepEqual(told(world)[1], ['not-done', 'refused', true, 'safe', true]);
});

test('a cancel while the terminal is busy with our own sale is told once nothing of it is left', async () => {
  const world = repeated();
  await world.sale({}, { busyWaitMs: 300_000 });
  await world.clock.advance(1000);
  await world.engine.cancelTarget({ node: 'sale-node' });
  await world.untilTold(1, 60_000);
  await world.clock.advance(600_000);
  assert.deepEqual(told(world), [['not-done', 'cancelled', true, 'safe', false]]);
  assert.equal(count(world, 'sale'), 1);
  assert.equal(world.bank.netMoved(), 0);
});

test('a cancel while a shared terminal is busy with our own sale is no "cancelled", and the charge is a correction', async () => {
  const world = repeated();
  await world.sale({}, { ...SHARED, busyWaitMs: 300_000 });
  await world.clock.advance(1000);
  await world.engine.cancelTarget({ node: 'sale-node' });
  await world.untilTold(2, 60_000);
  assert.deepEqual(told(world)[0], ['not-done', 'refused', false, 'after-recovery', false]);
  assert.equal(world.told[1]?.payload.outcome, 'provisional');
});

/** Every request is answered 429, although the terminal has begun with the first. */
async function throttled({ begins = 1, tapAfterMs = 1000 } = {}) {
  const sent: string[] = [];
  const asked: string[] = [];
  const world: World = payments({
    callbacks: false,
    simulator: { cardholder: { tapAfterMs } },
    engine: {
      send: async (request) => {
        if (request.url.endsWith('/status/all')) asked.push(request.url);
        if (!request.url.endsWith('/transactions')) return world.simulator.send(request);
        const { operation, transactionReference } = JSON.parse(request.body ?? '{}');
        if (operation === 'sale' && sent.push(transactionReference) === begins) await world.simulator.send(request);
        return { status: 429, body: '{"error":{"statusCode":429,"name":"TooManyRequests"}}' };
      },
    },
  });
  await world.sale();
  return { ...world, sent, asked };
}

test('after a minute of 429 every attempt is asked for before the flow hears "not done"', async () => {
  const world = await throttled({ begins: 0 });
  const { payload } = await world.untilTold();
  assert.deepEqual([payload.outcome, payload.error?.code, payload.final], ['refused', '429', false]);
  for (const reference of world.sent)
    assert.ok(
      world.asked.some((url) => url.includes(reference)),
      reference,
    );
  const { payload: last } = await world.untilTold(2);
  assert.deepEqual([last.outcome, last.error?.code, last.final, last.retry], ['refused', '429', true, 'safe']);
});

test('a 429 to the last try does not say that nothing was charged, while a slow cardholder may still pay', async () => {
  const world = await throttled({ begins: 58, tapAfterMs: 25_000 });
  await world.clock.advance(600_000);
  assert.ok(world.told.every(({ payload: { final, moneyMoved } }) => !(final && moneyMoved === 'no')));
  assert.equal(world.told.at(-1)?.payload.outcome, 'provisional');
  assert.equal(world.bank.netMoved(), 1000);
});

test('an attempt that has begun although it was answered 429 is found, and never "not done"', async () => {
  const world = await throttled();
  const { payload } = await world.untilTold();
  assert.equal(payload.outcome, 'provisional');
  assert.equal(world.bank.netMoved(), 1000);
});

test('a cancel between two attempts asks for them before the flow hears "cancelled"', async () => {
  const world = await throttled();
  await world.clock.advance(500);
  await world.engine.cancelTarget({ node: 'sale-node' });
  const { payload } = await world.untilTold();
  assert.equal(payload.outcome, 'provisional');
});

test('a "busy" that was told is taken back as soon as our own attempt shows, though nobody says how it ends', async () => {
  const world = repeated();
  await world.sale({}, SHARED);
  await world.untilTold(1, 10_000);
  await world.clock.runUntil(() => world.bank.netMoved() > 0, 60_000);
  world.simulator.faults.arm({ kind: 'status-in-progress', times: 1 });
  await world.untilTold(2, 30_000);
  assert.deepEqual(told(world)[1], ['needs-attention', 'unknown', false, 'after-recovery', true]);
  await world.untilTold(3, 60_000);
  assert.deepEqual([world.told[2]?.payload.outcome, world.bank.netMoved()], ['provisional', 1000]);
});

test('a cancel while a request is on its way that is answered 429 sends no other, and is told', async () => {
  const world = payments({
    callbacks: false,
    engine: {
      send: async (request) => {
        if (!request.url.endsWith('/transactions')) return world.simulator.send(request);
        world.started.push(JSON.parse(request.body ?? '{}').operation);
        await new Promise<void>((answer) => void world.clock.after(2000, answer));
        return { status: 429, body: '{"error":{"statusCode":429,"name":"TooManyRequests"}}' };
      },
    },
  });
  await world.sale();
  await world.clock.advance(100);
  await world.engine.cancelTarget({ node: 'sale-node' });
  const { payload } = await world.untilTold(1, 60_000);
  assert.deepEqual([payload.outcome, payload.moneyMoved, payload.final], ['refused', 'no', false]);
  const { payload: last } = await world.untilTold(2);
  assert.deepEqual([last.outcome, last.moneyMoved, last.final], ['cancelled', 'no', true]);
  assert.equal(count(world, 'sale'), 1);
});
