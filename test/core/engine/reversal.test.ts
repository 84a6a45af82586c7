import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultPayload } from '../../../src/core/delivery/payload.js';
import { reportedOutcome } from '../../../src/core/original/reversal.js';
import { detailOf } from '../../../src/nodes/admin/operations/summary.js';
import { DEFAULT_KEY } from '../../../src/simulator/index.js';
import { type Payments, payments } from '../../harness/payments.js';

/** What a reversal did to the money: the service's result looks the same for a hold and for a capture. */

async function held(world: Payments): Promise<ResultPayload> {
  return world.after(world.sale({ operation: 'preAuthorization' }));
}

function capture(world: Payments, hold: ResultPayload): Promise<ResultPayload> {
  const body = { originalGuid: hold.transactionId, capturedAmount: '10.00', currency: 'EUR' };
  return world.after(world.backOffice({ operation: 'preauthorization/capture', body }));
}

const reverse = (world: Payments, transactionId: string): Promise<ResultPayload> =>
  world.after(world.backOffice({ operation: 'reversal', body: { originalGuid: transactionId } }));

const onTerminal = (world: Payments, originalTransactionId: string): Promise<ResultPayload> =>
  world.after(
    world.sale({
      operation: 'preAuthorizationReversal',
      originalTransactionId,
      amount: undefined,
      currency: undefined,
    }),
  );

for (const [where, undo] of [
  ['at the gateway', reverse],
  ['on the terminal', onTerminal],
] as const) {
  test(`a hold that is released ${where} moved no money`, async () => {
    const world = payments();
    const { outcome, moneyMoved } = await undo(world, (await held(world)).transactionId);
    assert.deepEqual([outcome, moneyMoved], ['completed', 'no']);
  });

  test(`a capture that is cancelled ${where} gave the money back`, async () => {
    const world = payments();
    const captured = await capture(world, await held(world));
    const { outcome, moneyMoved } = await undo(world, captured.transactionId);
    assert.deepEqual([outcome, moneyMoved], ['refunded', 'yes']);
  });

  test(`a hold of another system that is released ${where} moved no money: its chain says so`, async () => {
    const world = await withoutJournalOf(held);
    const { outcome, moneyMoved, final } = await undo(world, world.hold.transactionId);
    assert.deepEqual([outcome, moneyMoved, final], ['completed', 'no', true]);
    assert.equal(world.bank.netHeld(), 0);
  });

  test(`what another system had captured went back, whatever is released ${where}`, async () => {
    const world = payments();
    const hold = await held(world);
    const capture = world.simulator.other.capture(hold.transactionId, 1000);
    assert.equal(world.bank.netMoved(), 1000);
    // The gateway refuses to release a captured hold; the capture itself it takes back.
    const target = where === 'on the terminal' ? hold.transactionId : String(capture);
    const { outcome, moneyMoved, amount } = await undo(world, target);
    assert.deepEqual([outcome, moneyMoved, amount?.total], ['refunded', 'yes', '10.00']);
    assert.equal(world.bank.netMoved(), 0);
  });

  test(`while nobody says what was released ${where} it is unknown, and what it was follows`, async () => {
    const world = await withoutJournalOf(held);
    world.simulator.faults.arm({ kind: 'status-in-progress', match: {}, times: 1000 });
    const { operationId, outcome, moneyMoved, error, final } = await undo(world, world.hold.transactionId);
    assert.deepEqual([outcome, moneyMoved, error?.code, final], ['unknown', 'unknown', 'HOLD_OR_MONEY', false]);
    assert.equal(world.told.at(-1)?.exit, 'needs-attention');
    const [record] = await world.engine.find({ operationId });
    assert.ok(record);
    const { summary } = detailOf(record, { followUps: [] }, world.clock.now());
    const shown = [summary.outcome, summary.standing, summary.reason?.code];
    assert.deepEqual(shown, ['unknown', 'attention', 'HOLD_OR_MONEY'], 'the sidebar shows what the flow got');
    world.simulator.faults.clear();
    const { payload } = await world.untilTold(world.told.length + 1);
    assert.deepEqual([payload.outcome, payload.moneyMoved, payload.correction], ['completed', 'no', true]);
  });
}

