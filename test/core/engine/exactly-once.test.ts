import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JournalError } from '../../../src/core/base/errors.js';
import type { HttpAnswer, HttpRequest } from '../../../src/core/base/seams.js';
import { recordedDelivery } from '../../../src/core/delivery/recorded-delivery.js';
import { MemoryJournal } from '../../../src/core/journal/memory.js';
import type { BackOfficeRecord, OperationRecord } from '../../../src/core/journal/record.js';
import { FullDisk } from '../../harness/full-disk.js';
import { NODE, type Payments, payments, saleOrder } from '../../harness/payments.js';

/** Defects that the truth test found, each with the shortest way to it. */

const MINUTE = 60_000;

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
  journal.isFull = true;
  await world.clock.advance(MINUTE);
  assert.deepEqual(world.told, []);
  journal.isFull = false;
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
  journal.isFull = true;
  await world.clock.advance(MINUTE);
  assert.equal(world.bank.netMoved(), 1000, 'approved, and not reversed yet');
  journal.isFull = false;
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

test('a result over which its node throws after a deploy is told by the next process as one that the flow may have', async () => {
  const journal = new MemoryJournal();
  const world = payments({ journal, callbacks: false });
  await world.engine.stop();
  const engine = world.createEngine();
  const told: unknown[] = [];
  engine.attach(NODE, {
    deliver: ({ payload }) => {
      told.push(payload.redelivered);
      throw new Error('EPIPE');
    },
    progress: () => undefined,
  });
  engine.hold();
  const operationId = await engine.submit(saleOrder());
  await world.clock.advance(MINUTE);
  const [record] = await journal.find({ operationId }, 1);
  assert.equal(record?.state.pending?.verdict.outcome, 'approved');
  engine.releaseUnclaimed();
  await engine.stop();
  const next = world.createEngine();
  world.connect(next);
  await next.start();
  const { payload } = await world.untilTold();
  assert.deepEqual([told, payload.redelivered], [[undefined], true]);
  await next.stop();
});

test('a submission that the journal refuses leaves no timer', async () => {
  const journal = new FullDisk();
  const world = payments({ journal });
  await world.after(world.sale());
  await world.clock.runUntilIdle();
  journal.isFull = true;
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
      journal.isFull = true;
    },
    progress: () => undefined,
  });
  await world.sale();
  await world.clock.runUntil(() => outcomes.length > 0);
  assert.deepEqual(outcomes, ['unknown']);
  await world.engine.stop();
  journal.isFull = false;
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

test('what the status service decided is told with its reason after a crash too, though the terminal had said something', async () => {
  const declined = [
    { transactionID: 'one', type: 'SALE', finStatus: 'DECLINED', issuerResponseCode: '54', totalAmount: 0 },
  ];
  const send = async (request: HttpRequest): Promise<HttpAnswer> => {
    if (request.url.includes('/status/')) return { status: 200, body: JSON.stringify(declined) };
    if (request.method === 'POST') return { status: 202, body: '{}' };
    return world.simulator.send(request);
  };
  const world: Payments = payments({ engine: { send } });
  const operationId = await world.sale();
  await world.clock.advance(5000);
  const [sent] = await world.journal.find({ reference: operationId }, 1);
  await world.callback(sent?.references.at(-1) ?? '', { transactionID: 'one', finStatus: 'UNDEFINED' });
  const { payload } = await world.untilTold();
  assert.deepEqual([payload.outcome, payload.error?.code], ['declined', '54']);
  const [record] = await world.journal.find({ reference: operationId }, 1);
  assert.ok(record?.state.latest !== undefined);
  assert.equal(recordedDelivery(record, record.state.latest).payload.error?.code, '54');
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

test('what happens in the same moment as the end of the recovery does not keep it from the flow', async () => {
  const world = payments({ callbacks: false });
  world.simulator.faults.arm({ kind: 'request-lost', match: { endpoint: 'POST /transactions' }, times: 2 });
  const another = world.createEngine();
  await world.sale({ operation: 'moToSale' });
  await another.submit(saleOrder({ operation: 'moToSale' }));
  await world.clock.advance(0);
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
