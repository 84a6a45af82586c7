import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerLostError } from '../../../../src/core/base/errors.js';
import type { Clock } from '../../../../src/core/base/seams.js';
import { DEFAULT_KEY } from '../../../../src/simulator/index.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** What an engine must not believe: a clock that was set meanwhile, and a service that was never asked. */

const HOUR = 3_600_000;

/** The same time, by a clock that was set differently. */
const shifted = (clock: Clock, by: number): Clock => ({
  now: () => clock.now() + by,
  wall: () => clock.wall() + by,
  after: (ms, run) => clock.after(ms, run),
});

async function restartWith(world: Payments, changes: Parameters<Payments['createEngine']>[0]): Promise<void> {
  const stopped = world.engine.stop();
  // A request on its way gets this time to be answered.
  await world.clock.advance(10_000);
  await stopped;
  world.engine = world.createEngine(changes);
  await world.engine.start();
  world.connect(world.engine);
}

test('a clock that was set forward over a restart never makes a waiting terminal "not charged"', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: 'none' } });
  await world.sale();
  await world.clock.advance(2000);
  await restartWith(world, { clock: shifted(world.clock, HOUR) });
  await world.clock.advance(15_000);
  assert.ok(world.told.every(({ payload }) => payload.moneyMoved === 'unknown'));
  world.terminal.act({ do: 'present-card' });
  await world.clock.advance(120_000);
  assert.equal(world.bank.charges().length, 1);
  assert.equal(world.told.at(-1)?.payload.outcome, 'approved');
});

test('a clock that was set back over a restart delays no answer', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: 'none' } });
  await world.sale();
  await world.clock.advance(2000);
  await restartWith(world, { clock: shifted(world.clock, -HOUR) });
  world.terminal.act({ do: 'present-card' });
  await world.clock.advance(30_000);
  assert.deepEqual(
    world.told.map(({ payload }) => payload.outcome),
    ['approved'],
  );
});

test('what was never sent is not sent after a restart whose clock stands before it', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: 'none' } });
  await world.sale();
  await world.sale({}, { busyWaitMs: 60_000 });
  await world.clock.advance(2000);
  await restartWith(world, { clock: shifted(world.clock, -HOUR) });
  // How old the record is nobody knows, so it may be that of a backup: the status service is asked first.
  const { payload } = await world.untilTold(2);
  assert.deepEqual([payload.outcome, payload.error?.code], ['not-charged', 'NOT_STARTED']);
  assert.deepEqual(
    world.started.filter((operation) => operation === 'sale'),
    ['sale'],
  );
});

test('another service proves nothing by not knowing a payment, and the flow learns why; the old one brings the truth', async () => {
  const world = payments({ callbacks: false });
  await world.sale();
  await world.clock.advance(100);
  let posted = 0;
  const changed = world.createEngine({
    apiKey: 'another-merchant',
    send: async ({ method, url }) => {
      if (method === 'POST') posted++;
      return { status: url.includes('/status/') ? 200 : 404, body: '[]' };
    },
  });
  await world.engine.stop();
  await changed.start();
  world.connect(changed);
  await world.clock.advance(600_000);
  assert.deepEqual(
    world.told.map(({ payload, exit }) => [exit, payload.outcome, payload.error?.code]),
    [['needs-attention', 'unknown', 'SERVICE_CHANGED']],
  );
  assert.equal(posted, 0, 'nothing is done there');
  await changed.stop();
  const back = world.createEngine();
  await back.start();
  world.connect(back);
  const { payload } = await world.untilTold(2);
  assert.deepEqual([payload.outcome, payload.correction], ['approved', true]);
  assert.equal(world.bank.charges().length, 1);
});

test('a key that was replaced by another of the same merchant still brings the truth', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: { tapAfterMs: 20_000 } } });
  await world.sale();
  await world.clock.advance(2000);
  const { send } = world.simulator;
  const withOldKey = (headers: Record<string, string>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value === 'the-new-key' ? DEFAULT_KEY : value]),
    );
  await restartWith(world, {
    apiKey: 'the-new-key',
    send: (request) => send({ ...request, headers: withOldKey(request.headers) }),
  });
  assert.equal((await world.untilTold()).payload.error?.code, 'SERVICE_CHANGED');
  const { payload } = await world.untilTold(2);
  assert.deepEqual([payload.outcome, payload.correction], ['approved', true]);
});

