import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callbackSecret, callbackToken } from '../../../src/core/base/callback.js';
import { DEFAULT_KEY } from '../../../src/simulator/index.js';
import { FullDisk } from '../../harness/full-disk.js';
import { NODE, type Payments, payments } from '../../harness/payments.js';

test('a journal that cannot be written for a minute is told once, and the verdict follows as a correction', async () => {
  const journal = new FullDisk();
  const world = payments({ journal, simulator: { cardholder: { tapAfterMs: 5000 } } });
  await world.sale();
  await world.clock.advance(1000);
  journal.isFull = true;
  await world.clock.advance(55_000);
  assert.equal(world.told.length, 0, 'it may be over soon');
  await world.clock.advance(20 * 60_000);
  assert.deepEqual(
    world.told.map(({ exit, payload: { outcome, error, final, retry } }) => [exit, outcome, error?.code, final, retry]),
    [['needs-attention', 'unknown', 'JOURNAL_UNAVAILABLE', false, 'after-recovery']],
  );
  assert.equal(world.told[0]?.payload.moneyMoved, 'unknown');
  journal.isFull = false;
  await world.clock.advance(10_000);
  assert.deepEqual(
    world.told.map(({ payload: { outcome, correction } }) => [outcome, correction]),
    [
      ['unknown', undefined],
      ['approved', true],
    ],
  );
  assert.equal(world.bank.charges().length, 1);
});

test('the verdict is a correction even where the process dies before it is told', async () => {
  const journal = new FullDisk();
  const world = payments({ journal, simulator: { cardholder: { tapAfterMs: 5000 } } });
  await world.sale();
  await world.clock.advance(1000);
  journal.isFull = true;
  await world.untilTold();
  world.engine.attach(NODE, { deliver: () => assert.fail('nobody listens'), progress: () => undefined })();
  journal.isFull = false;
  await world.clock.advance(10_000);
  assert.equal(world.told.length, 1);
  journal.crash();
  const engine = world.createEngine();
  await engine.start();
  world.connect(engine);
  await world.clock.advance(0);
  assert.deepEqual(
    world.told.map(({ payload: { outcome, correction } }) => [outcome, correction]),
    [
      ['unknown', undefined],
      ['approved', true],
    ],
  );
});

test('a flow that has a verdict already hears nothing of a journal that cannot be written', async () => {
  const journal = new FullDisk();
  const world = payments({ journal, callbacks: false });
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /transactions' } });
  await world.sale();
  await world.untilTold();
  journal.isFull = true;
  await world.clock.advance(2 * 24 * 60 * 60_000 + 60 * 60_000);
  assert.deepEqual(
    world.told.map(({ payload }) => payload.outcome),
    ['provisional'],
  );
});

test('a journal that cannot be written at the turn of a back-office operation is told too', async () => {
  const journal = new FullDisk();
  const world = payments({ journal });
  const { transactionId } = await world.after(world.sale());
  world.simulator.faults.arm({ kind: 'request-delayed', ms: 3000 });
  await world.backOffice({ operation: 'reversal', body: { originalGuid: transactionId } });
  journal.isFull = true;
  await world.clock.advance(90_000);
  assert.equal(world.told.at(-1)?.payload.error?.code, 'JOURNAL_UNAVAILABLE');
  assert.equal(world.told.length, 2);
});

for (const operation of ['sale', 'preAuthorization'] as const) {
  test(`a "busy" that is true no more is corrected at once, although the journal cannot take the correction: ${operation}`, async () => {
    const journal = new FullDisk();
    const world = payments({ journal, simulator: { cardholder: { tapAfterMs: 20_000 } } });
    world.simulator.faults.arm({ kind: 'repeated-request' });
    await world.sale({ operation }, { exclusiveTerminal: false });
    await world.untilTold(1, 10_000);
    journal.isFull = true;
    await world.untilTold(2, 60_000);
    const [charge] = world.bank.entries();
    assert.ok(charge !== undefined && world.clock.now() - charge.at <= 30_000);
    await world.clock.advance(10 * 60_000);
    journal.isFull = false;
    await world.clock.advance(10_000);
    assert.deepEqual(
      world.told.map(({ payload: { outcome, error, correction } }) => [outcome, error?.code, correction]),
      [
        ['refused', '1001', undefined],
        ['unknown', 'JOURNAL_UNAVAILABLE', true],
        ['approved', undefined, true],
      ],
    );
  });
}

test('a verdict that the journal could not take is replaced by what the terminal says against it', async () => {
  const journal = new FullDisk();
  const world = payments({ journal, simulator: { cardholder: 'none' } });
  const operationId = await world.sale();
  await world.clock.advance(1000);
  journal.isFull = true;
  world.terminal.cancel();
  await world.clock.advance(1000);
  const body = {
    transactionReference: operationId,
    finStatus: 'AUTHORISED',
    type: 'SALE',
    totalAmount: 1000,
    currency: 'EUR',
  };
  await world.engine.callback(
    operationId,
    callbackToken(callbackSecret(DEFAULT_KEY), operationId),
    JSON.stringify(body),
  );
  journal.isFull = false;
  await world.clock.advance(10_000);
  assert.deepEqual(
    world.told.map(({ exit, payload: { outcome, error } }) => [exit, outcome, error?.code]),
    [['needs-attention', 'unknown', 'CONTRADICTED']],
  );
  const alarms = world.noticed.filter(({ late, delivery }) => late && delivery.payload.error?.code === 'CONTRADICTED');
  assert.equal(alarms.length, 0, 'nothing was told that an alarm would have to take back');
});

