import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import type { BackOfficeOrder } from '../../../../src/core/operation/back-office-order.js';
import type { ArmedFault } from '../../../../src/simulator/index.js';
import { type Payments, payments } from '../../../harness/payments.js';

const HOUR = 3_600_000;

async function soldFor(world: Payments): Promise<ResultPayload> {
  return world.after(world.sale());
}

async function held(world: Payments): Promise<ResultPayload> {
  return world.after(world.sale({ operation: 'preAuthorization', amount: '10000' }));
}

async function tokenised(world: Payments): Promise<string> {
  const { card } = await world.after(world.sale({ operation: 'saleAndTokenizeCard' }));
  return String(card.token);
}

interface Case {
  name: string;
  /** What has to be there, and the order that follows. */
  order(world: Payments): Promise<BackOfficeOrder>;
  endpoint: string;
  /** `outcome, moneyMoved` of success. */
  success: string;
  /** Minor units that success moves, and what it changes of what is held. */
  moves: number;
  holds?: number;
}

const CASES: Case[] = [
  {
    name: 'a reversal of a sale',
    order: async (world) => ({ operation: 'reversal', body: { originalGuid: (await soldFor(world)).transactionId } }),
    endpoint: 'POST /reversal',
    success: 'refunded, yes',
    moves: -1000,
  },
  {
    name: 'a reversal of a part of a sale',
    order: async (world) => ({
      operation: 'reversal',
      body: { originalGuid: (await soldFor(world)).transactionId, amount: '4.00', currency: 'EUR' },
    }),
    endpoint: 'POST /reversal',
    success: 'refunded, yes',
    moves: -400,
  },
  {
    name: 'the release of a hold',
    order: async (world) => ({ operation: 'reversal', body: { originalGuid: (await held(world)).transactionId } }),
    endpoint: 'POST /reversal',
    success: 'completed, no',
    moves: 0,
    holds: -10_000,
  },
  {
    name: 'a capture with a tip',
    order: async (world) => ({
      operation: 'preauthorization/capture',
      body: {
        originalGuid: (await held(world)).transactionId,
        capturedAmount: '80.00',
        tipAmount: '8.00',
        currency: 'EUR',
      },
    }),
    endpoint: 'POST /preauthorization/capture',
    success: 'approved, yes',
    moves: 8800,
    holds: -10_000,
  },
  {
    name: 'an increase of a hold',
    order: async (world) => ({
      operation: 'preauthorization/increase',
      body: { originalGuid: (await held(world)).transactionId, increaseAmount: '25.00', currency: 'EUR' },
    }),
    endpoint: 'POST /preauthorization/increase',
    success: 'approved, no',
    moves: 0,
    holds: 2500,
  },
  {
    name: 'a decrease of a hold',
    order: async (world) => ({
      operation: 'preauthorization/increase',
      body: {
        originalGuid: (await held(world)).transactionId,
        increaseAmount: '25.00',
        subtract: '1',
        currency: 'EUR',
      },
    }),
    endpoint: 'POST /preauthorization/increase',
    success: 'approved, no',
    moves: 0,
    holds: -2500,
  },
  {
    name: 'a tip',
    order: async (world) => ({
      operation: 'tip-adjustment',
      body: { transactionID: (await soldFor(world)).transactionId, amount: '2.00', currency: 'EUR' },
    }),
    endpoint: 'POST /transactions/tip-adjustment',
    success: 'approved, yes',
    moves: 200,
  },
  {
    name: 'a sale with a stored token',
    order: async (world) => ({
      operation: 'moto/sale',
      body: { amount: '12.00', currency: 'EUR', cardToken: await tokenised(world) },
    }),
    endpoint: 'POST /moto/sale',
    success: 'approved, yes',
    moves: 1200,
  },
  {
    name: 'a refund to a stored token',
    order: async (world) => ({
      operation: 'moto/refund',
      body: { amount: '12.00', currency: 'EUR', cardToken: await tokenised(world) },
    }),
    endpoint: 'POST /moto/refund',
    success: 'refunded, yes',
    moves: -1200,
  },
  {
    name: 'a refund of an earlier sale',
    order: async (world) => ({
      operation: 'moto/refund',
      body: { amount: '6.00', currency: 'EUR', originalGuid: (await soldFor(world)).transactionId },
    }),
    endpoint: 'POST /moto/refund',
    success: 'refunded, yes',
    moves: -600,
  },
];

/** Ways to lose an answer. `arrives`: the service has done it. */
const LOSSES: { name: string; faults(endpoint: string): ArmedFault[]; arrives: boolean }[] = [
  { name: 'nothing is lost', faults: () => [], arrives: true },
  { name: 'the answer is lost', faults: (endpoint) => [{ kind: 'answer-lost', match: { endpoint } }], arrives: true },
  {
    name: 'the answer cannot be read',
    faults: (endpoint) => [{ kind: 'broken-json', match: { endpoint } }],
    arrives: true,
  },
  {
    name: 'a 500 comes after it was done',
    faults: (endpoint) => [{ kind: 'server-error-after', match: { endpoint } }],
    arrives: true,
  },
  {
    name: 'the request is lost',
    faults: (endpoint) => [{ kind: 'request-lost', match: { endpoint }, times: 1 }],
    arrives: false,
  },
];

