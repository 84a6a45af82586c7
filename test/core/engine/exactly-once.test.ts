import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TransactionOrder } from '../../../src/core/api/schema/transaction-request.js';
import { JournalError } from '../../../src/core/base/errors.js';
import type { Send } from '../../../src/core/base/seams.js';
import { MemoryJournal } from '../../../src/core/journal/memory.js';
import type { BackOfficeRecord, OperationRecord } from '../../../src/core/journal/record.js';
import type { Cardholder } from '../../../src/simulator/index.js';
import { NODE, type Payments, payments, saleOrder } from '../../harness/payments.js';

/** Defects that the truth test found, each with the shortest way to it. */

const MINUTE = 60_000;

class FullDisk extends MemoryJournal {
  full = false;

  protected override async commit(write: () => void): Promise<void> {
    if (this.full) throw new JournalError('no space left on the disk');
    write();
  }
}

/** A journal that takes a while to write one phase, and says when it is about to. */
class SlowAt extends MemoryJournal {
  phase = '';
  letGo: (() => void) | undefined;

  override async advance(operation: OperationRecord): Promise<void> {
    if (operation.state.phase === this.phase) {
      await new Promise<void>((resolve) => {
        this.letGo = resolve;
      });
      this.letGo = undefined;
    }
    await super.advance(operation);
  }
}

test('the flow gets nothing that the journal does not have, so that a crash cannot deliver it twice', async () => {
  const journal = new FullDisk();
  const world = payments({ journal });
  await world.sale();
  journal.full = true;
  await world.clock.advance(MINUTE);
  assert.deepEqual(world.told, []);
  journal.full = false;
  const { payload } = await world.untilTold();
  assert.equal(payload.outcome, 'approved');
  await world.clock.runUntilIdle();
  assert.equal(world.told.length, 1);
});

test('an approval is not reversed by policy before the journal knows that it will be', async () => {
  const journal = new FullDisk();
  const world = payments({ journal, callbacks: false });
  world.simulator.faults.arm({ kind: 'gateway-answer-lost' });
  await world.sale({}, { deadlineMs: 20_000, lateApproval: 'reverse' });
  await world.clock.advance(15_000);
  journal.full = true;
  await world.clock.advance(MINUTE);
  assert.equal(world.bank.netMoved(), 1000, 'approved, and not reversed yet');
  journal.full = false;
  await world.untilTold(2);
  assert.deepEqual(
    world.told.map(({ payload }) => [payload.outcome, payload.final]),
    [
      ['unknown', false],
      ['cancelled', true],
    ],
  );
  assert.equal(world.bank.netMoved(), 0);
});

test('a submission that the journal refuses leaves no timer', async () => {
  const journal = new FullDisk();
  const world = payments({ journal });
  await world.after(world.sale());
  await world.clock.runUntilIdle();
  journal.full = true;
  await assert.rejects(world.sale(), JournalError);
  assert.equal(await world.clock.runUntilIdle(10 * MINUTE), true);
});

test('what was delivered before a crash is delivered again, and then corrected, never replaced', async () => {
  const journal = new FullDisk();
  const world = payments({ journal, callbacks: false });
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /transactions' } });
  world.simulator.faults.arm({ kind: 'request-lost', match: { endpoint: 'GET /status' }, forMs: 7 * MINUTE });
  const outcomes: string[] = [];
  world.engine.attach(NODE, {
    deliver: ({ payload }) => {
      outcomes.push(payload.outcome);
      journal.full = true;
    },
    progress: () => undefined,
  });
  await world.sale();
  await world.clock.runUntil(() => outcomes.length > 0);
  assert.deepEqual(outcomes, ['unknown']);
  await world.engine.stop();
  journal.full = false;
  journal.crash();

  const engine = world.createEngine();
  await engine.start();
  await world.clock.advance(20 * MINUTE);
  world.connect(engine);
  assert.deepEqual(
    world.told.map(({ payload: { outcome, redelivered, correction } }) => ({ outcome, redelivered, correction })),
    [
      { outcome: 'unknown', redelivered: true, correction: undefined },
      { outcome: 'provisional', redelivered: undefined, correction: true },
    ],
  );
});