/** The engine that made the hold is gone, with its journal. */
async function withoutJournalOf(make: (world: Payments) => Promise<ResultPayload>) {
  const world = payments();
  const hold = await make(world);
  await world.engine.stop();
  world.engine = world.createEngine({ journal: payments().journal });
  world.connect(world.engine);
  return Object.assign(world, { hold });
}

const keyedHold = (world: Payments): Promise<ResultPayload> =>
  world.after(world.sale({ operation: 'moToPreAuthorization' }));

for (const operation of ['moToReversal', 'saleReversal'] as const) {
  test(`a hold that a ${operation} on the terminal releases moved no money`, async () => {
    const world = payments();
    const { transactionId, reference } = await keyedHold(world);
    const entries = world.bank.entries().length;
    const result = await world.after(world.sale({ operation, originalTransactionId: transactionId }));
    assert.deepEqual([result.outcome, result.moneyMoved], ['completed', 'no'], reference);
    const [record] = await world.journal.find({ operationId: result.operationId });
    assert.equal(record && reportedOutcome(record), 'completed', 'the sidebar shows what the flow got');
    assert.deepEqual(
      world.bank
        .entries()
        .slice(entries)
        .map(({ kind, moved, held: change }) => [kind, moved, change]),
      [['release', 0, -1000]],
    );
  });
}

test('a release that only the second answer proves moved no money', async () => {
  const world = payments();
  const { transactionId } = await keyedHold(world);
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /reversal' } });
  const { outcome, moneyMoved } = await reverse(world, transactionId);
  assert.deepEqual([outcome, moneyMoved], ['completed', 'no']);
});

test('what a hold has become while its capture is in doubt, its chain says', async () => {
  const world = payments();
  const hold = await held(world);
  const { faults } = world.simulator;
  faults.arm({ kind: 'request-lost', match: { endpoint: 'POST /preauthorization/capture' }, times: 1000 });
  faults.arm({ kind: 'status-in-progress', match: {}, times: 1000 });
  assert.equal((await capture(world, hold)).outcome, 'unknown');
  faults.clear();
  const { outcome, moneyMoved } = await onTerminal(world, hold.transactionId);
  assert.deepEqual([outcome, moneyMoved], ['completed', 'no']);
});

test('a sale that is reversed is "refunded" wherever that is done', async () => {
  const world = payments();
  const sale = await world.after(world.sale());
  const { outcome, moneyMoved } = await world.after(
    world.sale({ operation: 'saleReversal', originalTransactionId: sale.transactionId }),
  );
  assert.deepEqual([outcome, moneyMoved], ['refunded', 'yes']);
});

test('"already reversed" proves nothing of a keyed sale of which another till has given back a part', async () => {
  const variants = { completedCodes: 'swapped' } as const;
  const world = payments({ callbacks: false, simulator: { cardholder: { tapAfterMs: 2000 }, variants } });
  await world.sale({ operation: 'moToSale' }, { deadlineMs: 1000, lateApproval: 'reverse' });
  await world.clock.advance(100);
  await world.engine.stop();
  assert.ok(await world.clock.runUntil(() => world.bank.netMoved() === 1000, 60_000));
  const body = { originalGuid: world.bank.entries()[0]?.transactionId, amount: '1.00', currency: 'EUR' };
  const url = `${world.simulator.baseUrl}/moto/refund`;
  const headers = { ApiKeyCloud: DEFAULT_KEY, 'Content-Type': 'application/json' };
  await world.simulator.send({ method: 'POST', url, headers, body: JSON.stringify(body), timeoutMs: 60_000 });
  await world.clock.advance(5000);
  world.engine = world.createEngine();
  world.connect(world.engine);
  await world.engine.start();
  // At its deadline the flow hears that nobody knows, and then why.
  const { exit, payload } = await world.untilTold(2);
  assert.equal(world.bank.netMoved(), 900);
  assert.deepEqual([exit, payload.error?.code], ['needs-attention', 'REVERSAL_UNPROVEN']);
});
