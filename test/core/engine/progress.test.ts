import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StageChange } from '../../../src/core/delivery/listener.js';
import { MemoryJournal } from '../../../src/core/journal/memory.js';
import { NODE, type Payments, type PaymentsOptions, payments } from '../../harness/payments.js';

const post = { endpoint: 'POST /transactions' };

/** What a flow with a progress output hears, results between the stages. */
function watched(options: PaymentsOptions = {}) {
  const world = payments(options);
  const heard: string[] = [];
  const changes: StageChange[] = [];
  const listen = (): void => {
    world.engine.attach(NODE, {
      deliver: (delivery) => {
        world.told.push(delivery);
        heard.push(`= ${delivery.payload.outcome}`);
      },
      progress: () => undefined,
      stage: (change) => {
        changes.push(change);
        heard.push(change.payload.stage);
      },
    });
  };
  listen();
  return { world, heard, changes, listen };
}

const heldOf = async (world: Payments): Promise<string> =>
  (await world.after(world.sale({ operation: 'preAuthorization' }))).transactionId;

test('a sale is sent, waits for its card, and then has its result', async () => {
  const { world, heard, changes } = watched({ simulator: { cardholder: { tapAfterMs: 5000 } } });
  await world.sale({}, { deadlineMs: 60_000 });
  await world.untilTold();
  assert.deepEqual(heard, ['sending', 'waiting', '= approved']);
  assert.deepEqual(
    changes.map(({ payload }) => payload.secondsLeft),
    [undefined, 60],
  );
});

test('one behind another on its terminal is in the queue, and so is one that the terminal is too busy for', async () => {
  const { world, heard } = watched({ simulator: { cardholder: { tapAfterMs: 5000 } } });
  await world.sale({}, { busyWaitMs: 60_000 });
  await world.untilTold();
  world.simulator.faults.arm({ kind: 'terminal-busy' });
  heard.length = 0;
  await world.sale({}, { busyWaitMs: 60_000 });
  await world.untilTold(2);
  assert.deepEqual(heard, ['sending', 'queued', 'sending', 'waiting', '= approved']);
});

test('one that waits for the rate limit is in the queue until its request leaves', async () => {
  const { world, heard } = watched({ engine: { requestsPerSecond: 1 } });
  await world.sale({ serial_number: '10000002' });
  heard.length = 0;
  await world.sale();
  assert.deepEqual(heard, ['queued']);
  await world.untilTold(2);
  assert.deepEqual(heard.filter((line) => line !== '= approved').slice(0, 3), ['queued', 'waiting', 'sending']);
});

test('a lost answer is looked into until the limit, and nothing follows the result but corrections', async () => {
  const { world, heard, changes } = watched({ callbacks: false });
  world.simulator.faults.arm({ kind: 'answer-lost', match: post });
  await world.sale();
  await world.clock.advance(3 * 24 * 3_600_000);
  assert.deepEqual(heard, ['sending', 'checking', '= provisional', '= approved']);
  assert.equal(changes.at(-1)?.payload.secondsLeft, 360);
});

test('a result that is overdue is looked into, with the time that is left for it', async () => {
  const { world, heard, changes } = watched();
  world.simulator.faults.arm({ kind: 'power-cut-awaiting-card', ms: 0 });
  await world.sale();
  await world.clock.advance(100_000);
  assert.deepEqual(heard, ['sending', 'waiting', 'checking']);
  const secondsLeft = changes.at(-1)?.payload.secondsLeft ?? 0;
  assert.ok(secondsLeft > 200 && secondsLeft <= 270, String(secondsLeft));
});

test('a cancel shows while the terminal is asked to stop', async () => {
  const { world, heard } = watched({ simulator: { cardholder: 'none' } });
  const operationId = await world.sale();
  await world.clock.advance(10_000);
  world.engine.cancel(operationId);
  await world.untilTold();
  assert.deepEqual(heard, ['sending', 'waiting', 'stopping', '= cancelled']);
});

test('a reversal by policy shows', async () => {
  const { world, heard } = watched({ simulator: { cardholder: { tapAfterMs: 1000 } } });
  await world.sale({ amount: '3757' }, { partialApproval: 'reverse' });
  await world.untilTold();
  assert.deepEqual(heard, ['sending', 'waiting', 'reversing', '= cancelled']);
});

test('what needs no terminal waits for its turn, is sent, and is looked into where its answer is lost', async () => {
  const { world, heard } = watched();
  const originalGuid = await heldOf(world);
  heard.length = 0;
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /preauthorization/increase' } });
  const body = { originalGuid, increaseAmount: '5.00', currency: 'EUR' };
  await world.after(world.backOffice({ operation: 'preauthorization/increase', body }));
  assert.deepEqual(heard, ['queued', 'sending', 'checking', '= approved']);
});

test('nothing is told before the record is durable, and nothing of what the journal refuses', async () => {
  class SlowDisk extends MemoryJournal {
    private readonly held: (() => void)[] = [];

    protected override async commit(write: () => void): Promise<void> {
      await new Promise<void>((resolve) => this.held.push(resolve));
      write();
    }

    letGo(): void {
      for (const go of this.held.splice(0)) go();
    }
  }
  const journal = new SlowDisk();
  const { world, heard } = watched({ journal });
  const submitted = world.sale();
  await world.clock.advance(59_000);
  assert.deepEqual(heard, []);
  // The lease first, then the record.
  journal.letGo();
  await world.clock.advance(0);
  assert.deepEqual(heard, []);
  journal.letGo();
  await submitted;
  assert.deepEqual(heard, ['sending']);
});

test('an engine that takes a payment up tells its stage, on the message it came with', async () => {
  const { world, heard, changes, listen } = watched({ simulator: { cardholder: 'none' } });
  await world.sale();
  await world.clock.advance(1000);
  world.journal.crash();
  world.engine = world.createEngine();
  listen();
  await world.engine.start();
  await world.clock.advance(100);
  assert.deepEqual(heard, ['sending', 'waiting', 'waiting']);
  assert.deepEqual(changes.at(-1)?.origin.message, { _msgid: 'm1', order: 4711 });
});