test('a 429 to a payment by token is tried again under a new reference', async () => {
  const world = payments();
  const { card } = await world.after(world.sale({ operation: 'saleAndTokenizeCard' }));
  world.simulator.faults.arm({ kind: 'rate-limited', match: { endpoint: 'POST /moto/sale' }, times: 2 });
  const body = { amount: '3.00', currency: 'EUR', cardToken: String(card.token) };
  const { outcome, operationId } = await world.after(world.backOffice({ operation: 'moto/sale', body }));
  assert.equal(outcome, 'approved');
  const [record] = (await world.journal.find({ operationId })) as BackOfficeRecord[];
  assert.equal(new Set(record?.references).size, 3);
  const sent = world.simulator.requests.latest().filter(({ path }) => path === '/moto/sale');
  const references = sent.map((request) => (request.body as { transactionReference: string }).transactionReference);
  assert.deepEqual(references, record?.references);
});

test('a capture that another message made is not taken for what became of a lost answer', async () => {
  const world = payments();
  const hold = await world.after(world.sale({ operation: 'preAuthorization', amount: '10000' }));
  const body = { originalGuid: hold.transactionId, capturedAmount: '50.00', currency: 'EUR' };
  const order = { operation: 'preauthorization/capture', body } as const;
  assert.equal((await world.after(world.backOffice(order))).outcome, 'approved');
  world.simulator.faults.arm({ kind: 'server-error-before', match: { endpoint: 'POST /preauthorization/capture' } });
  const second = await world.after(world.backOffice(order));
  assert.deepEqual([second.outcome, second.moneyMoved], ['refused', 'no']);
  assert.equal(world.bank.netMoved(), 5000);
});

test('a late capture is reported whatever the policy: there is nothing to go back to', async () => {
  const world = payments();
  const hold = await world.after(world.sale({ operation: 'preAuthorization', amount: '10000' }));
  world.simulator.faults.arm({ kind: 'gateway-answer-lost', match: { operation: 'preAuthorizationCapture' } });
  const capture = {
    operation: 'preAuthorizationCapture',
    originalTransactionId: hold.transactionId,
    amount: '10000',
  } as const;
  const late = await world.after(world.sale(capture, { deadlineMs: 20_000, lateApproval: 'reverse' }));
  assert.equal(late.outcome, 'approved');
  assert.equal(world.bank.netMoved(), 10_000);
});

test('an engine has not stopped before its last write is done: a later one would undo what the next engine wrote', async () => {
  const journal = new SlowAt();
  const world = payments({ journal });
  await world.sale({}, { busyWaitMs: MINUTE });
  const second = await world.sale({}, { busyWaitMs: MINUTE });
  journal.phase = 'sending';
  await world.clock.runUntil(() => journal.letGo !== undefined);
  let stopped = false;
  const stopping = world.engine.stop().then(() => {
    stopped = true;
  });
  journal.phase = 'queued';
  journal.letGo?.();
  await world.clock.advance(MINUTE);
  assert.ok(journal.letGo, 'the request that had not left is put off');
  assert.equal(stopped, false);
  journal.letGo();
  await stopping;
  const [record] = await journal.find({ operationId: second });
  assert.equal(record?.state.phase, 'queued');
});

test('a change of a hold on the terminal is not taken for what became of one at the gateway', async () => {
  const world = payments({ simulator: { timings: { statusLagMs: 10_000 } } });
  const { transactionId } = await world.after(world.sale({ operation: 'preAuthorization', amount: '10000' }));
  await world.clock.advance(20_000);
  const onTerminal = { operation: 'preAuthorizationIncrease', originalTransactionId: transactionId, amount: '500' };
  await world.after(world.sale(onTerminal as Partial<TransactionOrder>));
  world.simulator.faults.arm({ kind: 'request-lost', match: { endpoint: 'POST /preauthorization/increase' } });
  const body = { originalGuid: transactionId, increaseAmount: '5.00', currency: 'EUR' };
  const increase = world.after(world.backOffice({ operation: 'preauthorization/increase', body }));
  assert.equal((await increase).outcome, 'not-charged');
  assert.equal(world.bank.netHeld(), 10_500);
});

