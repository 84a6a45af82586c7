import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EngineOptions } from '../../../src/core/engine/options.js';
import { DEFAULT_KEY } from '../../../src/simulator/index.js';
import { type Payments, type PaymentsOptions, payments } from '../../harness/payments.js';

/** The second key may be of another merchant, to which every payment of the first looks as if it had never been made. */

const SECOND = 'second-key-4711';
const TERMINALS = [
  { serial_number: '10000001', terminal_type: 'SIMULATEDT1' },
  { serial_number: '10000002', terminal_type: 'SIMULATEDT1' },
];
const DAY = 24 * 3_600_000;

/** One key for each of two merchants; the status service does not tell a foreign reference from one that was never sent. */
function twoMerchants({ simulator, ...options }: PaymentsOptions = {}): Payments {
  return payments({
    callbacks: false,
    ...options,
    simulator: {
      merchants: [
        { id: 'M-1', keys: [DEFAULT_KEY], terminals: TERMINALS.slice(0, 1) },
        { id: 'M-2', keys: [SECOND], terminals: TERMINALS.slice(1) },
      ],
      variants: { foreignReference: 'not-found' },
      ...simulator,
    },
  });
}

/** The process ends, and the next one has other keys. */
async function crashAndRestart(world: Payments, changes: Partial<EngineOptions>): Promise<void> {
  void world.engine.stop();
  world.journal.crash();
  world.engine = world.createEngine(changes);
  await world.engine.start();
  world.connect(world.engine);
}

/** A sale that the first merchant was charged for, of which the flow knows nothing. */
async function charged(world: Payments): Promise<void> {
  await world.engine.start();
  world.simulator.faults.arm({ kind: 'answer-lost' });
  await world.sale();
  await world.clock.advance(20_000);
  assert.equal(world.bank.charges().length, 1);
}

const saidNo = (world: Payments): unknown[] => world.told.filter(({ payload }) => payload.moneyMoved === 'no');

test('a second key of another merchant is not used', async () => {
  const world = twoMerchants({ engine: { secondApiKey: SECOND }, simulator: { cardholder: { tapAfterMs: 5000 } } });
  await world.engine.start();
  await world.sale();
  await world.clock.advance(2000);
  world.simulator.merchants.revokeKey(DEFAULT_KEY);
  await world.clock.advance(600_000);
  assert.deepEqual(saidNo(world), [], 'charged, and nobody can ask');
  assert.equal(world.bank.charges().length, 1);
  assert.ok(world.logged.some((line) => /second API key belongs to another merchant/.test(line)));
});

test('where the first key is revoked before the process starts, "no record" under the second proves nothing', async () => {
  const world = twoMerchants();
  await charged(world);
  world.simulator.merchants.revokeKey(DEFAULT_KEY);
  await crashAndRestart(world, { secondApiKey: SECOND });
  await world.clock.advance(3 * DAY);
  assert.deepEqual(saidNo(world), []);
  assert.ok(world.told.length > 0, 'the flow is not left without an answer');
});

test('the same where nobody has ever seen what the first key opens', async () => {
  const world = twoMerchants();
  world.simulator.faults.arm({ kind: 'answer-lost' });
  await world.sale();
  await world.clock.advance(20_000);
  world.simulator.merchants.revokeKey(DEFAULT_KEY);
  await crashAndRestart(world, { secondApiKey: SECOND });
  await world.clock.advance(3 * DAY);
  assert.equal(world.bank.charges().length, 1);
  assert.deepEqual(saidNo(world), []);
});

test('a key of another merchant that becomes the first does not decide about the payments of the one before', async () => {
  const world = twoMerchants();
  await charged(world);
  await crashAndRestart(world, { apiKey: SECOND, secondApiKey: DEFAULT_KEY });
  await world.clock.advance(3 * DAY);
  assert.deepEqual(saidNo(world), []);
  assert.ok(world.told.length > 0);
});

