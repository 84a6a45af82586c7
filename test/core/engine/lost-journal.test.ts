import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LeaseLostError } from '../../../src/core/base/errors.js';
import { MemoryJournal } from '../../../src/core/journal/memory.js';
import { payments } from '../../harness/payments.js';

/** A journal that another process may have taken over, as far as this one knows; and that it has taken over. */
class SharedJournal extends MemoryJournal {
  isUncertain = false;
  isLost = false;

  override mayAct(): boolean {
    return !this.isUncertain && !this.isLost;
  }

  override mayTellUnavailable(): boolean {
    return !this.isLost;
  }

  protected override async commit(write: () => void): Promise<void> {
    if (this.isLost) throw new LeaseLostError('another process has taken over');
    write();
  }
}

test('a payment is not sent by a process that may have lost the journal, and says so for certain', async () => {
  const journal = new SharedJournal();
  const world = payments({ journal });
  journal.isUncertain = true;
  await world.sale();
  await world.clock.advance(5000);
  assert.deepEqual(world.started, []);
  assert.equal(world.told.length, 0, 'nothing is told before that is certain too');
  journal.isUncertain = false;
  const { payload } = await world.untilTold();
  assert.deepEqual(
    [payload.outcome, payload.moneyMoved, payload.retry, payload.error?.code],
    ['not-charged', 'no', 'safe', 'JOURNAL_UNAVAILABLE'],
  );
  assert.equal(world.bank.charges().length, 0);
});

test('a payment that waits for the rate limit is not sent when the journal is lost meanwhile', async () => {
  const journal = new SharedJournal();
  const world = payments({ journal, engine: { requestsPerSecond: 1 } });
  await world.sale();
  await world.sale({ serial_number: '10000002' });
  journal.isLost = true;
  await world.clock.advance(10 * 60_000);
  assert.equal(world.started.length, 1);
  assert.equal(world.told.length, 0, 'the one that has the journal tells it');
});

test('a payment of the back office is not sent either', async () => {
  const journal = new SharedJournal();
  const world = payments({ journal });
  const { transactionId } = await world.after(world.sale());
  journal.isUncertain = true;
  await world.backOffice({ operation: 'reversal', body: { originalGuid: transactionId } });
  await world.clock.advance(5000);
  journal.isUncertain = false;
  const { payload } = await world.untilTold(2);
  assert.deepEqual(
    [payload.outcome, payload.moneyMoved, payload.error?.code],
    ['not-charged', 'no', 'JOURNAL_UNAVAILABLE'],
  );
  assert.equal(world.bank.netMoved(), 1000);
});

test('a reversal by policy waits until the journal is certain', async () => {
  const journal = new SharedJournal();
  const world = payments({ journal });
  await world.sale({ amount: '3757' }, { partialApproval: 'reverse' });
  world.simulator.faults.decideBy(({ moment }) => {
    if (moment === 'callback') journal.isUncertain = true;
    return undefined;
  });
  await world.clock.advance(60_000);
  assert.equal(world.bank.netMoved(), 1100);
  journal.isUncertain = false;
  const { payload } = await world.untilTold();
  assert.equal(payload.error?.code, 'PARTIAL_APPROVAL_REVERSED');
  assert.equal(world.bank.netMoved(), 0);
});

test('no stop is sent to a terminal on which another process may have begun the next payment', async () => {
  const journal = new SharedJournal();
  const world = payments({ journal, simulator: { cardholder: 'none' } });
  await world.sale({}, { deadlineMs: 20_000 });
  await world.clock.advance(10_000);
  journal.isUncertain = true;
  await world.clock.advance(14_000);
  assert.equal(world.started.includes('stopCurrentTransaction'), false);
  journal.isUncertain = false;
  await world.untilTold();
  assert.equal(world.started.includes('stopCurrentTransaction'), true);
});

test('a result is told once the journal is certain, and only then', async () => {
  const journal = new SharedJournal();
  const world = payments({ journal, simulator: { cardholder: { tapAfterMs: 5000 } } });
  await world.sale();
  await world.clock.advance(1000);
  journal.isUncertain = true;
  await world.clock.advance(30_000);
  assert.equal(world.bank.charges().length, 1);
  assert.equal(world.told.length, 0);
  journal.isUncertain = false;
  await world.clock.advance(1000);
  assert.deepEqual(
    world.told.map(({ payload }) => payload.outcome),
    ['approved'],
  );
  await world.clock.runUntilIdle();
  assert.equal(world.told.length, 1);
});

test('a process that has lost the journal tells nothing any more, and leaves no timer when it stops', async () => {
  const journal = new SharedJournal();
  const world = payments({ journal, simulator: { cardholder: { tapAfterMs: 5000 } } });
  await world.sale();
  await world.clock.advance(1000);
  journal.isLost = true;
  await world.clock.advance(20 * 60_000);
  assert.equal(world.told.length, 0);
  const stopped = world.engine.stop();
  await world.clock.runUntilIdle();
  await stopped;
  assert.equal(world.clock.pending, 0);
});

test('a process that stops while it is uncertain leaves the result to the next one, and no timer', async () => {
  const journal = new SharedJournal();
  const world = payments({ journal, simulator: { cardholder: { tapAfterMs: 5000 } } });
  await world.sale();
  await world.clock.advance(1000);
  journal.isUncertain = true;
  await world.clock.advance(30_000);
  let isStopped = false;
  void world.engine.stop().then(() => {
    isStopped = true;
  });
  await world.clock.runUntil(() => isStopped);
  assert.equal(world.clock.pending, 0);
  journal.isUncertain = false;
  const next = world.createEngine();
  world.connect(next);
  await next.start();
  assert.deepEqual((await world.untilTold()).payload.outcome, 'approved');
});