for (const { name, order, endpoint, success, moves, holds = 0 } of CASES) {
  for (const loss of LOSSES) {
    test(`${name}: ${loss.name}, it is done once at most, and the flow gets the truth`, async () => {
      const world = payments();
      const asked = await order(world);
      await world.clock.runUntilIdle();
      const before = { moved: world.bank.netMoved(), held: world.bank.netHeld() };
      for (const fault of loss.faults(endpoint)) world.simulator.faults.arm(fault);
      const { outcome, moneyMoved, final } = await world.after(world.backOffice(asked));
      await world.clock.runUntilIdle(HOUR);
      const done = world.bank.netMoved() !== before.moved || world.bank.netHeld() !== before.held;
      assert.equal(`${outcome}, ${moneyMoved}`, done ? success : 'not-charged, no');
      assert.equal(final, true);
      assert.equal(world.bank.netMoved() - before.moved, done ? moves : 0);
      assert.equal(world.bank.netHeld() - before.held, done ? holds : 0);
      if (loss.arrives) assert.ok(done);
      assert.equal(world.told.length, 2, 'one message for each that entered');
      assert.equal(world.clock.pending, 0);
      assert.deepEqual(await world.journal.open('env'), []);
    });
  }
}

test('an increase whose chain is not known is unknown after a lost answer, and is never sent again', async () => {
  const world = payments();
  const { transactionId } = await held(world);
  await world.engine.stop();
  const other = payments();
  // Another journal: it does not know the hold, so there is nothing to compare with.
  world.simulator.faults.arm({ kind: 'request-lost', match: { endpoint: 'POST /preauthorization/increase' } });
  const engine = world.createEngine({ journal: other.journal });
  world.connect(engine);
  await engine.submitBackOffice(
    { operation: 'preauthorization/increase', body: { originalGuid: transactionId, increaseAmount: '5.00' } },
    { node: 'sale-node', message: {} },
  );
  await world.untilTold(2);
  assert.equal(world.told[1]?.payload.outcome, 'unknown');
  assert.equal(world.told[1]?.exit, 'needs-attention');
  assert.equal(world.bank.netHeld(), 10_000);
});

test('a batch that was closed by the try whose answer was lost counts as closed', async () => {
  const world = payments();
  await soldFor(world);
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /batch/close' } });
  const terminal = { serialNumber: '10000001', deviceType: 'SIMULATEDT1' };
  const { outcome } = await world.after(
    world.backOffice({ operation: 'batch/close', body: { ...terminal, batchNumber: '123' } }),
  );
  assert.equal(outcome, 'completed');
  const again = await world.after(
    world.backOffice({ operation: 'batch/close', body: { ...terminal, batchNumber: '123' } }),
  );
  assert.deepEqual([again.outcome, again.error?.code], ['refused', 'BATCH_ALREADY_CLOSED']);
});

test('a token is for the message alone', async () => {
  const world = payments();
  const { transactionId } = await soldFor(world);
  const { card, operationId } = await world.after(
    world.backOffice({ operation: 'token', body: { transactionID: transactionId } }),
  );
  assert.ok(card.token);
  const records = await world.journal.find({ operationId });
  assert.ok(!JSON.stringify(records).includes(card.token));
});

test('a second reversal is refused with 3051, and reverses nothing twice', async () => {
  const world = payments();
  const { transactionId } = await soldFor(world);
  const order: BackOfficeOrder = { operation: 'reversal', body: { originalGuid: transactionId } };
  await world.after(world.backOffice(order));
  const { outcome, error } = await world.after(world.backOffice(order));
  assert.deepEqual([outcome, error?.code], ['refused', '3051']);
  assert.equal(world.bank.netMoved(), 0);
});

test('a decline of a stored card is reported as declined', async () => {
  const world = payments({ simulator: { merchants: undefined } });
  const cardToken = await tokenised(world);
  const { outcome, moneyMoved } = await world.after(
    world.backOffice({ operation: 'moto/sale', body: { amount: '37.84', currency: 'EUR', cardToken } }),
  );
  assert.equal(moneyMoved, 'no');
  assert.ok(outcome === 'declined' || outcome === 'refused');
});

test('increases of one hold take turns, so that each is compared with its own baseline', async () => {
  const world = payments();
  const { transactionId } = await held(world);
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /preauthorization/increase' }, times: 2 });
  const increase = (amount: string): Promise<string> =>
    world.backOffice({
      operation: 'preauthorization/increase',
      body: { originalGuid: transactionId, increaseAmount: amount, currency: 'EUR' },
    });
  await increase('5.00');
  await increase('7.00');
  await world.untilTold(3);
  assert.deepEqual(
    world.told.slice(1).map(({ payload }) => payload.outcome),
    ['approved', 'approved'],
  );
  assert.equal(world.bank.netHeld(), 11_200);
});

test('an operation that was on its way when its engine stopped is finished by the next one', async () => {
  const world = payments();
  const { transactionId } = await soldFor(world);
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /reversal' } });
  await world.backOffice({ operation: 'reversal', body: { originalGuid: transactionId } });
  const stopped = world.engine.stop();
  await world.clock.advance(20_000);
  await stopped;
  const engine = world.createEngine();
  await engine.start();
  world.connect(engine);
  await world.untilTold(2);
  assert.deepEqual([world.told[1]?.payload.outcome, world.bank.netMoved()], ['refunded', 0]);
});
