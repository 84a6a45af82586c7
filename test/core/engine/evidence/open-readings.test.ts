import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import { DEFAULT_KEY } from '../../../../src/simulator/index.js';
import { payments } from '../../../harness/payments.js';

/** Where the service may mean either of two things, the flow is told nothing final before it is certain which. */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const POST = { endpoint: 'POST /transactions' };

const said = ({ outcome, moneyMoved, final }: ResultPayload): string =>
  `${outcome}, moved ${moneyMoved}, ${final ? 'final' : 'open'}`;

test('a card that is read nearly two minutes after a lost answer was never reported as not charged', async () => {
  const world = payments({ callbacks: false });
  world.simulator.faults.arm({ kind: 'answer-lost', match: POST });
  world.simulator.faults.arm({ kind: 'card-read-late', ms: 85_000 });
  const reference = await world.sale({}, { exclusiveTerminal: false });
  await world.clock.advance(3 * DAY);
  assert.equal(world.bank.netMoved(reference), 1000);
  assert.deepEqual(
    world.told.map(({ payload }) => said(payload)),
    ['provisional, moved unknown, open', 'approved, moved yes, final'],
  );
  assert.ok(!world.started.includes('pingDevice'));
});

test('a decline that the cardholder answers with another try is not the end of a payment', async () => {
  const world = payments({ callbacks: false });
  world.simulator.faults.arm({ kind: 'answer-lost', match: POST });
  world.simulator.faults.arm({ kind: 'declined-then-approved' });
  const reference = await world.sale({}, { exclusiveTerminal: false });
  await world.clock.advance(3 * DAY);
  assert.equal(world.bank.netMoved(reference), 1000);
  assert.equal(said(world.told.at(-1)?.payload as ResultPayload), 'approved, moved yes, final');
  assert.ok(world.told.every(({ payload }) => payload.moneyMoved !== 'no'));
});

test('a failure on both sides that turns out to be an approval is not told as not charged', async () => {
  const world = payments();
  world.simulator.faults.arm({ kind: 'failed-then-approved', ms: 60_000 });
  const reference = await world.sale();
  await world.clock.advance(3 * DAY);
  assert.equal(world.bank.netMoved(reference), 1000);
  assert.ok(world.told.every(({ payload }) => payload.moneyMoved !== 'no' && payload.retry !== 'safe'));
  assert.equal(world.told.at(-1)?.payload.moneyMoved, 'yes');
});

test('a payment whose record vanishes for good is left to a person in the end, and called neither charged nor not charged', async () => {
  const world = payments({ callbacks: false });
  world.simulator.faults.arm({ kind: 'answer-lost', match: POST });
  const reference = await world.sale();
  await world.clock.advance(2 * MINUTE);
  world.simulator.faults.arm({ kind: 'status-record-gone' });
  await world.clock.advance(3 * DAY);
  assert.equal(world.bank.netMoved(reference), 1000);
  assert.deepEqual(
    world.told.map(({ payload }) => `${said(payload)} ${payload.error?.code ?? ''}`.trim()),
    ['provisional, moved unknown, open APPROVAL_UNCONFIRMED', 'unknown, moved unknown, final WATCH_ENDED'],
  );
  assert.deepEqual([world.told.at(-1)?.exit, world.told.at(-1)?.payload.correction], ['needs-attention', true]);
});

test('a payment whose record has vanished is told by what its terminal says in the end', async () => {
  const world = payments();
  world.simulator.faults.arm({ kind: 'answer-lost', match: POST });
  world.simulator.faults.arm({ kind: 'callback-late', ms: 60 * MINUTE });
  const reference = await world.sale();
  await world.clock.advance(MINUTE);
  world.simulator.faults.arm({ kind: 'status-record-gone' });
  await world.clock.advance(3 * DAY);
  assert.equal(world.bank.netMoved(reference), 1000);
  const { payload } = world.told.at(-1) ?? {};
  assert.deepEqual([said(payload as ResultPayload), payload?.source], ['approved, moved yes, final', 'callback']);
});

test('an approval that the terminal took back while the process was off for days is not told as approved', async () => {
  const world = payments({ callbacks: false });
  world.simulator.faults.arm({ kind: 'answer-lost', match: POST });
  const reference = await world.sale();
  const { payload } = await world.untilTold();
  assert.equal(said(payload), 'provisional, moved unknown, open');
  await world.engine.stop();
  await world.simulator.send({
    method: 'POST',
    url: `${world.simulator.baseUrl}/reversal`,
    headers: { ApiKeyCloud: 'simulator', 'content-type': 'application/json' },
    body: JSON.stringify({ originalGuid: payload.transactionId }),
    timeoutMs: 20_000,
  });
  await world.clock.advance(3 * DAY);
  world.engine = world.createEngine();
  await world.engine.start();
  world.connect(world.engine);
  await world.clock.advance(10 * MINUTE);
  assert.equal(world.bank.netMoved(reference), 0);
  assert.equal(world.told.at(-1)?.payload.moneyMoved, 'no');
  assert.ok(!world.told.some(({ payload }) => payload.outcome === 'approved'));
});

