import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock, Send } from '../../../../src/core/base/seams.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** A watch ends on an answer that can be relied on, whatever the clock says, and it always ends. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** From the clock of the harness back to 1970. */
const YEARS = 1_700_000_000_000;

/** The same time, by a clock that was set differently. */
const shifted = (clock: Clock, by: number): Clock => ({
  now: () => clock.now() + by,
  wall: () => clock.wall() + by,
  after: (ms, run) => clock.after(ms, run),
});

/** The process dies, and another one starts: nothing the first was asked for or waits for comes to anything. */
async function dieAndStart(world: Payments, changes: Parameters<Payments['createEngine']>[0] = {}): Promise<void> {
  const { journal, engine } = world;
  void engine.stop();
  await world.clock.advance(15_000);
  journal.crash();
  world.engine = world.createEngine(changes);
  await world.engine.start();
  world.connect(world.engine);
}

const answersNobody = { send: () => Promise.reject(new Error('no connection')) };

test('a payment that failed on both sides is looked at until the recovery limit, also where the clock says that two days have passed', async () => {
  const world = payments({ callbacks: false });
  world.simulator.faults.arm({ kind: 'failed-then-approved', ms: 300_000 });
  const clock = shifted(world.clock, -YEARS);
  await dieAndStart(world, { clock });
  await world.sale();
  const { payload } = await world.untilTold();
  assert.deepEqual([payload.outcome, payload.final], ['failed', false]);
  await dieAndStart(world);
  await world.clock.advance(60_000);
  assert.equal(world.told.length, 1, 'FAILED may still turn into an approval');
  await world.clock.runUntilIdle(3 * DAY);
  assert.deepEqual(
    world.told.slice(1).map(({ payload }) => payload.outcome),
    ['provisional', 'approved'],
  );
});

test('a watch that began while the clock had never been set is not over once it is right', async () => {
  const world = payments({ callbacks: false });
  const answersNoQuestion: Send = async (request) =>
    request.url.endsWith('/devices') ? world.simulator.send(request) : answersNobody.send();
  world.simulator.faults.arm({ kind: 'gateway-answer-lost' });
  await dieAndStart(world, { clock: shifted(world.clock, -YEARS) });
  await world.sale();
  await world.clock.advance(25_000);
  await dieAndStart(world, { send: answersNoQuestion, clock: shifted(world.clock, -YEARS) });
  const { payload } = await world.untilTold();
  assert.deepEqual([payload.outcome, payload.final], ['unknown', false]);
  await world.clock.advance(HOUR);
  await dieAndStart(world, { send: answersNoQuestion });
  await world.clock.advance(12 * HOUR);
  assert.equal(world.told.length, 1, 'the two days are not over');
  await dieAndStart(world);
  await world.clock.runUntilIdle(3 * DAY);
  assert.deepEqual(
    world.told.slice(1).map((told) => told.payload.outcome),
    ['approved'],
  );
});

test('a keyed sale that nobody can ask about is told as ended, and not left open, after four days in the dark', async () => {
  const world = payments({ callbacks: false });
  world.simulator.faults.arm({ kind: 'answer-lost' });
  await world.sale({ operation: 'moToSale' });
  await world.clock.advance(5000);
  await dieAndStart(world, answersNobody);
  void world.engine.stop();
  await world.clock.advance(4 * DAY);
  await dieAndStart(world);
  await world.clock.runUntilIdle(3 * DAY);
  assert.equal(world.told.at(-1)?.payload.error?.code, 'WATCH_ENDED');
  assert.deepEqual(await world.journal.open('env'), []);
});

test('a keyed sale is asked for once more before its watch ends, where the clock has come from 1970', async () => {
  const world = payments({ callbacks: false, simulator: { cardholder: 'none' } });
  const clock = shifted(world.clock, -YEARS);
  await dieAndStart(world, { clock });
  await world.sale({ operation: 'moToSale' });
  await world.clock.advance(1000);
  await dieAndStart(world, { ...answersNobody, clock });
  await world.clock.advance(600_000);
  assert.equal(world.told.at(-1)?.payload.outcome, 'unknown');
  world.terminal.act({ do: 'cancel' });
  await dieAndStart(world);
  await world.clock.runUntilIdle(3 * DAY);
  assert.equal(world.told.at(-1)?.payload.outcome, 'cancelled');
});

test('a record that is missing from the first answer after two days without any does not turn a charge into "not charged"', async () => {
  let isDark = true;
  const send: Send = async (request) => {
    const isQuestion = request.method === 'GET' && !request.url.endsWith('/devices');
    return isDark && isQuestion ? answersNobody.send() : world.simulator.send(request);
  };
  const world = payments({ callbacks: false, engine: { send } });
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /transactions' } });
  await world.sale();
  await world.clock.advance(2 * DAY);
  isDark = false;
  world.simulator.faults.arm({ kind: 'status-record-missing' });
  await world.clock.runUntilIdle(3 * DAY);
  const { outcome, moneyMoved } = world.told.at(-1)?.payload ?? {};
  assert.deepEqual([world.bank.netMoved(), outcome, moneyMoved], [1000, 'approved', 'yes']);
});

test('an approval that comes after the end of the watch is one late result, however often it is posted, and over a restart', async () => {
  const world = payments({ engine: { send: () => Promise.resolve({ status: 503, body: '' }) } });
  const operationId = await world.sale();
  await world.clock.advance(3 * DAY);
  assert.equal(world.told.at(-1)?.payload.error?.code, 'WATCH_ENDED');
  const approval = { finStatus: 'AUTHORISED', type: 'SALE', totalAmount: 1000, currency: 'EUR', transactionID: 'one' };
  assert.equal(await world.callback(operationId, approval), 'taken');
  assert.equal(await world.callback(operationId, approval), 'taken');
  await dieAndStart(world, answersNobody);
  await world.callback(operationId, approval);
  assert.deepEqual(world.late(), [['done', 'approved', undefined]]);
  await world.callback(operationId, { ...approval, transactionID: 'two' });
  assert.equal(world.late().length, 2, 'another transaction is news');
});
