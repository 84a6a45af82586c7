import assert from 'node:assert/strict';
import { it } from 'node:test';
import { JournalError } from '../../src/core/base/errors.js';
import type { Clock } from '../../src/core/base/seams.js';
import { Heard } from '../../src/core/delivery/heard.js';
import type { Journal } from '../../src/core/journal/journal.js';
import { MemoryDisk, MemoryJournal } from '../../src/core/journal/memory.js';
import type { OperationRecord } from '../../src/core/journal/record.js';
import type { Order } from '../../src/core/operation/order.js';
import { Attachments } from '../../src/nodes/runtime/environment/attachments.js';
import { Role, type RoleSetting } from '../../src/nodes/runtime/environment/role.js';
import { FullDisk } from '../harness/full-disk.js';
import { NODE, payments, saleOrder } from '../harness/payments.js';

const settingOf = (clock: Clock, journal: Journal, attachments: Attachments): Omit<RoleSetting, 'engineOn'> => ({
  clock,
  attachments,
  leftovers: { doors: new Set(), ending: new Set(), unanswered: [] },
  place: { mayHoldOperations: () => true, tryOut: () => assert.fail('there is something to resume') },
  open: async () => journal,
  doorTo: () => assert.fail('nobody else has the journal'),
  onBegun: (begun) => begun.releaseUnclaimed(),
  onReady: () => undefined,
  onUnusable: () => undefined,
  onError: (error) => assert.fail(error),
  log: () => undefined,
});

/** An open payment in a journal, whose process has ended. */
async function leftIn(journal: MemoryJournal): Promise<ReturnType<typeof payments>> {
  const world = payments({ journal, simulator: { cardholder: { tapAfterMs: 5000 } } });
  await world.sale();
  await world.clock.advance(50);
  void world.engine.stop();
  return world;
}

it('a Node-RED that starts on a full disk tells its flows so, once, and the result once there is room', async () => {
  const journal = new FullDisk();
  const world = await leftIn(journal);
  journal.crash();
  journal.isFull = true;
  const attachments = new Attachments(() => undefined, new Heard());
  const told: unknown[] = [];
  const unusable: boolean[] = [];
  let ready = 0;
  attachments.attach(NODE, {
    deliver: ({ payload: { outcome, error, correction } }) => told.push([outcome, error?.code, correction]),
    progress: () => undefined,
  });
  const role = new Role({
    ...settingOf(world.clock, journal, attachments),
    engineOn: async () => world.createEngine(),
    onReady: () => ready++,
    onUnusable: (_error, isNews) => unusable.push(isNews),
  });
  role.prepare();
  await world.clock.advance(10 * 60_000);
  assert.deepEqual(told, [['unknown', 'JOURNAL_UNAVAILABLE', undefined]]);
  assert.deepEqual(
    [unusable.filter((isNews) => isNews).length, ready],
    [1, 0],
    'one error in the log, and no green status',
  );
  journal.isFull = false;
  await world.clock.advance(5 * 60_000);
  assert.deepEqual(told.slice(1), [['approved', undefined, true]]);
  assert.equal(ready, 1);
  assert.equal(world.bank.charges().length, 1);
  await role.stop();
});

it('a deploy hands on which flows have heard that nobody knows, also where another process has told them the end', async () => {
  const journal = new FullDisk();
  const world = payments({ journal, simulator: { cardholder: { tapAfterMs: 5000 } } });
  const told: unknown[] = [];
  const attachments = new Attachments(() => undefined, new Heard());
  attachments.attach(NODE, {
    deliver: ({ payload: { outcome, error, correction } }) => told.push([outcome, error?.code, correction]),
    progress: () => undefined,
  });
  const setting = settingOf(world.clock, journal, attachments);
  const deployed = (): Role => {
    const role = new Role({
      ...setting,
      engineOn: async (_journal, unanswered) => world.createEngine({ unanswered }),
    });
    role.prepare();
    return role;
  };
  const first = deployed();
  const operationId = await (await first.begun()).submit(saleOrder());
  await world.clock.advance(50);
  journal.isFull = true;
  await world.clock.advance(2 * 60_000);
  assert.deepEqual(told, [['unknown', 'JOURNAL_UNAVAILABLE', undefined]]);
  await first.stop();
  assert.deepEqual(
    setting.leftovers.unanswered.map((left) => left.operationId),
    [operationId],
  );
  journal.isFull = false;
  await toldByAnother(world, operationId);
  const second = deployed();
  await world.clock.advance(60_000);
  assert.deepEqual(told.slice(1), [['approved', undefined, true]]);
  await second.stop();
  assert.deepEqual(setting.leftovers.unanswered, []);
});

