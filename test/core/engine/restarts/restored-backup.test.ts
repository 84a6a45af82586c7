import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryJournal } from '../../../../src/core/journal/memory.js';
import type { OperationRecord } from '../../../../src/core/journal/record.js';
import { backupOf, restore } from '../../../harness/backup.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** Somebody restores a backup of the journal: it does not know what was sent and told after it was made. */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Knows the record as it was when the flow was about to be told. */
class BeforeTelling extends MemoryJournal {
  last: OperationRecord | undefined;

  override async advance(record: OperationRecord): Promise<void> {
    if (record.state.pending !== undefined) this.last = structuredClone(record);
    await super.advance(record);
  }
}

test('a payment that waited for its turn when the backup was made, and was approved since, is not told as never begun', async () => {
  const world = payments({ callbacks: false });
  await world.sale();
  await world.sale({ amount: '700' }, { busyWaitMs: 5 * MINUTE });
  const backup = await backupOf(world);
  await world.untilTold(2);
  assert.equal(world.bank.netMoved(), 1700);
  await restore(world, backup, 20 * MINUTE);
  await world.clock.advance(10 * MINUTE);
  const again = world.told.slice(2).map(({ payload }) => [payload.moneyMoved, payload.retry]);
  assert.ok(again.length >= 2, 'the flow hears of both again');
  assert.ok(
    again.every(([moneyMoved]) => moneyMoved !== 'no'),
    JSON.stringify(again),
  );
  assert.equal(world.bank.netMoved(), 1700, 'and nothing is sent again');
});

test('a payment that waited for its turn when the backup was made, and whose service was changed since, says why nobody can tell', async () => {
  const world = payments({ callbacks: false });
  await world.sale();
  await world.sale({ amount: '700' }, { busyWaitMs: 5 * MINUTE });
  const backup = await backupOf(world);
  await world.untilTold(2);
  await restore(world, backup, 20 * MINUTE, { apiKey: 'another-merchant' });
  await world.clock.advance(10 * MINUTE);
  const again = world.told.slice(2).map(({ payload }) => [payload.outcome, payload.error?.code]);
  assert.deepEqual(again, [
    ['unknown', 'SERVICE_CHANGED'],
    ['unknown', 'SERVICE_CHANGED'],
  ]);
});

test('an approval that the flow was told before the backup was restored is not reversed as late', async () => {
  const world = payments({ callbacks: false });
  await world.sale({}, { lateApproval: 'reverse' });
  await world.clock.advance(0);
  const backup = await backupOf(world);
  const { payload } = await world.untilTold();
  assert.equal(payload.outcome, 'approved');
  await restore(world, backup, 20 * MINUTE);
  const { payload: again } = await world.untilTold(2);
  assert.deepEqual([again.outcome, again.final, again.error?.code], ['provisional', false, 'REVERSAL_UNPROVEN']);
  await world.clock.advance(10 * MINUTE);
  assert.equal(world.bank.netMoved(), 1000, 'a person decides');
});

for (const [phase, at] of [
  ['was about to be sent', 0],
  ['waited for a busy terminal', 1000],
] as const) {
  test(`a later attempt that a backup does not know of is found, where the payment ${phase} when it was made`, async () => {
    const world = payments({ callbacks: false });
    world.simulator.faults.arm({ kind: 'terminal-busy' });
    await world.sale({}, { busyWaitMs: MINUTE });
    let backup = await backupOf(world);
    if (at > 0) {
      await world.clock.advance(at);
      backup = await backupOf(world);
    }
    const { payload } = await world.untilTold();
    assert.equal(payload.outcome, 'approved');
    assert.notEqual(payload.reference, payload.operationId);
    await restore(world, backup, 20 * MINUTE);
    await world.clock.advance(10 * MINUTE);
    const again = world.told.slice(1).map(({ payload }) => payload);
    assert.ok(again.every(({ moneyMoved }) => moneyMoved !== 'no'));
    const { outcome, reference } = again.at(-1) ?? {};
    assert.deepEqual([outcome, reference], ['provisional', payload.reference]);
    assert.equal(world.bank.netMoved(), 1000);
  });
}

test('a backup that was written by a clock ahead of this one is taken for old', async () => {
  const world = payments({ callbacks: false });
  await world.sale({}, { lateApproval: 'reverse' });
  await world.clock.advance(0);
  const backup = (await backupOf(world)).map((record) => ({ ...record, updatedAt: record.updatedAt + 60 * MINUTE }));
  const { payload } = await world.untilTold();
  assert.equal(payload.outcome, 'approved');
  await restore(world, backup, 10 * MINUTE);
  await world.clock.advance(10 * MINUTE);
  assert.equal(world.bank.netMoved(), 1000, 'what the flow was told before is not undone');
});

