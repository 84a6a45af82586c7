import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerLostError } from '../../../../src/core/base/errors.js';
import type { Send } from '../../../../src/core/base/seams.js';
import { MemoryJournal } from '../../../../src/core/journal/memory.js';
import { backupOf, restore } from '../../../harness/backup.js';
import { type Payments, payments } from '../../../harness/payments.js';
import { NOT_FOUND } from '../../../harness/two-attempts.js';

/** A backup that is only minutes old cannot be told from the journal: what waited for its turn is asked for before it is sent. */

const MINUTE = 60_000;

/** A first sale keeps the terminal, and a second one waits for its turn when the copy is made; then both are charged. */
async function copiedWhileWaiting(busyWaitMs: number) {
  const world = payments({ callbacks: false });
  await world.sale();
  const id = await world.sale({ amount: '700' }, { busyWaitMs });
  const backup = await backupOf(world);
  return { world, id, backup };
}

/** The service, whose status service takes so long; infinity: it answers nothing. */
function statusAnswersAfter(ms: number, { clock, simulator }: Payments): Send {
  return async (request) => {
    if (!request.url.startsWith(simulator.statusUrl)) return simulator.send(request);
    if (ms === Number.POSITIVE_INFINITY) throw new AnswerLostError('no answer');
    await new Promise<void>((resolve) => clock.after(ms, resolve));
    return simulator.send(request);
  };
}

test('a payment that waited for its turn, and was never sent, is told as not charged once it has been asked for', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: 'none' } });
  await world.sale();
  const id = await world.sale({ amount: '700' }, { busyWaitMs: MINUTE });
  const backup = await backupOf(world);
  await restore(world, backup, 2 * MINUTE);
  await world.clock.advance(20 * MINUTE);
  const told = world.told.filter(({ payload }) => payload.operationId === id).map(({ payload }) => payload);
  assert.deepEqual([told.at(-1)?.moneyMoved, told.at(-1)?.retry], ['no', 'safe']);
});

for (const [age, after] of [
  ['old enough to be given up', 3 * MINUTE],
  ['young enough to be sent', MINUTE],
] as const) {
  test(`a payment that waited when a copy was made, and was charged after that, is not charged again where the copy is ${age}`, async () => {
    const { world, id, backup } = await copiedWhileWaiting(2 * MINUTE);
    await world.untilTold(2);
    assert.equal(world.bank.netMoved(), 1700);
    await restore(world, backup, after);
    await world.clock.advance(20 * MINUTE);
    assert.equal(world.bank.netMoved(), 1700, 'nothing is sent again');
    const again = world.told.slice(2).filter(({ payload }) => payload.operationId === id);
    assert.ok(again.length > 0 && again.every(({ payload }) => payload.moneyMoved !== 'no'), 'and nobody is told "no"');
  });
}

test('a payment that waited for its turn when the process died is sent once the status service has no record of it', async () => {
  const { world, id, backup } = await copiedWhileWaiting(10 * MINUTE);
  await restore(world, backup, 10_000);
  await world.clock.advance(5 * MINUTE);
  const told = world.told.filter(({ payload }) => payload.operationId === id).map(({ payload }) => payload.outcome);
  assert.deepEqual(told, ['approved']);
  assert.equal(world.bank.netMoved(id), 700);
});

for (const [when, answersAfter] of [
  ['and the status service answers', 500],
  ['and the status service never answers', Number.POSITIVE_INFINITY],
] as const) {
  test(`a payment that was charged after a copy was made is not told as cancelled where it is cancelled then, ${when}`, async () => {
    const { world, id, backup } = await copiedWhileWaiting(10 * MINUTE);
    await world.untilTold(2);
    await restore(world, backup, MINUTE, { send: statusAnswersAfter(answersAfter, world) });
    assert.ok(await world.engine.cancelTarget({ operationId: id }));
    await world.clock.advance(20 * MINUTE);
    const again = world.told.slice(2).filter(({ payload }) => payload.operationId === id);
    assert.ok(again.length > 0 && again.every(({ payload }) => payload.moneyMoved !== 'no'));
  });
}

