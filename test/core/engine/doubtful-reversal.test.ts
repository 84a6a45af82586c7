import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, HttpRequest } from '../../../src/core/base/seams.js';
import { type Payments, payments } from '../../harness/payments.js';

/** A late approval that goes back by the flow's policy, and an answer to its reversal that does not prove that it did. */

/** A service that answers a reversal with `answer`, and does what `act` does. */
function answering(
  answer: object,
  act: (world: Payments, request: HttpRequest) => unknown = () => undefined,
): Payments {
  const world: Payments = payments({
    callbacks: false,
    engine: {
      send: async (request: HttpRequest): Promise<HttpAnswer> => {
        if (!request.url.endsWith('/reversal')) return world.simulator.send(request);
        await act(world, request);
        return { status: 200, body: JSON.stringify(answer) };
      },
    },
  });
  return world;
}

/** What the flow was told of a sale of 10.00 EUR that was approved after its deadline. */
async function lateSale(world: Payments) {
  await world.sale({}, { deadlineMs: 1700, lateApproval: 'reverse', exclusiveTerminal: false });
  await world.clock.advance(10 * 60_000);
  return world.told.map(({ exit, payload }) => [exit, payload.moneyMoved, payload.error?.code]);
}

const DONE = { httpStatus: 200, issuerResponseCode: '00', reversalGuid: '11111111-1111-4111-8111-111111111111' };

for (const finStatus of ['FAILED', 'UNDEFINED', 'IN_PROGRESS']) {
  test(`a late approval whose reversal is answered ${finStatus} beside 00 is not told as taken back`, async () => {
    const world = answering({ ...DONE, finStatus });
    const told = await lateSale(world);
    assert.equal(world.bank.netMoved(), 1000, 'it is charged');
    assert.deepEqual(told.at(-1)?.slice(0, 1), ['needs-attention']);
    assert.ok(
      told.every(([, moneyMoved]) => moneyMoved !== 'no'),
      JSON.stringify(told),
    );
  });
}

const partOf = (world: Payments, request: HttpRequest) =>
  world.simulator.other.reverse(JSON.parse(request.body ?? '{}').originalGuid, 400);

test('a late approval of which the reversal says that it took back a part is not told as "nothing charged, safe"', async () => {
  const world = answering({ ...DONE, amount: '4.00', currency: 'EUR' }, partOf);
  const told = await lateSale(world);
  assert.equal(world.bank.netMoved(), 600);
  assert.deepEqual(told.at(-1), ['needs-attention', 'partly', 'PARTLY_REFUNDED']);
  assert.ok(
    told.every(([, moneyMoved]) => moneyMoved !== 'no'),
    JSON.stringify(told),
  );
});

test('a late approval of which the reversal names a part, and takes back all, is told by the chain', async () => {
  const world = answering({ ...DONE, amount: '4.00', currency: 'EUR' }, (there, request) =>
    there.simulator.send(request),
  );
  const told = await lateSale(world);
  assert.equal(world.bank.netMoved(), 0);
  assert.equal(told.at(-1)?.[1], 'no');
});

for (const [what, answer] of [
  ['an amount that nobody can read', { ...DONE, amount: '10,00', currency: 'EUR' }],
  ['an error beside it', { ...DONE, error: { statusCode: 400, code: '3153', name: 'BadRequestError', message: 'no' } }],
  ['the release of a hold', { httpStatus: 200, finStatus: 'AUTHORISED', type: 'PRE_AUTHORIZATION_REVERSAL' }],
] as const) {
  test(`a late approval whose reversal is answered with ${what} is told as the chain shows it`, async () => {
    const idle = answering(answer);
    const told = await lateSale(idle);
    assert.equal(idle.bank.netMoved(), 1000);
    assert.deepEqual(told.at(-1)?.slice(0, 1), ['needs-attention']);
    assert.ok(
      told.every(([, moneyMoved]) => moneyMoved !== 'no'),
      JSON.stringify(told),
    );
    const done = answering(answer, (there, request) => there.simulator.send(request));
    const taken = await lateSale(done);
    assert.equal(done.bank.netMoved(), 0);
    assert.equal(taken.at(-1)?.[1], 'no');
  });
}