test('a refund by the back office that was sent after the backup was made is not told as never begun', async () => {
  const world = payments({ callbacks: false });
  const { transactionId, reference } = await world.after(world.sale());
  await world.clock.advance(20_000);
  await world.backOffice({
    operation: 'moto/refund',
    body: { originalGuid: transactionId, amount: '1.50', currency: 'EUR' },
    originalReference: reference,
  });
  const backup = await backupOf(world);
  await world.untilTold(2);
  assert.equal(world.bank.netMoved(), 850);
  await restore(world, backup, 20 * MINUTE);
  await world.clock.advance(10 * MINUTE);
  const again = world.told.slice(2).map(({ payload }) => payload.moneyMoved);
  assert.ok(again.length > 0 && again.every((moneyMoved) => moneyMoved !== 'no'), JSON.stringify(again));
  assert.equal(world.bank.netMoved(), 850, 'and nothing is sent again');
});

for (const [when, ms] of [
  ['while it was sent', 0],
  ['while the chain was asked about its first attempt', 2000],
] as const) {
  test(`a later attempt of a payment with a token is found that a backup does not know of, made ${when}`, async () => {
    const sent: string[] = [];
    const world: Payments = payments({
      callbacks: false,
      engine: {
        send: async (request) => {
          if (!request.url.endsWith('/moto/sale')) return world.simulator.send(request);
          sent.push(JSON.parse(request.body ?? '{}').transactionReference);
          if (sent.length > 1) return world.simulator.send(request);
          return { status: 429, body: '{"error":{"statusCode":429,"name":"TooManyRequests"}}' };
        },
      },
    });
    const { card } = await world.after(world.sale({ operation: 'saleAndTokenizeCard' }));
    await world.backOffice({
      operation: 'moto/sale',
      body: { amount: '3.00', currency: 'EUR', cardToken: card.token ?? '' },
    });
    await world.clock.advance(ms);
    assert.equal(sent.length, 1);
    const backup = await backupOf(world);
    await world.untilTold(2);
    assert.equal(sent.length, 2);
    await restore(world, backup, 20 * MINUTE);
    await world.clock.advance(10 * MINUTE);
    const { outcome, reference } = world.told.at(-1)?.payload ?? {};
    assert.deepEqual([outcome, reference], ['approved', sent[1]]);
  });
}

test('a "busy" that may not have been heard is a question after the process was away: our own payment may have begun', async () => {
  const journal = new BeforeTelling();
  const world = payments({ journal, callbacks: false, simulator: { cardholder: { tapAfterMs: 20_000 } } });
  world.simulator.faults.arm({ kind: 'repeated-request' });
  await world.sale({}, { exclusiveTerminal: false });
  await world.untilTold(1, 10_000);
  assert.equal(journal.last?.state.pending?.verdict.moneyMoved, 'no');
  await restore(world, [journal.last], 10 * MINUTE);
  await world.clock.advance(0);
  const { outcome, correction } = world.told[1]?.payload ?? {};
  assert.deepEqual([outcome, correction], ['unknown', true]);
  await world.clock.advance(60_000);
  assert.equal(world.told.at(-1)?.payload.outcome, 'provisional');
  assert.equal(world.bank.netMoved(), 1000);
});

test('an approval is not reversed as late where the backup was made while the flow was told something else', async () => {
  const journal = new BeforeTelling();
  const world = payments({ journal, simulator: { cardholder: { tapAfterMs: 20_000 } } });
  world.simulator.faults.arm({ kind: 'repeated-request' });
  await world.sale({}, { exclusiveTerminal: false, lateApproval: 'reverse' });
  await world.untilTold(1, 10_000);
  const backup = journal.last;
  assert.equal(backup?.state.pending?.verdict.moneyMoved, 'no');
  const { payload } = await world.untilTold(2, MINUTE);
  assert.deepEqual([payload.outcome, payload.final], ['approved', true]);
  await restore(world, [backup], 20 * MINUTE);
  await world.clock.advance(60 * MINUTE);
  assert.equal(world.told.at(-1)?.payload.outcome, 'provisional');
  assert.equal(world.bank.netMoved(), 1000, 'a person decides');
});

test('an approval that a backup of last week does not know of stays provisional for two days, and is asked for once more', async () => {
  const asked: number[] = [];
  const world: Payments = payments({
    callbacks: false,
    engine: {
      send: (request) => {
        if (request.url.startsWith(world.simulator.statusUrl)) asked.push(world.clock.now());
        return world.simulator.send(request);
      },
    },
  });
  await world.sale();
  const backup = await backupOf(world);
  await world.untilTold();
  await restore(world, backup, 7 * DAY);
  const restoredAt = world.clock.now();
  await world.clock.advance(2 * DAY - MINUTE);
  assert.deepEqual(
    world.told.slice(1).map(({ payload }) => payload.outcome),
    ['provisional'],
  );
  const { payload } = await world.untilTold(3, DAY);
  assert.deepEqual([payload.outcome, payload.final], ['approved', true]);
  assert.ok((asked.at(-1) ?? 0) >= restoredAt + 2 * DAY, 'on an answer that was asked for at the end');
});

