import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Action,
  type Cardholder,
  FAULT_MOMENTS,
  type Fault,
  type FaultPlan,
  MISHAP_KINDS,
  seededRandom,
} from '../../src/simulator/index.js';
import { type Json, simulate } from '../harness/simulated.js';

const SEEDS = 400;
const HOUR = 3_600_000;
const AMOUNTS = ['1000', '3757', '3779', '3768', '6165', '2500'];

/** The amount the cardholder has paid for each final status of the terminal. */
const PAID: Record<string, (result: Json) => unknown> = {
  AUTHORISED: ({ totalAmount }) => totalAmount,
  PARTIAL_APPROVAL: ({ totalAmount }) => totalAmount,
  DECLINED: () => 0,
  CANCELLED: () => 0,
  FAILED: () => 0,
};

function chaoticPlan(random: () => number): FaultPlan {
  return ({ moment }) => {
    if (random() > 0.1) return undefined;
    const fitting = MISHAP_KINDS.filter((kind) => FAULT_MOMENTS[kind] === moment);
    const kind = fitting[Math.floor(random() * fitting.length)];
    // The terminal must come back on, or it never reports a result.
    const fault: Fault | undefined = kind && { kind, ms: 1 + Math.floor(random() * 90_000) };
    return fault;
  };
}

function chaoticCardholder(random: () => number): Cardholder {
  const pick = <T>(...choices: T[]): T | undefined => choices[Math.floor(random() * choices.length)];
  const reactions: Partial<Record<string, () => Action | undefined>> = {
    'awaiting-card': () =>
      pick<Action>(
        { do: 'present-card' },
        { do: 'present-card', card: { entry: 'ICC' } },
        { do: 'present-card', card: { entry: 'MAG_STRIPE' } },
        { do: 'present-card', card: { unreadable: true } },
        { do: 'cancel' },
      ),
    'insert-card': () => pick<Action>({ do: 'cancel' }, { do: 'present-card', card: { entry: 'ICC' } }),
    pin: () => ({ do: 'enter-pin', correct: random() < 0.7 }),
    duplicate: () => ({ do: 'answer', accept: random() < 0.7 }),
    partial: () => ({ do: 'answer', accept: random() < 0.5 }),
    signature: () => pick<Action>({ do: 'sign' }, { do: 'answer', accept: false }),
    processing: () => (random() < 0.2 ? { do: 'remove-card' } : undefined),
    'remove-card': () => ({ do: 'remove-card' }),
  };
  return ({ stage }) => {
    const act = random() < 0.9 ? reactions[stage]?.() : undefined;
    return act && { afterMs: Math.floor(random() * 5000), act };
  };
}

async function play(seed: number) {
  const random = seededRandom(seed);
  const world = simulate({ cardholder: chaoticCardholder(random) });
  const { simulator, clock, terminal } = world;
  simulator.faults.decideBy(chaoticPlan(random));
  const said: [reference: string, result: Json | undefined][] = [];
  for (let turn = 0; turn < 3; turn++) {
    const body = world.sale({
      amount: AMOUNTS[Math.floor(random() * AMOUNTS.length)],
      callbackUrl: 'https://till.example/cb',
    });
    const sent = world.post('/transactions', body).catch(() => undefined);
    if (random() < 0.1) clock.after(Math.floor(random() * 40_000), () => terminal.powerCut(30_000));
    if (random() < 0.1) clock.after(Math.floor(random() * 40_000), () => terminal.goOffline());
    await clock.runUntilIdle(HOUR);
    terminal.goOnline();
    await clock.runUntilIdle(HOUR);
    const resultId = String((await sent)?.json.transactionResultId);
    simulator.faults.decideBy(undefined);
    const { status, json } = await world.get(`/transaction-result/${resultId}`);
    said.push([String(body.transactionReference), status === 200 ? json : undefined]);
    simulator.faults.decideBy(chaoticPlan(random));
  }
  simulator.faults.clear();
  terminal.powerOn();
  await clock.runUntilIdle(3 * 24 * HOUR);
  return { world, said };
}

test(`says what the ledger says, at once and in the end, over ${SEEDS} seeds of faults, and exercises every fault`, async () => {
  const struck = new Set<string>();
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { world, said } = await play(seed);
    const { simulator, clock, terminal } = world;
    for (const [reference, result] of said) {
      if (result === undefined) continue;
      const paid = PAID[String(result.finStatus)];
      assert.ok(paid, `seed ${seed}: ended as ${String(result.finStatus)}`);
      assert.equal(simulator.bank.netMoved(reference), paid(result), `seed ${seed}: ${reference}`);
      assert.ok(simulator.bank.charges(reference).length <= 1, `seed ${seed}: charged twice`);
    }
    for (const { body, moved } of world.callbacks) {
      const paid = PAID[String(body.finStatus)];
      if (paid !== undefined) assert.equal(moved, paid(body), `seed ${seed}: told too early`);
    }
    assert.equal(clock.pending, 0, `seed ${seed}: a timer is left`);
    assert.equal(terminal.screen.stage, 'idle', `seed ${seed}`);
    for (const kind of Object.keys(simulator.faults.counts())) struck.add(kind);
  }
  const onlyWhenAsked = ['poll', 'status-without-record', 'status-with-record'];
  const missed = MISHAP_KINDS.filter((kind) => !struck.has(kind) && !onlyWhenAsked.includes(FAULT_MOMENTS[kind]));
  assert.deepEqual(missed, []);
});

test('plays a seed a second time as it did the first', async () => {
  for (const seed of [3, 17, 99]) {
    const [first, second] = [await play(seed), await play(seed)];
    assert.deepEqual(first.said, second.said);
    assert.deepEqual(first.world.simulator.bank.entries(), second.world.simulator.bank.entries());
    assert.deepEqual(first.world.callbacks, second.world.callbacks);
  }
});