test('an operation on the terminal waits for what the gateway has under way about the same payment', async () => {
  const world = payments();
  const { transactionId } = await world.after(world.sale({ operation: 'preAuthorization', amount: '10000' }));
  await world.clock.advance(20_000);
  world.simulator.faults.arm({ kind: 'request-lost', match: { endpoint: 'POST /preauthorization/increase' } });
  const body = { originalGuid: transactionId, increaseAmount: '5.00', currency: 'EUR' };
  const increase = world.backOffice({ operation: 'preauthorization/increase', body });
  await world.clock.advance(5_000);
  const request = { operation: 'preAuthorizationIncrease', originalTransactionId: transactionId, amount: '500' };
  const onTerminal = world.sale(request as Partial<TransactionOrder>, { busyWaitMs: 600_000 });
  assert.equal((await world.after(increase)).outcome, 'not-charged');
  assert.equal(world.bank.netHeld(), 10_000, 'nothing was sent before');
  assert.equal((await world.after(onTerminal)).outcome, 'approved');
  assert.equal(world.bank.netHeld(), 10_500);
});

/** Two tries fail, 29 s each; the third succeeds `ms` later. */
function thirdTryAfter(ms: number): Cardholder {
  let tries = 0;
  return ({ stage }) => {
    if (stage !== 'awaiting-card' && stage !== 'insert-card') return undefined;
    const unreadable = ++tries < 3;
    const card = { entry: 'CONTACTLESS_ICC', unreadable } as const;
    return { afterMs: unreadable ? 29_000 : ms, act: { do: 'present-card', card } };
  };
}

test('what a terminal sent to the gateway right before its power went is waited for, whatever it says of itself', async () => {
  for (let before = 0; before <= 20_000; before += 100) {
    const cardholder = thirdTryAfter(24_000 - before);
    const world = payments({ callbacks: false, simulator: { cardholder, timings: { statusLagMs: 10_000 } } });
    world.simulator.faults.arm({ kind: 'power-cut-processing', ms: 2 });
    await world.sale();
    const { payload } = await world.untilTold();
    assert.deepEqual(
      [payload.outcome, world.bank.netMoved()],
      ['approved', 1000],
      `${before} ms before the end of the card window`,
    );
    world.simulator.stop();
  }
});

test('an engine has not stopped while it still writes that a reversal is sent', async () => {
  const journal = new SlowAt();
  const world = payments({ journal });
  const { transactionId } = await world.after(world.sale());
  journal.phase = 'sending';
  await world.backOffice({ operation: 'reversal', body: { originalGuid: transactionId } });
  await world.clock.runUntil(() => journal.letGo !== undefined);
  let stopped = false;
  const stopping = world.engine.stop().then(() => {
    stopped = true;
  });
  await world.clock.advance(MINUTE);
  assert.equal(stopped, false);
  journal.phase = '';
  journal.letGo?.();
  await stopping;
  assert.equal(world.bank.netMoved(), 1000, 'the next engine sends it');
});

test('a turn that comes after an engine has released an operation is left to the next engine', async () => {
  const world = payments();
  world.simulator.faults.arm({ kind: 'request-delayed', ms: 3000, match: { endpoint: 'POST /transactions' } });
  world.simulator.faults.arm({ kind: 'terminal-offline' });
  await world.sale({}, { busyWaitMs: MINUTE });
  const second = await world.sale({}, { busyWaitMs: MINUTE });
  await world.clock.advance(100);
  const stopped = world.engine.stop();
  await world.clock.advance(5000);
  await stopped;
  const [record] = await world.journal.find({ operationId: second });
  assert.equal(record?.state.phase, 'queued');
  assert.deepEqual(world.started, ['sale']);
});

