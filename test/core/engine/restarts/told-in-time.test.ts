import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, stepTerminal } from '../../../../src/core/lifecycle/terminal/lifecycle.js';
import { Life } from '../../../harness/life.js';
import {
  DEFAULT_POLICIES,
  type Payments,
  type PaymentsOptions,
  payments,
  saleOrder,
} from '../../../harness/payments.js';
import { VirtualClock } from '../../../harness/virtual-clock.js';

/** However often the process dies, the flow hears in time that nobody can say how a payment ended. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** The terminal gets every request, and nobody answers a question, until `shop.line` is mended. */
function cutOff(simulator: PaymentsOptions['simulator'] = {}) {
  const clock = new VirtualClock();
  const shop = { line: 'cut', life: new Life(clock) };
  const world = payments({
    clock,
    callbacks: false,
    simulator,
    engine: {
      clock: shop.life,
      send: async (request) => {
        const { operation } = JSON.parse(request.body ?? '{}');
        const isPayment = operation === 'sale' || operation === 'printReceipt';
        if (shop.line === 'cut' && !isPayment) throw new Error('nobody answers');
        return world.simulator.send(request);
      },
    },
  });

  /** The process is killed, and after a while another one starts. */
  const killed = async (offFor = SECOND): Promise<void> => {
    shop.life.die();
    world.journal.crash();
    await clock.advance(offFor);
    shop.life = new Life(clock);
    world.engine = world.createEngine({ clock: shop.life });
    world.connect(world.engine);
    await world.engine.start();
  };

  /** It is killed again and again until the flow was told. @returns how long that took, ms */
  const killedUntilTold = async (every: number, offFor?: number): Promise<number> => {
    const begunAt = clock.now();
    while (clock.now() < begunAt + 30 * MINUTE) {
      if (await clock.runUntil(() => world.told.length > 0, every)) break;
      await killed(offFor);
    }
    return clock.now() - begunAt;
  };

  return { world, shop, killed, killedUntilTold };
}

const outcomes = (world: Payments): unknown[] =>
  world.told.map(({ exit, payload: { outcome, final, correction = false } }) => [exit, outcome, final, correction]);

/** @returns how long after it is on again, ms */
async function toldAfterAnHourOff(world: Payments, killed: (offFor: number) => Promise<void>): Promise<number> {
  await world.clock.advance(SECOND);
  await killed(60 * MINUTE);
  const startedAt = world.clock.now();
  await world.untilTold(1, 10 * MINUTE);
  return world.clock.now() - startedAt;
}

const UNKNOWN = ['needs-attention', 'unknown', false, false];

for (const every of [20 * SECOND, MINUTE, 5 * MINUTE]) {
  test(`a sale that nobody can say anything of is told after six and a half minutes, though the process dies every ${every / SECOND} s`, async () => {
    const { world, killedUntilTold } = cutOff();
    await world.sale();
    const after = await killedUntilTold(every);
    assert.deepEqual(outcomes(world), [UNKNOWN]);
    assert.ok(after >= 360 * SECOND && after <= 400 * SECOND, `told after ${after / SECOND} s`);
  });
}

test('what was told as unknown in time is told nothing worse: its terminal is still held, and the truth follows', async () => {
  const { world, shop, killed } = cutOff({ cardholder: { tapAfterMs: 5000 } });
  await world.sale({}, { exclusiveTerminal: false });
  await world.clock.advance(5 * MINUTE);
  await killed();
  await world.untilTold(1, 2 * MINUTE);
  assert.deepEqual(outcomes(world), [UNKNOWN]);
  const next = saleOrder({}, { exclusiveTerminal: false });
  const before = world.started.length;
  await world.engine.submit(next);
  await world.clock.advance(SECOND);
  assert.equal(world.started.length, before, 'nothing proves yet that the terminal is free');
  shop.line = 'mended';
  await world.clock.runUntil(() => world.told.some(({ payload }) => payload.correction === true), 10 * MINUTE);
  const correction = world.told.find(({ payload }) => payload.correction)?.payload;
  assert.deepEqual([correction?.outcome, correction?.final], ['approved', true]);
});