test('a deadline by a clock that was ahead counts from the restart, also while nobody says whose the new key is', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: 'none' } });
  await restartWith(world, { clock: shifted(world.clock, HOUR) });
  await world.sale();
  // It waits for its turn, and may have been sent since: so far ahead the record may be that of a backup.
  await world.sale({}, { busyWaitMs: 60_000, deadlineMs: 20_000 });
  await world.clock.advance(2000);
  await restartWith(world, { apiKey: 'another-merchant', send: () => Promise.reject(new Error('no answer')) });
  await world.clock.advance(49_000);
  assert.equal(world.told.length, 1);
  await world.clock.advance(2000);
  assert.deepEqual(
    [world.told[1]?.payload.outcome, world.told[1]?.payload.error?.code],
    ['unknown', 'SERVICE_CHANGED'],
  );
});

test('such a deadline counts from the restart also where the new key turns out to be of the same merchant', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: 'none' } });
  await restartWith(world, { clock: shifted(world.clock, HOUR) });
  await world.sale({}, { deadlineMs: 20_000 });
  await world.clock.advance(2000);
  const { send } = world.simulator;
  let lists = 0;
  const posted: unknown[] = [];
  await restartWith(world, {
    apiKey: 'the-new-key',
    send: async (request) => {
      if (request.url.endsWith('/devices') && lists++ === 0) throw new AnswerLostError('no answer');
      if (request.body !== undefined) posted.push(JSON.parse(request.body).operation);
      const headers = Object.entries(request.headers).map(([name, value]) => [
        name,
        value === 'the-new-key' ? DEFAULT_KEY : value,
      ]);
      return send({ ...request, headers: Object.fromEntries(headers) });
    },
  });
  await world.clock.advance(19_000);
  assert.deepEqual(posted, []);
  await world.clock.advance(2000);
  assert.deepEqual(posted, ['stopCurrentTransaction']);
});

test('a reversal whose answer was lost is not judged by another service', async () => {
  const world = payments();
  const sale = await world.after(world.sale());
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /reversal' } });
  await world.backOffice({ operation: 'reversal', body: { originalGuid: sale.transactionId } });
  await world.clock.advance(1000);
  await restartWith(world, { apiKey: 'another-merchant', send: () => Promise.reject(new Error('nobody asks here')) });
  await world.clock.advance(600_000);
  assert.equal(world.told.at(-1)?.payload.error?.code, 'SERVICE_CHANGED');
  await restartWith(world, {});
  const { payload } = await world.untilTold(3);
  assert.deepEqual([payload.moneyMoved, payload.correction], ['yes', true]);
});

test('a batch summary that the flow asked of another service moved no money, and can be asked for again', async () => {
  const world = payments({ engine: { send: () => Promise.reject(new Error('no answer')) } });
  const body = { serialNumber: '10000001', deviceType: 'SIMULATEDT1', batchNumber: '1' };
  await world.backOffice({ operation: 'batch/summary', body });
  await world.clock.advance(1000);
  await restartWith(world, { apiKey: 'another-merchant' });
  const { payload, exit } = await world.untilTold();
  assert.deepEqual(
    [exit, payload.outcome, payload.moneyMoved, payload.final, payload.retry, payload.error?.code],
    ['not-done', 'failed', 'no', true, 'safe', 'SERVICE_CHANGED'],
  );
});

test('a receipt that nobody knows to be printed can be printed again once its watch has ended', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: 'none' } });
  world.simulator.faults.arm({ kind: 'answer-lost' });
  const nothing = { amount: undefined, currency: undefined };
  await world.sale({ operation: 'printReceipt', receipt: '<p>Thank you</p>', ...nothing });
  await world.clock.advance(0);
  await restartWith(world, { apiKey: 'another-merchant', send: () => Promise.reject(new Error('no answer')) });
  const { payload } = await world.untilTold(2, 72 * HOUR);
  assert.deepEqual(
    [payload.error?.code, payload.moneyMoved, payload.final, payload.retry],
    ['WATCH_ENDED', 'no', true, 'safe'],
  );
});

test('another service does not say what became of attempts that another one has turned away', async () => {
  const world = payments({ callbacks: false });
  world.simulator.faults.arm({ kind: 'rate-limited', match: { endpoint: 'POST /transactions' } });
  const operationId = await world.sale();
  await world.clock.advance(200);
  world.engine.cancel(operationId);
  await restartWith(world, { apiKey: 'another-merchant', send: async () => ({ status: 200, body: '[]' }) });
  await world.clock.advance(600_000);
  assert.deepEqual(
    world.told.map(({ payload }) => [payload.outcome, payload.error?.code]),
    [['unknown', 'SERVICE_CHANGED']],
  );
  await restartWith(world, {});
  const { payload } = await world.untilTold(2);
  assert.deepEqual([payload.outcome, payload.moneyMoved, payload.final], ['not-charged', 'no', true]);
});