test('a question is no correction where the "no" before it never reached its node', async () => {
  const journal = new FullDisk();
  const world = payments({ journal, simulator: { cardholder: { tapAfterMs: 20_000 } } });
  world.simulator.faults.arm({ kind: 'repeated-request' });
  await world.sale({}, { exclusiveTerminal: false });
  world.engine.attach(NODE, { deliver: () => assert.fail('nobody listens'), progress: () => undefined })();
  await world.clock.advance(10_000);
  journal.isFull = true;
  await world.clock.advance(2 * 60_000);
  world.connect(world.engine);
  await world.untilTold();
  journal.isFull = false;
  await world.clock.advance(10_000);
  assert.deepEqual(
    world.told.map(({ payload: { outcome, error, correction } }) => [outcome, error?.code, correction]),
    [
      ['unknown', 'JOURNAL_UNAVAILABLE', undefined],
      ['approved', undefined, true],
    ],
  );
});

/** The engine ends without a word to the journal, so that its lease lasts a while. The next one is not started. */
async function leaveLeased(world: Payments): Promise<void> {
  world.journal.release = () => Promise.resolve();
  await world.engine.stop();
  world.engine = world.createEngine();
}

test('an open payment that cannot be resumed, as the journal is read-only, is told once, and corrected', async () => {
  const journal = new FullDisk();
  const world = payments({ journal, simulator: { cardholder: { tapAfterMs: 5000 } } });
  await world.sale();
  await world.clock.advance(50);
  await leaveLeased(world);
  await world.engine.start();
  world.connect(world.engine);
  journal.isFull = true;
  await world.clock.advance(20 * 60_000);
  const said = (): (string | boolean | undefined)[][] =>
    world.told.map(({ payload: { outcome, error, correction } }) => [outcome, error?.code, correction]);
  assert.deepEqual(said(), [['unknown', 'JOURNAL_UNAVAILABLE', undefined]]);
  journal.isFull = false;
  await world.clock.advance(10 * 60_000);
  assert.deepEqual(said().slice(1), [['approved', undefined, true]]);
  assert.equal(world.bank.charges().length, 1);
});

test('a "no" that is not final is a question again where the next process cannot resume the payment', async () => {
  const journal = new FullDisk();
  const world = payments({ journal, simulator: { cardholder: { tapAfterMs: 20_000 } } });
  world.simulator.faults.arm({ kind: 'repeated-request' });
  await world.sale({}, { exclusiveTerminal: false });
  await world.untilTold();
  await leaveLeased(world);
  await world.engine.start();
  world.connect(world.engine);
  journal.isFull = true;
  await world.clock.advance(20 * 60_000);
  journal.isFull = false;
  await world.clock.advance(10 * 60_000);
  const said = world.told.map(({ payload: { outcome, final, error, correction } }) => {
    return [outcome, final, error?.code, correction];
  });
  assert.deepEqual(said.slice(0, 2), [
    ['refused', false, '1001', undefined],
    ['unknown', false, 'JOURNAL_UNAVAILABLE', true],
  ]);
  assert.deepEqual(said.at(-1), ['approved', true, undefined, true]);
});

test('a question corrects the "no" that the flow has heard, where the verdict after it waits in a journal that is read-only', async () => {
  const journal = new FullDisk();
  const world = payments({ journal, simulator: { cardholder: { tapAfterMs: 20_000 } } });
  world.simulator.faults.arm({ kind: 'repeated-request' });
  await world.sale({}, { exclusiveTerminal: false });
  await world.untilTold();
  world.engine.attach(NODE, { deliver: () => assert.fail('nobody listens'), progress: () => undefined })();
  await world.clock.advance(10 * 60_000);
  await leaveLeased(world);
  await world.engine.start();
  world.connect(world.engine);
  journal.isFull = true;
  await world.clock.advance(20 * 60_000);
  const said = world.told.map(({ payload: { outcome, error, correction } }) => [outcome, error?.code, correction]);
  assert.deepEqual(said, [
    ['refused', '1001', undefined],
    ['unknown', 'JOURNAL_UNAVAILABLE', true],
  ]);
});

test('a flow hears the recorded verdict again where the next process can read the journal, and not write it', async () => {
  const journal = new FullDisk();
  const world = payments({ journal });
  world.engine.attach(NODE, { deliver: () => assert.fail('nobody listens'), progress: () => undefined })();
  await world.sale();
  await world.clock.advance(60_000);
  journal.isFull = true;
  await leaveLeased(world);
  journal.isFull = false;
  await world.engine.start();
  world.connect(world.engine);
  journal.isFull = true;
  await world.clock.advance(5 * 60_000);
  assert.deepEqual(
    world.told.map(({ payload: { outcome, final, redelivered, correction } }) => [
      outcome,
      final,
      redelivered,
      correction,
    ]),
    [['approved', true, true, undefined]],
  );
});

test('a late result that the journal cannot take, so that the terminal sends it again and again, is told once', async () => {
  const journal = new FullDisk();
  const world = payments({ journal, simulator: { cardholder: 'none' } });
  const operationId = await world.sale();
  await world.clock.advance(1000);
  world.terminal.cancel();
  await world.untilTold();
  journal.isFull = true;
  const result = { finStatus: 'DECLINED', type: 'SALE', totalAmount: 1000, currency: 'EUR' };
  for (let time = 0; time < 3; time++) {
    assert.equal(await world.callback(operationId, result), 'unavailable');
    await world.clock.advance(5000);
  }
  assert.deepEqual(world.late(), [['not-done', 'declined', undefined]]);
});
