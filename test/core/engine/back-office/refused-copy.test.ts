import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, HttpRequest } from '../../../../src/core/base/seams.js';
import type { ResultPayload } from '../../../../src/core/delivery/payload.js';
import type { BackOfficeOrder } from '../../../../src/core/operation/back-office-order.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** A proxy sends a request twice, and the engine sees the answer to the second copy alone: a refusal, as the first one did it. */

/** `copies`: how often the proxy sends what goes to `path`. */
function proxied(path: string, copies = 2): Payments {
  const world: Payments = payments({
    engine: {
      send: async (request: HttpRequest): Promise<HttpAnswer> => {
        for (let copy = 1; copy < copies && request.url.endsWith(path); copy++) await world.simulator.send(request);
        return world.simulator.send(request);
      },
    },
  });
  return world;
}

const saidOf = ({ outcome, moneyMoved, final, source, error }: ResultPayload) => [
  outcome,
  moneyMoved,
  final,
  source,
  error?.code,
];

async function held(world: Payments): Promise<string> {
  const { transactionId = '' } = await world.after(world.sale({ operation: 'preAuthorization' }));
  await world.clock.advance(20_000);
  return transactionId;
}

async function sold(world: Payments): Promise<string> {
  const { transactionId = '' } = await world.after(world.sale());
  await world.clock.advance(20_000);
  return transactionId;
}

const reversalOf = (originalGuid: string): BackOfficeOrder => ({ operation: 'reversal', body: { originalGuid } });
const refundOf = (originalGuid: string, amount = '10.00'): BackOfficeOrder => ({
  operation: 'moto/refund',
  body: { originalGuid, amount, currency: 'EUR' },
});
const captureOf = (originalGuid: string): BackOfficeOrder => ({
  operation: 'preauthorization/capture',
  body: { originalGuid, capturedAmount: '10.00', currency: 'EUR' },
});

/** A reversal of the gateway has no mark by which it is told from that of another system. */
const UNPROVEN = ['unknown', 'unknown', false, 'recovery', '3051'];

test('a reversal that a proxy repeats is for a person to look at, and not told as refused', async () => {
  const world = proxied('/reversal');
  const told = await world.after(world.backOffice(reversalOf(await sold(world))));
  assert.equal(world.bank.netMoved(), 0);
  assert.deepEqual(saidOf(told), UNPROVEN);
});

test('the same for the release of a hold', async () => {
  const world = proxied('/reversal');
  const told = await world.after(world.backOffice(reversalOf(await held(world))));
  assert.equal(world.bank.netHeld(), 0);
  assert.deepEqual(saidOf(told), UNPROVEN);
});

test('a capture that a proxy repeats is told as done', async () => {
  const world = proxied('/preauthorization/capture');
  const told = await world.after(world.backOffice(captureOf(await held(world))));
  assert.equal(world.bank.netMoved(), 1000);
  assert.deepEqual(saidOf(told), ['approved', 'yes', true, 'status', undefined]);
});

test('a refund of the whole that a proxy repeats is told as done', async () => {
  const world = proxied('/moto/refund');
  const told = await world.after(world.backOffice(refundOf(await sold(world))));
  assert.equal(world.bank.netMoved(), 0);
  assert.deepEqual(saidOf(told), ['refunded', 'yes', true, 'status', undefined]);
});

test('a decrease that a proxy repeats, and that leaves too little for its copy, is told as done', async () => {
  const world = proxied('/preauthorization/increase');
  const body = { originalGuid: await held(world), increaseAmount: '6.00', subtract: '1' as const, currency: 'EUR' };
  const told = await world.after(world.backOffice({ operation: 'preauthorization/increase', body }));
  assert.equal(world.bank.netHeld(), 400);
  assert.deepEqual(saidOf(told), ['approved', 'no', true, 'status', undefined]);
});

test('what is refused for good is told as refused once the chain has shown nothing twice, after 20 seconds', async () => {
  const world = proxied('', 1);
  const sale = await sold(world);
  const hold = await held(world);
  for (const [order, code] of [
    [refundOf(sale, '11.00'), '3209'],
    [reversalOf(sale), undefined],
    [reversalOf(sale), '3051'],
    [reversalOf(hold), undefined],
    [captureOf(hold), '3211'],
  ] as const) {
    await world.clock.advance(20_000);
    const before = world.clock.now();
    const told = await world.after(world.backOffice(order));
    if (code === undefined) continue;
    assert.deepEqual(saidOf(told), ['refused', 'no', true, 'status', code]);
    assert.ok(world.clock.now() - before < 22_000, `${code} after ${world.clock.now() - before} ms`);
  }
});

test('a reversal of what another system has reversed a moment ago is for a person to look at', async () => {
  const world = proxied('', 1);
  const sale = await sold(world);
  world.simulator.other.reverse(sale);
  const told = await world.after(world.backOffice(reversalOf(sale)));
  assert.deepEqual(saidOf(told), UNPROVEN);
});

test('where nobody can be asked, a refusal is told as it came', async () => {
  const world = proxied('', 1);
  const originalGuid = world.simulator.other.sale({ amount: 1000 }) ?? '';
  world.simulator.other.reverse(originalGuid);
  await world.clock.advance(20_000);
  const told = await world.after(world.backOffice(reversalOf(originalGuid)));
  assert.deepEqual(saidOf(told), ['refused', 'no', true, 'answer', '3051']);
});
