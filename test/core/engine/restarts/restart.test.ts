import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimiterRegistry } from '../../../../src/core/api/transport/rate-limiter.js';
import { MemoryJournal } from '../../../../src/core/journal/memory.js';
import type { OperationRecord } from '../../../../src/core/journal/record.js';
import { Life } from '../../../harness/life.js';
import { payments } from '../../../harness/payments.js';
import { VirtualClock } from '../../../harness/virtual-clock.js';

/** Shows what is written. */
class Watched extends MemoryJournal {
  constructor(private readonly see: (record: OperationRecord) => void) {
    super();
  }

  override record(operation: OperationRecord): ReturnType<MemoryJournal['record']> {
    this.see(operation);
    return super.record(operation);
  }

  override async advance(operation: OperationRecord): Promise<void> {
    this.see(operation);
    await super.advance(operation);
  }
}

/** A journal whose disk takes its time: nothing is durable until it is released. */
class SlowDisk extends MemoryJournal {
  private readonly held: (() => void)[] = [];
  holding = false;

  protected override async commit(write: () => void): Promise<void> {
    if (this.holding) await new Promise<void>((resolve) => this.held.push(resolve));
    write();
  }

  letGo(): void {
    this.holding = false;
    for (const go of this.held.splice(0)) go();
  }
}

test('nothing leaves before the journal has it on disk', async () => {
  const journal = new SlowDisk();
  const world = payments({ journal });
  journal.holding = true;
  const submitted = world.sale();
  await world.clock.advance(60_000);
  assert.deepEqual(world.started, [], 'the disk is not done, so not a byte has left');
  assert.deepEqual(await journal.open('env'), []);
  journal.letGo();
  const operationId = await submitted;
  assert.deepEqual(
    (await journal.open('env')).map((record) => record.operationId),
    [operationId],
  );
  await world.untilTold();
  assert.deepEqual(world.started, ['sale']);
});

test('a redeploy while the card is read: the new engine goes on, and the flow gets one result', async () => {
  const world = payments({ callbacks: false });
  await world.sale();
  await world.clock.advance(500);
  await world.engine.stop();
  assert.deepEqual(world.told, []);
  const engine = world.createEngine();
  await engine.start();
  world.connect(engine);
  const { payload, origin } = await world.untilTold();
  await world.clock.runUntilIdle();
  assert.equal(payload.outcome, 'approved');
  assert.equal(payload.redelivered, undefined);
  assert.deepEqual(origin.message, { _msgid: 'm1', order: 4711 });
  assert.equal(world.told.length, 1);
  assert.equal(world.bank.charges().length, 1);
});

test('an engine that stops lets a request on its way be answered, and leaves no timer of its own', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: 'none' } });
  world.simulator.faults.arm({ kind: 'request-delayed', ms: 3000 });
  const operationId = await world.sale();
  await world.clock.advance(0);
  const stopped = world.engine.stop();
  await world.clock.advance(3000);
  await stopped;
  const [record] = await world.journal.find({ operationId });
  assert.equal(record?.state.phase, 'waiting');
  assert.ok(record?.resultId, 'the answer is noted');
  world.simulator.stop();
  assert.equal(world.clock.pending, 0);
});

test('a request that still waits for the rate limit when its engine stops is sent by the next one', async () => {
  const world = payments({ callbacks: false });
  const terminals = ['10000001', '10000002', '10000003'];
  for (const serial_number of terminals) {
    const terminal_type = serial_number === '10000003' ? 'SIMULATEDT2' : 'SIMULATEDT1';
    await world.sale({ serial_number, terminal_type });
  }
  await world.clock.advance(100);
  assert.equal(world.started.length, 2, 'two a second');
  await world.engine.stop();
  assert.equal(world.started.length, 2);
  const engine = world.createEngine();
  await engine.start();
  world.connect(engine);
  await world.untilTold(3);
  assert.equal(world.started.length, 3);
  assert.equal(world.bank.charges().length, 3);
});

test('a sale that waits for the rate limit when the process dies was certainly not sent: the next one sends it', async () => {
  const dead = payments({ callbacks: false });
  for (const serial_number of ['10000001', '10000002']) await dead.sale({ serial_number });
  const last = await dead.sale({ serial_number: '10000003', terminal_type: 'SIMULATEDT2' });
  await dead.clock.advance(100);
  assert.equal(dead.started.length, 2);
  dead.journal.crash();
  const world = payments({ journal: dead.journal, callbacks: false });
  await world.engine.start();
  const { payload } = await world.untilTold();
  assert.deepEqual([payload.operationId, payload.outcome], [last, 'approved']);
  assert.deepEqual(world.started, ['sale']);
});