test('a payment that was never sent is told as cancelled as soon as the status service has no record of it', async () => {
  const { world, id, backup } = await copiedWhileWaiting(10 * MINUTE);
  await restore(world, backup, 10_000, { send: statusAnswersAfter(500, world) });
  assert.ok(await world.engine.cancelTarget({ operationId: id }));
  await world.clock.advance(2000);
  const told = world.told.filter(({ payload }) => payload.operationId === id).map(({ payload }) => payload);
  assert.deepEqual(
    told.map(({ outcome, moneyMoved, final }) => [outcome, moneyMoved, final]),
    [['cancelled', 'no', true]],
  );
});

test('a cancellation that waits for the status service is known to the next process', async () => {
  const { world, id, backup } = await copiedWhileWaiting(10 * MINUTE);
  const journal = new MemoryJournal();
  await restore(world, backup, 10_000, { journal, send: statusAnswersAfter(Number.POSITIVE_INFINITY, world) });
  for (const record of backup) await journal.record(record);
  journal.crash();
  await world.engine.resume();
  assert.ok(await world.engine.cancelTarget({ operationId: id }));
  await world.clock.advance(1000);
  const stopped = world.engine.stop();
  await world.clock.advance(MINUTE);
  await stopped;
  const next = world.createEngine({ journal });
  world.connect(next);
  await next.start();
  await world.clock.advance(20 * MINUTE);
  const told = world.told.filter(({ payload }) => payload.operationId === id).map(({ payload }) => payload.outcome);
  assert.deepEqual([told, world.bank.netMoved(id)], [['cancelled'], 0]);
});

for (const busyWaitMs of [40_000, 2 * MINUTE, 10 * MINUTE]) {
  test(`a payment that was charged after a copy was made is not told as refused where no status service answers for ${busyWaitMs} ms`, async () => {
    const { world, id, backup } = await copiedWhileWaiting(busyWaitMs);
    await world.untilTold(2);
    await restore(world, backup, 15_000, { send: statusAnswersAfter(Number.POSITIVE_INFINITY, world) });
    await world.clock.advance(60 * MINUTE);
    const again = world.told.slice(2).filter(({ payload }) => payload.operationId === id);
    assert.ok(again.length > 0 && again.every(({ payload }) => payload.moneyMoved !== 'no'));
  });
}

test('a payment whose wait ends before the status service has answered does not stop the one before it', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: { tapAfterMs: 25_000 } } });
  await world.sale();
  const id = await world.sale({ amount: '700' }, { busyWaitMs: 8000 });
  await world.clock.advance(500);
  await restore(world, await backupOf(world), 5000, { send: statusAnswersAfter(Number.POSITIVE_INFINITY, world) });
  await world.clock.advance(12_000);
  assert.ok(await world.engine.cancelTarget({ operationId: id }));
  await world.clock.advance(20 * MINUTE);
  assert.equal(world.bank.netMoved(), 1000);
});

for (const [what, result] of [
  ['that is in progress', { finStatus: 'IN_PROGRESS', type: 'SALE' }],
  ['whose card number was not keyed in', { finStatus: 'CANCELLED', type: 'MOTO_SALE' }],
] as const) {
  test(`a payment ${what} by another process does not stop the one before it`, async () => {
    const world = payments({ simulator: { cardholder: { tapAfterMs: 28_000 } } });
    const first = await world.sale();
    const operation = result.type === 'SALE' ? 'sale' : 'moToSale';
    const id = await world.sale({ operation, amount: '700' }, { busyWaitMs: 10 * MINUTE });
    await world.clock.advance(500);
    await restore(world, await backupOf(world), 500, { send: statusAnswersAfter(Number.POSITIVE_INFINITY, world) });
    await world.clock.advance(1000);
    await world.callback(id, result);
    await world.clock.advance(100);
    await world.engine.cancelTarget({ operationId: id });
    await world.clock.advance(MINUTE);
    assert.equal(world.bank.netMoved(first), 1000);
  });
}

/** When the flow hears of an operation first, ms. */
async function heardAfter({ clock, told }: Payments, id: string): Promise<number> {
  const from = clock.now();
  await clock.runUntil(() => told.some(({ payload }) => payload.operationId === id), 120 * MINUTE);
  return clock.now() - from;
}

test('a payment with a deadline is told by then although one before it waits longer for the status service', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: 'none' } });
  await world.sale();
  await world.sale({ serial_number: '10000002' });
  await world.sale({ amount: '600' }, { busyWaitMs: 30 * MINUTE });
  const policies = { busyWaitMs: 30 * MINUTE, deadlineMs: MINUTE };
  const id = await world.sale({ amount: '700', serial_number: '10000002' }, policies);
  await world.clock.advance(500);
  await restore(world, await backupOf(world), 0, { send: statusAnswersAfter(Number.POSITIVE_INFINITY, world) });
  const heard = await heardAfter(world, id);
  assert.ok(heard <= MINUTE + 30_000, `${heard} ms`);
});