test('a payment that the gateway is still working on is on record, so that it is not called not charged', async () => {
  const inProgress = JSON.stringify({ finStatus: 'IN_PROGRESS', transactionID: 'a', type: 'SALE' });
  let hasRecord = false;
  const send: Send = (request) =>
    hasRecord && request.url.startsWith(world.simulator.statusUrl)
      ? Promise.resolve({ status: 200, body: inProgress })
      : world.simulator.send(request);
  const world: Payments = payments({ callbacks: false, simulator: { cardholder: 'none' }, engine: { send } });
  world.simulator.faults.arm({ kind: 'power-cut-awaiting-card', ms: 1000 });
  await world.sale();
  await world.clock.advance(30_000);
  hasRecord = true;
  const { payload } = await world.untilTold();
  assert.equal(payload.outcome, 'unknown');
});

test('a stop that took long to arrive says nothing of the time before it did', async () => {
  for (let before = 0; before <= 20_000; before += 500) {
    const cardholder = thirdTryAfter(28_000 - before);
    const world = payments({ callbacks: false, simulator: { cardholder, timings: { statusLagMs: 10_000 } } });
    world.simulator.faults.arm({ kind: 'power-cut-processing', ms: 2 });
    world.simulator.faults.arm({ kind: 'request-delayed', ms: 19_000, match: { operation: 'stopCurrentTransaction' } });
    await world.sale();
    const { payload } = await world.untilTold();
    assert.deepEqual([payload.outcome, world.bank.netMoved()], ['approved', 1000], `${before} ms`);
    world.simulator.stop();
  }
});

test('a polled question that arrives after its answer is no contradiction', async () => {
  const world = payments({ simulator: { cardholder: 'none' } });
  world.simulator.faults.arm({ kind: 'answer-delayed', ms: 5000, match: { endpoint: 'GET /transaction-result' } });
  await world.sale({ amount: '3757' });
  await world.clock.advance(1000);
  world.terminal.act({ do: 'present-card' });
  await world.clock.advance(4000);
  world.terminal.act({ do: 'answer', accept: false });
  const { payload } = await world.untilTold();
  assert.notEqual(payload.moneyMoved, 'partly');
  await world.clock.runUntilIdle();
  assert.deepEqual(
    world.noticed.filter(({ late }) => late),
    [],
  );
});

test('what happens in the same moment as the end of the recovery does not keep it from the flow', async () => {
  const world = payments({ callbacks: false });
  world.simulator.faults.arm({ kind: 'request-lost', match: { endpoint: 'POST /transactions' }, times: 2 });
  const another = world.createEngine();
  await world.sale({ operation: 'moToSale' });
  await another.submit(saleOrder({ operation: 'moToSale' }));
  const stopped = Promise.all([world.engine.stop(), another.stop()]);
  await world.clock.advance(MINUTE);
  await stopped;
  // Both wait in one queue and end at once: the turn of the second comes in that moment.
  const engine = world.createEngine();
  await engine.start();
  world.connect(engine);
  await world.untilTold(2);
  assert.deepEqual(
    world.told.map(({ payload }) => payload.outcome),
    ['unknown', 'unknown'],
  );
});

test('an order by token that still waited is not sent by the next process, which does not know the token', async () => {
  const world = payments();
  const { card } = await world.after(world.sale({ operation: 'saleAndTokenizeCard' }));
  const token = String(card.token);
  const sent = (): number => world.simulator.requests.latest().filter(({ path }) => path === '/moto/sale').length;
  world.simulator.faults.arm({ kind: 'rate-limited', match: { endpoint: 'POST /moto/sale' } });
  const body = { amount: '3.00', currency: 'EUR', cardToken: token };
  const operationId = await world.backOffice({ operation: 'moto/sale', body });
  assert.equal(await world.clock.runUntil(() => sent() === 1), true);
  const [kept] = await world.journal.find({ operationId });
  assert.equal(JSON.stringify(kept).includes(token), false, 'the journal does not have it');

  await world.engine.stop();
  const engine = world.createEngine();
  await engine.start();
  world.connect(engine);
  const { payload } = await world.untilTold(2);
  assert.deepEqual([payload.outcome, payload.moneyMoved, payload.error?.code], ['not-charged', 'no', 'NOT_SENT']);
  assert.equal(sent(), 1);
  assert.equal(world.bank.netMoved(), 1000);
});