test('a payment that still waited when the backup was made is not judged by another service than it was recorded for', async () => {
  const world = payments({ callbacks: false });
  await world.sale();
  await world.sale({ amount: '700' }, { busyWaitMs: 5 * MINUTE });
  const [, waiting] = await backupOf(world);
  assert.equal(waiting?.state.phase, 'queued');
  await world.untilTold(2);
  await restore(world, waiting === undefined ? [] : [waiting], 20 * MINUTE, {
    apiKey: 'another-merchant',
    send: async ({ url }) => ({ status: url.includes('/status') ? 200 : 404, body: '[]' }),
  });
  await world.clock.advance(30 * MINUTE);
  assert.deepEqual(
    world.told.slice(2).map(({ payload }) => [payload.moneyMoved, payload.final]),
    [['unknown', false]],
  );
});

test('a keyed attempt that was cancelled before the backup says nothing of the next one, which nobody can be asked about', async () => {
  const world = payments({ callbacks: false });
  const first = await world.sale({ operation: 'moToSale' }, { busyWaitMs: 5 * MINUTE });
  await world.clock.advance(0);
  const [record] = await backupOf(world);
  assert.ok(record?.kind === 'terminal');
  // It was refused as busy, and a callback said that it had been cancelled: the next attempt was about to be sent.
  const busy = { at: world.clock.now(), error: { code: '1001', name: 'TERMINAL_BUSY', message: 'busy' } };
  const state = { ...record.state, phase: 'pausing', busy, pausedUntil: world.clock.now() + 3000 } as const;
  const terminal = { meaning: 'cancelled', via: 'callback', at: world.clock.now() } as const;
  await world.untilTold();
  assert.equal(world.bank.netMoved(), 1000);
  await restore(world, [{ ...record, state: { ...state, terminal } }], 20 * MINUTE);
  await world.clock.advance(3 * DAY);
  const again = world.told.slice(1).map(({ payload }) => payload);
  assert.ok(
    again.length > 0 && again.every(({ moneyMoved, operationId }) => operationId === first && moneyMoved !== 'no'),
  );
});

/** A sale, and a refund of 1.50 EUR that waits for the chain as the backup is made; both are done since. */
async function refundedSince(world: Payments, customerReference?: string) {
  const { transactionId, reference, operationId } = await world.after(world.sale());
  const refund = (amount: string): Promise<string> =>
    world.backOffice({
      operation: 'moto/refund',
      body: { originalGuid: transactionId, amount, currency: 'EUR', customerReference },
      originalReference: reference,
    });
  await world.after(refund('1.00'));
  await refund('1.50');
  await world.clock.advance(3000);
  const [sale] = structuredClone(await world.journal.find({ operationId }));
  assert.ok(sale);
  const backup = [sale, ...(await backupOf(world))];
  assert.deepEqual(backup.map(({ state }) => state.phase).slice(1), ['preparing']);
  await world.untilTold(3);
  assert.equal(world.bank.netMoved(), 750);
  return backup;
}

for (const customerReference of [undefined, 'order 17']) {
  const mark = customerReference ?? 'the id of the operation';
  test(`a refund that waited when a young backup was made, and was done since, is not given a second time: ${mark}`, async () => {
    const world = payments({ callbacks: false });
    await restore(world, await refundedSince(world, customerReference), 2 * MINUTE);
    await world.clock.advance(30 * MINUTE);
    assert.equal(world.bank.netMoved(), 750);
    const { outcome, moneyMoved, source } = world.told.at(-1)?.payload ?? {};
    assert.deepEqual([outcome, moneyMoved, source], ['refunded', 'yes', 'status']);
  });
}

test('a refund that waits while Node-RED is restarted is sent, although another till has given back another amount', async () => {
  const world = payments({ callbacks: false });
  const { transactionId, reference } = await world.after(world.sale());
  const body = { originalGuid: transactionId, amount: '1.50', currency: 'EUR', customerReference: 'order 17' };
  await world.clock.advance(20_000);
  world.simulator.other.refund(transactionId, 300);
  await world.clock.advance(20_000);
  await world.backOffice({ operation: 'moto/refund', body, originalReference: reference });
  await restore(world, await backupOf(world), 2 * MINUTE);
  await world.clock.advance(MINUTE);
  const { outcome, source } = world.told.at(-1)?.payload ?? {};
  assert.deepEqual([outcome, source], ['refunded', 'answer']);
  assert.equal(world.bank.netMoved(), 550);
});