test('a payment whose wait ends while Node-RED restarts is told as refused once the status service has answered', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: { tapAfterMs: 25_000 } } });
  await world.sale();
  const id = await world.sale({ amount: '700' }, { busyWaitMs: 8000 });
  await world.clock.advance(500);
  await restore(world, await backupOf(world), 10_000);
  const heard = await heardAfter(world, id);
  assert.ok(heard < 1000, `${heard} ms`);
  assert.equal(world.told.at(-1)?.payload.outcome, 'refused');
});

test('a payment that is cancelled is not waited for as long as one that may still be sent', async () => {
  const world = payments({ callbacks: false });
  await world.sale();
  const id = await world.sale({ amount: '700' }, { busyWaitMs: 60 * MINUTE });
  await world.clock.advance(500);
  await restore(world, await backupOf(world), 1000, { send: statusAnswersAfter(Number.POSITIVE_INFINITY, world) });
  await world.engine.cancelTarget({ operationId: id });
  const heard = await heardAfter(world, id);
  assert.ok(heard <= 7 * MINUTE, `${heard} ms`);
});

/** A sale of 10.00, which another one follows that keeps the terminal while a refund of a part of the first one waits. */
async function refundCopied(busyWaitMs: number) {
  const world = payments({ callbacks: false });
  const { transactionId: originalTransactionId } = await world.after(world.sale());
  await world.clock.advance(MINUTE);
  await world.sale();
  const refund = { operation: 'refund', amount: '300', originalTransactionId } as const;
  const id = await world.sale(refund, { busyWaitMs });
  const backup = await backupOf(world);
  return { world, id, backup };
}

for (const [age, after] of [
  ['old enough to be given up', 3 * MINUTE],
  ['young enough to be sent', MINUTE],
] as const) {
  test(`a refund on a terminal that waited when a copy was made, and was done after that, is not done again where the copy is ${age}`, async () => {
    const { world, id, backup } = await refundCopied(2 * MINUTE);
    await world.untilTold(3);
    assert.equal(world.bank.netMoved(), 1700);
    await restore(world, backup, after);
    await world.clock.advance(20 * MINUTE);
    assert.equal(world.bank.netMoved(), 1700, 'nothing is sent again');
    const again = world.told.slice(3).filter(({ payload }) => payload.operationId === id);
    assert.ok(again.length > 0 && again.every(({ payload }) => payload.moneyMoved !== 'no'), 'and nobody is told "no"');
  });
}

test('a refund on a terminal that waited for its turn when the process died is sent once the chain of its payment does not show it', async () => {
  const { world, id, backup } = await refundCopied(10 * MINUTE);
  await restore(world, backup, 10_000);
  await world.clock.advance(5 * MINUTE);
  const told = world.told.filter(({ payload }) => payload.operationId === id).map(({ payload }) => payload.outcome);
  assert.deepEqual([told, world.bank.netMoved()], [['refunded'], 1700]);
});

test('a refund whose payment the status service does not show keeps no other payment waiting after a restart', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: { tapAfterMs: 25_000 } } });
  const { transactionId: originalTransactionId, reference } = await world.after(world.sale());
  await world.clock.advance(MINUTE);
  await world.sale();
  await world.sale({ serial_number: '10000002' });
  const waits = { busyWaitMs: 10 * MINUTE };
  const refund = await world.sale({ operation: 'refund', amount: '300', originalTransactionId }, waits);
  const sale = await world.sale({ amount: '400', serial_number: '10000002' }, waits);
  const backup = await backupOf(world);
  const send: Send = async (request) =>
    request.url.includes(`${reference}/status`) ? NOT_FOUND : world.simulator.send(request);
  await restore(world, backup, 10_000, { send });
  await world.clock.advance(2 * MINUTE);
  const told = (id: string) =>
    world.told.filter(({ payload }) => payload.operationId === id).map(({ payload }) => payload.outcome);
  assert.deepEqual([told(sale), told(refund)], [['approved'], []]);
  await world.clock.advance(10 * MINUTE);
  assert.deepEqual(told(refund), ['unknown'], 'nobody says whether a process after the copy has done it');
});
