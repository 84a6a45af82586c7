import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_KEY } from '../../../src/simulator/index.js';
import { type Payments, payments, saleOrder } from '../../harness/payments.js';

/** Another till gives a payment back, or a part of it, before its answer is known: the refund limit counts that. */

const refund = (world: Payments, originalTransactionId: string, amount: string): Promise<string> =>
  world.engine.submit({
    ...saleOrder({ operation: 'refund', amount, originalTransactionId }),
    atMostLeft: { source: 'msg.payload.amount' },
  });

async function idIn({ simulator }: Payments, reference: string): Promise<string> {
  const { body } = await simulator.send({
    method: 'GET',
    url: `${simulator.statusUrl}/transactions/${reference}/status/all`,
    headers: { ApiKeyCloud: DEFAULT_KEY },
    timeoutMs: 15_000,
  });
  return JSON.parse(body)[0].transactionID;
}

const told = (world: Payments) =>
  world.told.map(({ payload: { outcome, error, amount } }) => [outcome, error?.code, amount?.total]).at(-1);

/** A sale of 10.00 whose answer is lost, and what another till gives back of it meanwhile. */
async function givenBack(back: number): Promise<{ world: Payments; transactionId: string }> {
  const world = payments({ callbacks: false });
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /transactions' } });
  const reference = await world.sale();
  await world.clock.advance(40_000);
  const transactionId = await idIn(world, reference);
  assert.ok(world.simulator.other.refund(transactionId, back));
  await world.clock.advance(3 * 86_400_000);
  return { world, transactionId };
}

test('a refund of all is refused where the flow was told that 6.00 had gone back already, and the rest can be refunded', async () => {
  const { world, transactionId } = await givenBack(600);
  assert.deepEqual(told(world), ['partial', 'PARTLY_REFUNDED', '4.00']);
  await assert.rejects(refund(world, transactionId, '1000'), {
    message: 'msg.payload.amount: expected at most 4.00, the amount left of the original, got "10.00"',
  });
  assert.equal((await world.after(refund(world, transactionId, '300'))).outcome, 'refunded');
  await assert.rejects(refund(world, transactionId, '200'), /at most 1\.00, /);
  assert.equal((await world.after(refund(world, transactionId, '100'))).outcome, 'refunded');
  await assert.rejects(refund(world, transactionId, '1'), /at most 0\.00, /);
  assert.equal(world.bank.netMoved(), 0);
});

test('a refund is refused where the flow was told that all had gone back already', async () => {
  const { world, transactionId } = await givenBack(1000);
  assert.deepEqual(told(world)?.[0], 'refunded');
  await assert.rejects(refund(world, transactionId, '1000'), /at most 0\.00, the amount left of the original, got/);
  assert.equal(world.bank.netMoved(), 0);
});

test('a refund that this flow made before it was told what is left does not count twice', async () => {
  const world = payments({ callbacks: false });
  world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /transactions' } });
  const { transactionId, outcome } = await world.after(world.sale());
  assert.equal(outcome, 'provisional');
  assert.equal((await world.after(refund(world, transactionId, '400'))).outcome, 'refunded');
  await world.clock.advance(3 * 86_400_000);
  assert.deepEqual(told(world), ['partial', 'PARTLY_REFUNDED', '6.00']);
  await assert.rejects(refund(world, transactionId, '601'), /at most 6\.00, /);
  assert.equal((await world.after(refund(world, transactionId, '600'))).outcome, 'refunded');
  assert.equal(world.bank.netMoved(), 0);
});

test('a refund by token is refused where the flow was told what had gone back of a payment by token', async () => {
  for (const [back, left] of [
    [400, '6.00'],
    [1000, '0.00'],
  ] as const) {
    const world = payments();
    const stored = await world.after(world.sale({ operation: 'tokenizeCard', amount: undefined, currency: undefined }));
    world.simulator.faults.arm({ kind: 'answer-lost', match: { endpoint: 'POST /moto/sale' }, times: 100 });
    const body = { amount: '10.00', currency: 'EUR', cardToken: stored.card.token ?? '' };
    const reference = await world.backOffice({ operation: 'moto/sale', body });
    await world.clock.advance(30_000);
    assert.ok(world.simulator.other.refund(await idIn(world, reference), back));
    const { transactionId } = await world.after(Promise.resolve(reference));
    assert.equal(told(world)?.[2], left);
    const again = world.engine.submitBackOffice(
      {
        operation: 'moto/refund',
        body: { originalGuid: transactionId, amount: '10.00', currency: 'EUR' },
        atMostLeft: { source: 'msg.payload.amount' },
      },
      { node: 'sale-node', message: {} },
    );
    await assert.rejects(again, new RegExp(`at most ${left.replace('.', '\\.')}, `));
  }
});
