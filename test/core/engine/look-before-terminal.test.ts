import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TransactionOrder } from '../../../src/core/api/schema/transaction-request.js';
import type { HttpAnswer, HttpRequest } from '../../../src/core/base/seams.js';
import { type Payments, payments } from '../../harness/payments.js';

/** What a terminal is asked to give back, another system may have given back before: the chain of the payment shows it. */

const HEEDLESS = { reversalAfterRefund: 'done', refundBeyondRest: 'done' } as const;

const heedless = (): Payments => payments({ simulator: { variants: HEEDLESS } });

const paid = async (world: Payments): Promise<string> => (await world.after(world.sale())).transactionId;

const saidOf = async (world: Payments, request: Partial<TransactionOrder>): Promise<unknown[]> => {
  const { outcome, moneyMoved, error } = await world.after(world.sale(request, { busyWaitMs: 60_000 }));
  return [outcome, moneyMoved, error?.code];
};

const REFUSED = ['refused', 'no', 'REFUNDED_BEFORE'];

test('a reversal on a terminal is not sent where the chain shows that another system has refunded a part', async () => {
  const world = heedless();
  const originalTransactionId = await paid(world);
  world.simulator.other.refund(originalTransactionId, 400);
  await world.clock.advance(20_000);
  assert.deepEqual(await saidOf(world, { operation: 'saleReversal', originalTransactionId }), REFUSED);
  assert.deepEqual(world.started, ['sale']);
  const rest = { operation: 'saleReversal', amount: '600', originalTransactionId } as const;
  assert.deepEqual((await saidOf(world, rest)).slice(0, 2), ['refunded', 'yes']);
  assert.equal(world.bank.netMoved(), 0);
});

test('a refund on a terminal is not sent where the chain shows that another system has reversed so much', async () => {
  const world = heedless();
  const originalTransactionId = await paid(world);
  world.simulator.other.reverse(originalTransactionId, 400);
  await world.clock.advance(20_000);
  assert.deepEqual(await saidOf(world, { operation: 'refund', amount: '601', originalTransactionId }), REFUSED);
  assert.equal(world.bank.netMoved(), 600);
});

test('a captured hold is not released on a terminal where the chain shows that its capture was refunded', async () => {
  const world = heedless();
  const { transactionId: hold } = await world.after(world.sale({ operation: 'preAuthorization' }));
  const captured = { originalGuid: hold, capturedAmount: '10.00', currency: 'EUR' };
  const { transactionId } = await world.after(
    world.backOffice({ operation: 'preauthorization/capture', body: captured }),
  );
  world.simulator.other.refund(transactionId, 400);
  await world.clock.advance(20_000);
  const release = { operation: 'preAuthorizationReversal', amount: undefined, currency: undefined } as const;
  assert.deepEqual(await saidOf(world, { ...release, originalTransactionId: hold }), REFUSED);
  assert.equal(world.bank.netMoved(), 600);
});

test('what the journal has given back shows beside what another system gave back before a terminal gives back more', async () => {
  const world = payments({ simulator: { variants: HEEDLESS, timings: { statusLagMs: 10_000 } } });
  const originalTransactionId = await paid(world);
  world.simulator.other.refund(originalTransactionId, 400);
  await world.clock.advance(20_000);
  const part = { originalGuid: originalTransactionId, amount: '5.00', currency: 'EUR' };
  assert.equal((await world.after(world.backOffice({ operation: 'reversal', body: part }))).outcome, 'refunded');
  assert.deepEqual(await saidOf(world, { operation: 'refund', amount: '200', originalTransactionId }), REFUSED);
  assert.equal(world.bank.netMoved(), 100);
});

/** A captured hold of 10.00, which takes ten seconds to show what became of it. */
async function captured() {
  const world = payments({ simulator: { variants: HEEDLESS, timings: { statusLagMs: 10_000 } } });
  const { transactionId: hold } = await world.after(world.sale({ operation: 'preAuthorization' }));
  const body = { originalGuid: hold, capturedAmount: '10.00', currency: 'EUR' };
  const { transactionId: capture } = await world.after(
    world.backOffice({ operation: 'preauthorization/capture', body }),
  );
  await world.clock.advance(20_000);
  return { world, hold, capture };
}

const RELEASE = { operation: 'preAuthorizationReversal', amount: undefined, currency: undefined } as const;

test('a captured hold is not released on a terminal where the flow has refunded its capture right before', async () => {
  const { world, hold, capture } = await captured();
  const body = { originalGuid: capture, amount: '4.00', currency: 'EUR' };
  assert.equal((await world.after(world.backOffice({ operation: 'moto/refund', body }))).outcome, 'refunded');
  assert.deepEqual(await saidOf(world, { ...RELEASE, originalTransactionId: hold }), REFUSED);
  assert.equal(world.bank.netMoved(), 600);
});

test('a capture is not refunded on a terminal where the flow has cancelled it by its hold right before', async () => {
  const { world, hold, capture } = await captured();
  const released = await saidOf(world, { ...RELEASE, originalTransactionId: hold });
  assert.deepEqual(released.slice(0, 2), ['refunded', 'yes']);
  assert.deepEqual(await saidOf(world, { operation: 'refund', originalTransactionId: capture }), REFUSED);
  assert.equal(world.bank.netMoved(), 0);
});

test('a refund that was cancelled on the terminal is sent again at once', async () => {
  const world = payments({ simulator: { cardholder: { tapAfterMs: 10_000 } } });
  const originalTransactionId = await paid(world);
  const refund = { operation: 'refund', originalTransactionId } as const;
  const first = world.sale(refund);
  await world.clock.advance(1000);
  await world.engine.cancel(await first);
  assert.equal((await world.after(first)).outcome, 'cancelled');
  await world.sale(refund, { busyWaitMs: 60_000 });
  await world.clock.advance(1000);
  assert.deepEqual(world.started, ['sale', 'refund', 'stopCurrentTransaction', 'refund']);
  assert.equal((await world.untilTold(3)).payload.outcome, 'refunded');
});

/** From `goDark` on the status service answers nothing. */
function darkening(): { world: Payments; sent: unknown[]; goDark: () => void } {
  const sent: unknown[] = [];
  let isDark = false;
  const send = (request: HttpRequest): Promise<HttpAnswer> => {
    if (isDark && request.url.includes('/status')) return new Promise(() => undefined);
    if (request.method === 'POST') sent.push(JSON.parse(request.body ?? '{}').operation);
    return world.simulator.send(request);
  };
  const world: Payments = payments({ engine: { send } });
  const goDark = (): void => {
    isDark = true;
  };
  return { world, sent, goDark };
}

test('a reversal waits three seconds at most for the chain', async () => {
  const { world, sent, goDark } = darkening();
  const originalTransactionId = await paid(world);
  goDark();
  await world.sale({ operation: 'saleReversal', originalTransactionId });
  await world.clock.advance(2900);
  assert.deepEqual(sent, ['sale']);
  await world.clock.advance(200);
  assert.deepEqual(sent, ['sale', 'saleReversal']);
  await world.untilTold(2);
  assert.equal(world.bank.netMoved(), 0);
});

test('a reversal that is cancelled while the chain is asked for is not sent', async () => {
  const { world, sent, goDark } = darkening();
  const originalTransactionId = await paid(world);
  goDark();
  const operationId = await world.sale({ operation: 'saleReversal', originalTransactionId });
  await world.clock.advance(1000);
  await world.engine.cancel(operationId);
  assert.equal((await world.untilTold(2)).payload.outcome, 'cancelled');
  await world.clock.advance(60_000);
  assert.deepEqual(sent, ['sale']);
});
