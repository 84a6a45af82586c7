import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Heard } from '../../src/core/delivery/heard.js';
import { Attachments } from '../../src/nodes/runtime/environment/attachments.js';
import { Role } from '../../src/nodes/runtime/environment/role.js';
import { FullDisk } from '../harness/full-disk.js';
import { NODE, payments } from '../harness/payments.js';

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
    clock: world.clock,
    attachments,
    leftovers: { doors: new Set(), unanswered: [] },
    place: { mayHoldOperations: () => true, tryOut: () => assert.fail('there is something to resume') },
    open: async () => journal,
    engineOn: async () => world.createEngine(),
    doorTo: () => assert.fail('nobody else has the journal'),
    onBegun: (begun) => begun.releaseUnclaimed(),
    onReady: () => ready++,
    onUnusable: (_error, isNews) => unusable.push(isNews),
    onError: (error) => assert.fail(error),
    log: () => undefined,
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