for (const kind of ['moto-authorised-without-code', 'moto-00-without-code', 'moto-undefined-with-00'] as const) {
  for (const isDone of [true, false]) {
    test(`a charge by token answered ${kind}, ${isDone ? 'and done' : 'and not done'}, is told as the bank has it`, async () => {
      const world = payments();
      const { card } = await world.after(world.sale({ operation: 'saleAndTokenizeCard' }));
      world.simulator.faults.arm({ kind, isDone });
      const before = world.bank.entries().length;
      const body = { amount: '3.00', currency: 'EUR', cardToken: String(card.token) };
      const { moneyMoved } = await world.after(world.backOffice({ operation: 'moto/sale', body }));
      const charged = world.bank.entries().length > before;
      assert.deepEqual([charged, moneyMoved], [isDone, isDone ? 'yes' : 'no']);
    });
  }
}

for (const kind of ['body-empty', 'body-foreign', 'error-with-200', 'code-30-with-200'] as const) {
  for (const isDone of [true, false]) {
    test(`a reversal answered ${kind}, ${isDone ? 'and done' : 'and not done'}, is told as the bank has it`, async () => {
      const world = payments();
      const sale = await world.after(world.sale());
      world.simulator.faults.arm({ kind, isDone });
      const { transactionId: originalGuid } = sale;
      const { moneyMoved } = await world.after(world.backOffice({ operation: 'reversal', body: { originalGuid } }));
      assert.equal(moneyMoved, 'yes');
      assert.equal(world.bank.netMoved(sale.reference), 0);
    });
  }
}

for (const kind of ['body-empty', 'body-foreign'] as const) {
  for (const isDone of [true, false]) {
    test(`a tip answered ${kind}, ${isDone ? 'and done' : 'and not done'}, is told as the bank has it`, async () => {
      const world = payments();
      const { reference, transactionId: transactionID } = await world.after(world.sale());
      await world.clock.advance(MINUTE);
      world.simulator.faults.arm({ kind, isDone, times: 100 });
      const body = { transactionID, amount: '2.00', currency: 'EUR' };
      const payload = await world.after(world.backOffice({ operation: 'tip-adjustment', body }));
      assert.equal(world.bank.netMoved(reference), isDone ? 1200 : 1000);
      assert.equal(said(payload), isDone ? 'approved, moved yes, final' : 'not-charged, moved no, final');
    });
  }
}

for (const isDone of [true, false]) {
  test(`a batch close answered {}, ${isDone ? 'and done' : 'and not done'}, is told as it is at the service`, async () => {
    const world = payments({ simulator: { merchants: [{ demo: false, keys: [DEFAULT_KEY] }] } });
    await world.after(world.sale());
    world.simulator.faults.arm({ kind: 'body-empty', isDone, match: { endpoint: 'POST /batch/close' } });
    const terminal = { serialNumber: '10000001', deviceType: 'SIMULATEDT1' };
    const { outcome } = await world.after(world.backOffice({ operation: 'batch/close', body: terminal }));
    const summary = world.engine.client.batch.summary({ ...terminal, batchNumber: '1' });
    await world.clock.advance(5000);
    const { batchStatus } = await summary;
    assert.deepEqual([batchStatus, outcome], isDone ? ['CLOSED', 'completed'] : ['OPEN', 'not-charged']);
  });
}

test('results nested thousands of levels deep leave a question, and no silence', async () => {
  const world = payments({ callbacks: false });
  world.simulator.faults.arm({ kind: 'body-deep', match: { endpoint: 'GET /transaction-result' }, times: 100_000 });
  await world.sale();
  const { payload } = await world.untilTold();
  assert.equal(said(payload), 'provisional, moved unknown, open');
});

test('why an answer was lost is in the log and in the timeline', async () => {
  const world = payments();
  world.simulator.faults.arm({ kind: 'server-error-after', status: 502, match: POST });
  const { timeline } = await world.after(world.sale());
  const why = 'the response cannot be read: HTTP status 502';
  assert.equal(timeline.find(({ event }) => event === 'no-answer')?.why, why);
  assert.ok(world.logged.some((line) => line.startsWith('warn: ') && line.endsWith(why)));
});

test('a charge that the status service showed before a crash, and never again, is not told as not charged', async () => {
  const world = payments({ callbacks: false });
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /transactions' } });
  world.simulator.faults.arm({ kind: 'status-record-gone' });
  await world.sale();
  await world.clock.advance(60_000);
  void world.engine.stop();
  world.journal.crash();
  world.engine = world.createEngine();
  await world.engine.start();
  world.connect(world.engine);
  await world.clock.runUntilIdle(3 * 24 * 3_600_000);
  assert.equal(world.bank.netMoved(), 1000);
  assert.ok(world.told.every(({ payload }) => payload.moneyMoved !== 'no'));
  assert.equal(world.told.at(-1)?.payload.error?.code, 'WATCH_ENDED');
});
