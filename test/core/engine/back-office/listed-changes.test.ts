import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, HttpRequest } from '../../../../src/core/base/seams.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** Increases of a hold of 10.00 by 4.00, as a status service may list them. The hold's own entry keeps what it was made with. */

type Entry = Record<string, unknown>;

interface Listing {
  /** What it makes of the entry of an increase. */
  change: Entry;
  /** Whether a proxy sends every increase on twice. */
  isDoubled?: boolean;
}

function serviceThatLists({ change, isDoubled = false }: Listing): Payments {
  const listed = ([hold, ...later]: Entry[]): Entry[] => [
    { ...hold, holdAmount: 1000, increaseAmount: 0 },
    ...later.map((entry) => ({ ...entry, ...change })),
  ];
  const world: Payments = payments({
    engine: {
      send: async (request: HttpRequest): Promise<HttpAnswer> => {
        if (isDoubled && request.url.endsWith('/preauthorization/increase')) await world.simulator.send(request);
        const answer = await world.simulator.send(request);
        const isChain = request.url.endsWith('/status/all') && answer.status === 200;
        return isChain ? { ...answer, body: JSON.stringify(listed(JSON.parse(answer.body))) } : answer;
      },
    },
  });
  return world;
}

async function held(world: Payments): Promise<string> {
  const { transactionId } = await world.after(world.sale({ operation: 'preAuthorization' }));
  await world.clock.advance(60_000);
  return transactionId;
}

function increased(world: Payments, originalGuid: string) {
  const body = { originalGuid, increaseAmount: '4.00', currency: 'EUR' };
  return world.after(world.backOffice({ operation: 'preauthorization/increase', body }));
}

const AS_HOLD = { type: 'PRE_AUTHORIZATION', increaseAmount: undefined, customerReference: '' };

const LISTINGS: [name: string, change: Entry][] = [
  ['as increases', { customerReference: '' }],
  ['as increases that do not say what is held', { customerReference: '', holdAmount: undefined }],
  ['as increases that do not name the hold', { customerReference: '', originalEFTTransactionID: '' }],
  ['as holds', AS_HOLD],
  ['as holds that do not say what is held', { ...AS_HOLD, holdAmount: undefined }],
  ['as holds that do not name the first', { ...AS_HOLD, originalEFTTransactionID: '' }],
];

for (const [name, change] of LISTINGS) {
  test(`a second increase that is answered is told as approved where they are listed ${name}`, async () => {
    const world = serviceThatLists({ change });
    const originalGuid = await held(world);
    await increased(world, originalGuid);
    await world.clock.advance(60_000);
    const { outcome, final, amount, error } = await increased(world, originalGuid);
    assert.equal(world.bank.netHeld(), 1800);
    assert.deepEqual([outcome, final, amount?.total, error], ['approved', true, '4.00', undefined]);
  });

  test(`an increase whose answer was lost is not told as not done where they are listed ${name}`, async () => {
    const world = serviceThatLists({ change });
    const originalGuid = await held(world);
    world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /preauthorization/increase' } });
    const { outcome, moneyMoved, retry } = await increased(world, originalGuid);
    assert.equal(world.bank.netHeld(), 1400);
    assert.deepEqual([outcome, moneyMoved, retry], ['unknown', 'unknown', 'after-recovery']);
  });

  test(`an increase that was done twice is a question where they are listed ${name}`, async () => {
    const world = serviceThatLists({ change, isDoubled: true });
    const { outcome, final } = await increased(world, await held(world));
    assert.equal(world.bank.netHeld(), 1800);
    assert.deepEqual([outcome, final], ['unknown', false]);
  });
}

test('a decrease after an increase is told as approved where the increase alone says what is held', async () => {
  const world = serviceThatLists({ change: { customerReference: '' } });
  const originalGuid = await held(world);
  await increased(world, originalGuid);
  await world.clock.advance(60_000);
  const body = { originalGuid, increaseAmount: '2.00', subtract: '1', currency: 'EUR' } as const;
  const { outcome, amount } = await world.after(world.backOffice({ operation: 'preauthorization/increase', body }));
  assert.equal(world.bank.netHeld(), 1200);
  assert.deepEqual([outcome, amount?.hold], ['approved', '12.00']);
});

test('an increase by half of what was asked for is a question', async () => {
  const world = serviceThatLists({ change: {} });
  const originalGuid = await held(world);
  world.simulator.faults.arm({ kind: 'increase-took-less' });
  const { outcome, final } = await increased(world, originalGuid);
  assert.equal(world.bank.netHeld(), 1200);
  assert.deepEqual([outcome, final], ['unknown', false]);
});

test('an increase by half of what was asked for is told with what it took where the hold could not be asked about before', async () => {
  const world = serviceThatLists({ change: {} });
  const originalGuid = await held(world);
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'GET /status' } });
  world.simulator.faults.arm({ kind: 'increase-took-less' });
  const { outcome, amount, error } = await increased(world, originalGuid);
  assert.equal(world.bank.netHeld(), 1200);
  assert.deepEqual([outcome, amount?.total, amount?.hold, error?.code], ['partial', '2.00', '12.00', 'AMOUNT_DIFFERS']);
});