test('no order leaves with a key that is not proved to be of the same merchant', async () => {
  const world = twoMerchants({ engine: { secondApiKey: SECOND } });
  const { card } = await world.after(world.sale({ operation: 'tokenizeCard', amount: undefined, currency: undefined }));
  world.simulator.merchants.revokeKey(DEFAULT_KEY);
  await crashAndRestart(world, {});
  const body = { amount: '12.00', currency: 'EUR', cardToken: String(card.token) };
  await world.backOffice({ operation: 'moto/sale', body });
  await world.sale({ serial_number: '10000002' });
  await world.untilTold(3);
  assert.deepEqual(
    world.told.slice(1).map(({ exit, payload }) => [exit, payload.moneyMoved, payload.final]),
    [
      ['mistake', 'no', true],
      ['mistake', 'no', true],
    ],
  );
  assert.deepEqual(world.bank.charges(), []);
  assert.ok(world.logged.some((line) => /the second is not used/.test(line)));
});

test('the journal remembers what a key opened, so that the second takes over where the first was revoked meanwhile', async () => {
  const world = twoMerchants({ simulator: { merchants: [{ keys: [DEFAULT_KEY, SECOND], terminals: TERMINALS }] } });
  await charged(world);
  world.simulator.merchants.revokeKey(DEFAULT_KEY);
  await crashAndRestart(world, { secondApiKey: SECOND });
  await world.clock.advance(3 * DAY);
  assert.equal(world.told.at(-1)?.payload.outcome, 'approved');
  await crashAndRestart(world, { apiKey: SECOND });
  await world.sale();
  await world.clock.advance(60_000);
  assert.equal(world.bank.charges().length, 2);
});

test('a key that was replaced by another of the same merchant leaves no question open', async () => {
  const world = twoMerchants({ simulator: { merchants: [{ keys: [DEFAULT_KEY, SECOND], terminals: TERMINALS }] } });
  await charged(world);
  world.simulator.merchants.revokeKey(DEFAULT_KEY);
  await crashAndRestart(world, { apiKey: SECOND });
  await world.clock.advance(3 * DAY);
  const outcomes = world.told.map(({ payload }) => payload.outcome);
  assert.deepEqual(outcomes, ['provisional', 'approved'], 'as without the change, and never "unknown"');
});

test('a "no" that may change is taken back within half a minute where the service does not say whose the new key is', async () => {
  const world = twoMerchants({ simulator: { cardholder: { tapAfterMs: 40_000 } } });
  await world.engine.start();
  world.simulator.faults.arm({ kind: 'repeated-request' });
  await world.sale({}, { busyWaitMs: 0, exclusiveTerminal: false });
  await world.clock.advance(10_000);
  assert.equal(saidNo(world).length, 1, 'busy, it seems: the payment has begun all the same');
  await crashAndRestart(world, {
    apiKey: SECOND,
    send: async (request) =>
      request.url.endsWith('/devices') ? { status: 502, body: '' } : world.simulator.send(request),
  });
  await world.clock.advance(30_000);
  assert.equal(world.told.at(-1)?.payload.moneyMoved, 'unknown');
});

test('what the keys open is asked until the service says it, and never again', async () => {
  let isDown = true;
  let asked = 0;
  const world: Payments = payments({
    engine: {
      send: async (request) => {
        if (request.url.endsWith('/devices')) asked++;
        if (request.url.endsWith('/devices') && isDown) return { status: 502, body: '' };
        return world.simulator.send(request);
      },
    },
  });
  await world.engine.start();
  await world.clock.advance(60_000);
  assert.ok(asked > 1);
  isDown = false;
  await world.clock.advance(DAY);
  const enough = asked;
  await crashAndRestart(world, {});
  await world.clock.advance(DAY);
  assert.equal(asked, enough);
});

test('an engine that is started again and again asks no more often what the keys open', async () => {
  let asked = 0;
  const world: Payments = payments({
    engine: {
      send: async (request) => {
        if (request.url.endsWith('/devices')) asked++;
        return { status: 502, body: '' };
      },
    },
  });
  for (let time = 0; time < 3; time++) {
    await world.engine.start();
    await world.clock.advance(15_000);
  }
  assert.equal(asked, 3, 'at once, and after 10 and 30 s');
});