test('after an hour off the terminal and the status service are asked before anything is told', async () => {
  const { world, shop, killed } = cutOff({ cardholder: 'none' });
  await world.sale();
  await world.clock.advance(SECOND);
  shop.line = 'mended';
  await killed(60 * MINUTE);
  await world.untilTold(1, 10 * MINUTE);
  assert.equal(world.told.length, 1);
  assert.notEqual(world.told[0]?.payload.outcome, 'unknown');
});

test('after an hour off the flow hears two minutes later that nobody can say', async () => {
  const { world, killed } = cutOff();
  await world.sale();
  assert.equal(await toldAfterAnHourOff(world, killed), 2 * MINUTE);
  assert.deepEqual(outcomes(world), [UNKNOWN]);
});

test('after an hour off it is told although each process lives for a minute only', async () => {
  const { world, killed, killedUntilTold } = cutOff();
  await world.sale();
  await world.clock.advance(SECOND);
  await killed(60 * MINUTE);
  assert.ok((await killedUntilTold(MINUTE)) <= 3 * MINUTE);
  assert.deepEqual(outcomes(world), [UNKNOWN]);
});

test('after an hour off it is told by the second process that asked, though each dies shortly before it would have told', async () => {
  const { world, killed, killedUntilTold } = cutOff();
  await world.sale();
  await world.clock.advance(SECOND);
  await killed(60 * MINUTE);
  const dying = [110 * SECOND, 3 * MINUTE] as const;
  assert.equal(await killedUntilTold(...dying), dying[0] + dying[1] + 5 * SECOND);
  assert.deepEqual(outcomes(world), [UNKNOWN]);
});

test('a sale that a busy terminal refused is told although the process dies every 40 s', async () => {
  const { world, killedUntilTold } = cutOff();
  world.simulator.faults.arm({ kind: 'terminal-busy' });
  await world.sale({}, { busyWaitMs: 30 * SECOND });
  const after = await killedUntilTold(40 * SECOND);
  const { moneyMoved, final } = world.told[0]?.payload ?? {};
  assert.deepEqual([moneyMoved, final], ['unknown', false]);
  assert.ok(after <= 3 * MINUTE);
});

test('a sale that waited for a busy terminal is told two minutes after an hour off, though it is perhaps sent by now', async () => {
  const { world, killed } = cutOff();
  world.simulator.faults.arm({ kind: 'terminal-busy' });
  await world.sale({}, { busyWaitMs: 30 * SECOND });
  assert.equal(await toldAfterAnHourOff(world, killed), 2 * MINUTE);
  assert.deepEqual(outcomes(world), [UNKNOWN]);
});

test('a receipt whose print is never answered is told although the process dies every 20 s', async () => {
  const { world, killedUntilTold } = cutOff();
  await world.sale({ operation: 'printReceipt', receipt: '<p>Thank you</p>', amount: undefined, currency: undefined });
  const after = await killedUntilTold(20 * SECOND);
  assert.deepEqual(outcomes(world), [['needs-attention', 'unknown', true, false]]);
  assert.ok(after <= MINUTE);
});

for (const [what, known] of [
  ['its deadline', { policies: { ...DEFAULT_POLICIES, deadlineMs: 3 * MINUTE } }],
  ['what the process before had to tell', { policies: DEFAULT_POLICIES, restoredAt: SECOND, toldBy: 2 * MINUTE }],
] as const) {
  test(`a process that was frozen over ${what} and the recovery limit tells it once, and looks for the truth from then on`, () => {
    const waiting = { ...begin('moToSale', DEFAULT_POLICIES, false, 0), ...known, phase: 'waiting' } as const;
    const { state } = stepTerminal(waiting, { type: 'tick' }, 20 * MINUTE);
    assert.deepEqual([state.phase, state.pending?.verdict.outcome], ['watching', 'unknown']);
  });
}