it('a database that is away for a moment at the start costs an open payment a second, and one that stays away is asked less and less often', async () => {
  const journal = new MemoryJournal();
  const world = await leftIn(journal);
  const attachments = new Attachments(() => undefined, new Heard());
  const told: unknown[] = [];
  attachments.attach(NODE, { deliver: ({ payload }) => told.push(payload.outcome), progress: () => undefined });
  const asked: number[] = [];
  let isAway = true;
  const role = new Role({
    ...settingOf(world.clock, journal, attachments),
    open: async () => {
      asked.push(world.clock.now());
      if (isAway) throw new JournalError('connect ECONNREFUSED');
      return journal;
    },
    engineOn: async () => world.createEngine(),
  });
  role.prepare();
  await world.clock.advance(2 * 60_000);
  const waits = asked.slice(1).map((at, place) => at - (asked[place] ?? 0));
  assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  isAway = false;
  await world.clock.advance(30_000);
  assert.deepEqual(told, ['approved']);
  assert.equal(world.bank.charges().length, 1);
  await role.stop();
});

/** A journal on a disk that stalls while it writes new operations, and writes them in the end. */
class StalledDisk extends MemoryJournal {
  private thawed = Promise.resolve();
  thaw = (): void => undefined;

  stall(): void {
    this.thawed = new Promise((resolve) => {
      this.thaw = resolve;
    });
  }

  override async record(operation: OperationRecord): ReturnType<Journal['record']> {
    await this.thawed;
    return super.record(operation);
  }
}

/** A deploy ends a role that takes longer than Node-RED waits for, and starts the one that follows it. */
function deployedWhile(journal: MemoryJournal, opened: Promise<Journal> = Promise.resolve(journal)) {
  const world = payments({ journal, simulator: { cardholder: { tapAfterMs: 1000 } } });
  const told: unknown[] = [];
  const leftovers: RoleSetting['leftovers'] = { doors: new Set(), ending: new Set(), unanswered: [] };
  const roleOn = (open: () => Promise<Journal>): Role => {
    const attachments = new Attachments(() => undefined, new Heard());
    attachments.attach(NODE, { deliver: ({ payload }) => told.push(payload.outcome), progress: () => undefined });
    const setting = { ...settingOf(world.clock, journal, attachments), leftovers, open };
    return new Role({ ...setting, engineOn: async (on) => world.createEngine({ journal: on }) });
  };
  return { world, told, before: roleOn(() => opened), after: roleOn(async () => journal) };
}

const KEY = { hash: 'hash-1', text: 'order-1' };
const keyedOrder = (): Order => {
  const order = saleOrder();
  return { ...order, origin: { ...order.origin, key: KEY } };
};

it('a deploy while the journal is still being opened: the message is refused, and nothing of it is recorded', async () => {
  const disk = new MemoryDisk();
  let open = (_journal: Journal): void => undefined;
  const opened = new Promise<Journal>((resolve) => {
    open = resolve;
  });
  const { world, told, before, after } = deployedWhile(new MemoryJournal(() => 0, disk), opened);
  const submitted = before.begun().then((engine) => engine.submit(keyedOrder()));
  const stopped = before.stop();
  after.prepare();
  await world.clock.advance(1000);
  open(new MemoryJournal(() => 0, disk));
  await assert.rejects(submitted, { code: 'INVALID_CONFIGURATION' });
  await stopped;
  assert.equal(disk.operations.size, 0);
  await (await after.begun()).submit(keyedOrder());
  await world.clock.advance(60_000);
  assert.deepEqual(told, ['approved']);
  assert.equal(world.bank.charges().length, 1);
  await after.stop();
});

it('a deploy while the disk stalls: what is recorded only then is taken up, and so is a message that repeats it', async () => {
  const journal = new StalledDisk();
  const { world, told, before, after } = deployedWhile(journal);
  const engine = await before.begun();
  journal.stall();
  const submitted = engine.submit(keyedOrder());
  await world.clock.advance(1000);
  const stopped = before.stop();
  after.prepare();
  await world.clock.advance(16_000);
  journal.thaw();
  await submitted;
  await stopped;
  await (await after.begun()).submit(keyedOrder());
  await world.clock.advance(60_000);
  assert.deepEqual(told, ['approved', 'approved']);
  assert.equal(world.bank.charges().length, 1);
  await after.stop();
});

it('a deploy between a message and its record: the message is refused', async () => {
  const journal = new MemoryJournal();
  let renewed = (): void => undefined;
  const renewing = new Promise<void>((resolve) => {
    renewed = resolve;
  });
  const { world, before } = deployedWhile(journal);
  const engine = await before.begun();
  journal.renew = () => renewing;
  const submitted = engine.submit(keyedOrder());
  await world.clock.advance(1000);
  const stopped = before.stop();
  await world.clock.advance(1000);
  renewed();
  await assert.rejects(submitted, { code: 'INVALID_CONFIGURATION' });
  await stopped;
  assert.deepEqual(await journal.openIds('env'), []);
});

/** Another process takes the operation up, and tells its end by a node of its own. */
async function toldByAnother(world: ReturnType<typeof payments>, operationId: string): Promise<void> {
  const engine = world.createEngine();
  world.connect(engine);
  await engine.start();
  await world.clock.advance(10 * 60_000);
  const [record] = await engine.find({ operationId }, 1);
  assert.equal(record?.state.pending, undefined);
  assert.equal(record?.closed, true);
  await engine.stop();
}
