import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../../../src/core/base/seams.js';
import { RecordFactory } from '../../../../src/core/engine/record-factory.js';
import { withTimePassed } from '../../../../src/core/engine/time-passed.js';
import { MemoryJournal } from '../../../../src/core/journal/memory.js';
import type { OperationRecord } from '../../../../src/core/journal/record.js';
import { Life } from '../../../harness/life.js';
import { type Payments, payments, saleOrder } from '../../../harness/payments.js';
import { VirtualClock } from '../../../harness/virtual-clock.js';
import { sampleId, sampleRecord } from '../../journal/sample-record.js';

/** A journal that several processes share knows how much time has passed between them, whatever their own clocks say. */

const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;
const DEADLINE = 180 * SECOND;
/** What may still come in after a deadline is waited for so long, ms. */
const LAST_ANSWER = 30 * SECOND;

class StampedJournal extends MemoryJournal {
  private readonly writtenAt = new Map<string, number>();

  constructor(private readonly databaseClock: Clock) {
    super();
  }

  override async record(operation: OperationRecord) {
    this.stamp(operation);
    return super.record(operation);
  }

  override async advance(operation: OperationRecord): Promise<void> {
    this.stamp(operation);
    await super.advance(operation);
  }

  async unchangedFor(operationId: string): Promise<number> {
    return this.databaseClock.now() - (this.writtenAt.get(operationId) ?? 0);
  }

  private stamp({ operationId }: OperationRecord): void {
    this.writtenAt.set(operationId, this.databaseClock.now());
  }
}

/** A computer whose clock is behind that of the others. */
const behind = (clock: Clock, by: number): Clock => ({
  now: () => clock.now() - by,
  wall: () => clock.wall() - by,
  after: (ms, run) => clock.after(ms, run),
});

/** Requests arrive, and nobody answers a question. */
function unanswered(): { world: Payments; life: Life } {
  const clock = new VirtualClock();
  const life = new Life(clock);
  const world = payments({
    clock,
    callbacks: false,
    journal: new StampedJournal(clock),
    simulator: { cardholder: 'none' },
    engine: {
      clock: life,
      send: async (request) => {
        if (JSON.parse(request.body ?? '{}').operation !== 'sale') throw new Error('nobody answers');
        return world.simulator.send(request);
      },
    },
  });
  return { world, life };
}

async function takenOver({ world, life }: ReturnType<typeof unanswered>, offFor: number, by: number): Promise<void> {
  life.die();
  world.journal.crash();
  await world.clock.advance(offFor);
  world.engine = world.createEngine({ clock: behind(world.clock, by) });
  world.connect(world.engine);
  await world.engine.start();
}

test('a deadline passes in time at a process whose clock is behind that of the one that died', async () => {
  const one = unanswered();
  const { world } = one;
  const askedAt = world.clock.now();
  await world.sale({}, { deadlineMs: DEADLINE });
  await world.clock.advance(5 * SECOND);
  await takenOver(one, 75 * SECOND, 73 * SECOND);
  const { payload } = await world.untilTold();
  assert.deepEqual([payload.outcome, payload.final], ['unknown', false]);
  assert.equal(world.clock.now() - askedAt, DEADLINE + LAST_ANSWER);
});

test('it does so at each of several that take over one after the other, each with a clock of its own', async () => {
  const one = unanswered();
  const { world } = one;
  const askedAt = world.clock.now();
  await world.sale({}, { deadlineMs: DEADLINE });
  await world.clock.advance(5 * SECOND);
  await takenOver(one, 40 * SECOND, 30 * SECOND);
  await world.clock.advance(10 * SECOND);
  await world.engine.stop();
  await takenOver(one, 40 * SECOND, 65 * SECOND);
  await world.untilTold();
  assert.equal(world.clock.now() - askedAt, DEADLINE + LAST_ANSWER);
});

test('a payment that waits for its turn is told in time after its deadline by such a process', async () => {
  const one = unanswered();
  const { world } = one;
  await world.sale();
  const askedAt = world.clock.now();
  await world.sale({}, { busyWaitMs: 600 * SECOND, deadlineMs: 60 * SECOND });
  await world.clock.advance(2 * SECOND);
  await takenOver(one, 30 * SECOND, 20 * SECOND);
  const { payload } = await world.untilTold();
  // Nobody says whether another process has sent it.
  assert.equal(payload.outcome, 'unknown');
  assert.equal(world.clock.now() - askedAt, 60 * SECOND + LAST_ANSWER);
});

const startedAt = (record: OperationRecord): number => record.state.startedAt;
const agedBy = (unchangedFor: number | undefined, deadlineMs: number | undefined, now: number): number => {
  const record = sampleRecord({ createdAt: 1_000_000, updatedAt: 1_004_000 });
  const policies = { ...record.policies, ...(deadlineMs !== undefined && { deadlineMs }) };
  return startedAt(withTimePassed({ ...record, state: { ...record.state, policies } }, unchangedFor, now)) - now;
};

test('a record is as old as its last change, and what had passed until then', () => {
  assert.equal(agedBy(20_000, DEADLINE, 1_010_000), -24_000, 'a clock behind');
  assert.equal(agedBy(20_000, DEADLINE, 900_000), -24_000, 'so far that it was recorded in the future');
  assert.equal(agedBy(20_000, DEADLINE, 1_050_000), -50_000, 'a clock ahead makes nothing younger');
});

test('the clock of the database ages a payment to its own deadline at most: it ends no watch', () => {
  assert.equal(agedBy(9 * DAY, DEADLINE, 1_010_000), -DEADLINE);
  assert.equal(agedBy(9 * DAY, undefined, 1_010_000), -10_000);
  assert.equal(agedBy(undefined, DEADLINE, 1_010_000), -10_000);
});

test('a record is as old as its message also where that waited for the leader, which had died', async () => {
  const clock = new VirtualClock();
  const of = { environment: 'env', service: 'service', clock, newId: sampleId, journal: new MemoryJournal() };
  const asked = { id: sampleId(), waitedMs: 40 * SECOND };
  const record = await new RecordFactory(of, 'owner').ofTerminal(saleOrder({}, { deadlineMs: DEADLINE }), asked);
  await clock.advance(20 * SECOND);
  assert.equal(clock.now() - startedAt(record), 60 * SECOND);
  const clockBehind = clock.now() - 73 * SECOND;
  assert.equal(clockBehind - startedAt(withTimePassed(record, 20 * SECOND, clockBehind)), 60 * SECOND);
});
