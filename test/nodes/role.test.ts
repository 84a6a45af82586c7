import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Clock } from '../../src/core/base/seams.js';
import { Heard } from '../../src/core/delivery/heard.js';
import type { Journal } from '../../src/core/journal/journal.js';
import { Attachments } from '../../src/nodes/runtime/environment/attachments.js';
import { Role, type RoleSetting } from '../../src/nodes/runtime/environment/role.js';
import { FullDisk } from '../harness/full-disk.js';
import { NODE, payments, saleOrder } from '../harness/payments.js';

const settingOf = (clock: Clock, journal: Journal, attachments: Attachments): Omit<RoleSetting, 'engineOn'> => ({
  clock,
  attachments,
  leftovers: { doors: new Set(), unanswered: [] },
  place: { mayHoldOperations: () => true, tryOut: () => assert.fail('there is something to resume') },
  open: async () => journal,
  doorTo: () => assert.fail('nobody else has the journal'),
  onBegun: (begun) => begun.releaseUnclaimed(),
  onReady: () => undefined,
  onUnusable: () => undefined,
  onError: (error) => assert.fail(error),
  log: () => undefined,
});

it('a Node-RED that starts on a full disk tells its flows so, once, and the result once there is room', async () => {
  const journal = new FullDisk();
  const world = payments({ journal, simulator: { cardholder: { tapAfterMs: 5000 } } });
  await world.sale();
  await world.clock.advance(50);
  void world.engine.stop();
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