test('a sale is on its way in the journal only once the rate limit has let it through', async () => {
  const phases: string[] = [];
  const journal = new Watched((record) => phases.push(record.state.phase));
  const world = payments({ journal, callbacks: false });
  await world.sale();
  await world.clock.advance(10);
  assert.deepEqual(phases.slice(0, 1), ['sending'], 'one write where nothing has to wait');
  await world.sale({ serial_number: '10000002' });
  phases.length = 0;
  await world.sale({ serial_number: '10000003', terminal_type: 'SIMULATEDT2' });
  await world.clock.advance(500);
  assert.deepEqual(
    phases.filter((phase) => phase !== 'waiting'),
    ['queued'],
  );
  assert.equal(world.started.length, 2);
  await world.clock.advance(1000);
  assert.equal(world.started.length, 3);
  assert.ok(phases.includes('sending'));
});

test('what was decided while no node was attached is delivered when one is', async () => {
  const world = payments();
  const operationId = await world.sale();
  await world.clock.advance(500);
  await world.engine.stop();
  const engine = world.createEngine();
  await engine.start();
  world.engine = engine;
  await world.clock.advance(30_000);
  assert.equal(world.told.length, 0, 'nobody is attached yet');
  world.connect(engine);
  await world.clock.advance(0);
  assert.deepEqual(
    world.told.map(({ payload }) => [payload.operationId, payload.outcome]),
    [[operationId, 'approved']],
  );
});

test('a pending result whose node is gone goes to callback-in', async () => {
  const world = payments();
  await world.sale();
  await world.clock.advance(500);
  await world.engine.stop();
  const engine = world.createEngine();
  await engine.start();
  const noticed: [boolean, string][] = [];
  engine.subscribe(({ claimed, delivery }) => noticed.push([claimed, delivery.payload.outcome]) > 0);
  engine.releaseUnclaimed();
  world.engine = engine;
  await world.clock.runUntilIdle();
  assert.deepEqual(noticed, [[false, 'approved']]);
  assert.deepEqual(await world.journal.open('env'), []);
});

test('an operation that another engine holds is resumed once its lease has ended', async () => {
  const world = payments({ callbacks: false });
  const operationId = await world.sale();
  await world.clock.advance(500);
  await world.engine.stop();
  await world.journal.renew('another engine', world.clock.now() + 60_000);
  await world.journal.claim(operationId, 'another engine', world.clock.now());
  const engine = world.createEngine();
  await engine.start();
  world.connect(engine);
  await world.clock.advance(59_000);
  assert.equal(world.told.length, 0);
  await world.untilTold();
  await world.clock.runUntilIdle();
  assert.equal(world.bank.charges().length, 1);
  assert.equal(world.clock.pending, 0);
});

test('a refund that waits for the rate limit when the process dies was certainly not sent: the next one sends it, once', async () => {
  const clock = new VirtualClock();
  const life = new Life(clock);
  const world = payments({
    clock,
    callbacks: false,
    engine: { clock: life, rateLimiters: new RateLimiterRegistry(life) },
  });
  const { transactionId } = await world.after(world.sale());
  await clock.advance(5000);
  for (const serial_number of ['10000001', '10000002']) await world.sale({ serial_number });
  const body = { originalGuid: transactionId, amount: '1.00', currency: 'EUR' };
  const operationId = await world.backOffice({ operation: 'moto/refund', body });
  await clock.advance(100);
  const [record] = await world.journal.find({ operationId });
  assert.deepEqual([record?.state.phase, record?.timeline.at(-1)?.event], ['preparing', 'waiting-for-rate-limit']);
  life.die();
  world.journal.crash();
  world.engine = world.createEngine({ clock, rateLimiters: new RateLimiterRegistry(clock) });
  world.connect(world.engine);
  await world.engine.start();
  const { outcome, moneyMoved, error } = await world.after(Promise.resolve(operationId));
  assert.deepEqual([outcome, moneyMoved, error?.code], ['refunded', 'yes', undefined]);
  assert.equal(world.bank.entries().filter(({ kind }) => kind === 'refund').length, 1);
});

test('a sale by token is on its way in the journal only once the rate limit has let it through', async () => {
  const phases: string[] = [];
  const journal = new Watched((record) => record.operation === 'moto/sale' && phases.push(record.state.phase));
  const world = payments({ journal, callbacks: false });
  const body = { amount: '1.00', currency: 'EUR', cardToken: 'unknown' };
  await world.after(world.backOffice({ operation: 'moto/sale', body }));
  assert.deepEqual(phases, ['preparing', 'sending', 'closed', 'closed'], 'where nothing has to wait');
  await world.clock.advance(5000);
  for (const serial_number of ['10000001', '10000002']) await world.sale({ serial_number });
  phases.length = 0;
  const { outcome } = await world.after(world.backOffice({ operation: 'moto/sale', body }));
  assert.equal(outcome, 'refused');
  assert.deepEqual(phases, ['preparing', 'sending', 'preparing', 'sending', 'closed', 'closed']);
});
