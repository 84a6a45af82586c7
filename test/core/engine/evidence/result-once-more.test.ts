import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, HttpRequest } from '../../../../src/core/base/seams.js';
import { MemoryJournal } from '../../../../src/core/journal/memory.js';
import { type Payments, payments } from '../../../harness/payments.js';

/** An intermediary delivers the response to one operation of this journal once more, to a later one; it names no transaction. */

const DAYS = 3 * 24 * 3_600_000;

/** A world in which responses can be bent, by what they answer. Polled for. */
function bentBy() {
  const bent: { by?: (request: HttpRequest, own: HttpAnswer) => HttpAnswer } = {};
  const world: Payments = payments({
    callbacks: false,
    engine: {
      send: async (request): Promise<HttpAnswer> => {
        const own = await world.simulator.send(request);
        return bent.by?.(request, own) ?? own;
      },
    },
  });
  return { world, bent };
}

const isResult = ({ url }: HttpRequest, { status }: HttpAnswer): boolean =>
  url.includes('/transaction-result/') && status === 200;

function withoutIds(answer: HttpAnswer, change: object = {}): HttpAnswer {
  const body = { ...JSON.parse(answer.body), ...change, transactionID: '', efttransactionID: '' };
  return { ...answer, body: JSON.stringify(body) };
}

/** Bends the results of what is sold meanwhile, and keeps the last of them. @returns delivers it to the next poll */
function keepResult({ bent }: Pick<ReturnType<typeof bentBy>, 'bent'>, change: object): () => void {
  let kept: HttpAnswer | undefined;
  bent.by = (request, own) => {
    if (!isResult(request, own)) return own;
    kept = withoutIds(own, change);
    return kept;
  };
  return () => {
    bent.by = (request, own) => {
      if (kept === undefined || !request.url.includes('/transaction-result/')) return own;
      delete bent.by;
      return kept;
    };
  };
}

function toldOf(world: Payments, id: string) {
  const told = world.told.filter(({ payload }) => payload.operationId === id).map(({ payload }) => payload);
  assert.ok(told.length > 0);
  return told;
}

const effect = ({ bank }: Payments): number => bank.netMoved() + bank.netHeld();

for (const operation of ['moToSale', 'moToPreAuthorization', 'moToRefund'] as const) {
  for (const finStatus of ['CANCELLED', 'DECLINED']) {
    test(`a ${operation} that is accepted with the acceptance of one that ended ${finStatus} is not told as ended so`, async () => {
      const { world, bent } = bentBy();
      let accepted: HttpAnswer | undefined;
      let first = '';
      bent.by = (request, own) => {
        if (request.url.endsWith('/transactions') && accepted === undefined) {
          accepted = own;
          first = JSON.parse(own.body).transactionResultId;
        }
        return isResult(request, own) && request.url.endsWith(first) ? withoutIds(own, { finStatus }) : own;
      };
      await world.after(world.sale({ operation, amount: '3784' }));
      await world.clock.advance(10_000);
      const before = effect(world);
      const results = bent.by;
      bent.by = (request, own) => {
        if (!request.body?.includes(operation) || accepted === undefined) return results(request, own);
        bent.by = results;
        return accepted;
      };
      const id = await world.sale({ operation });
      await world.clock.advance(DAYS);
      assert.notEqual(effect(world), before, 'it was done');
      assert.ok(toldOf(world, id).every(({ retry, moneyMoved }) => retry !== 'safe' && moneyMoved !== 'no'));
    });
  }

  test(`a ${operation} that gets the result of a cancelled one is not told as cancelled`, async () => {
    const { world, bent } = bentBy();
    const deliver = keepResult({ bent }, { finStatus: 'CANCELLED' });
    const { outcome } = await world.after(world.sale({ operation, amount: '3784' }));
    assert.equal(outcome, 'cancelled');
    await world.clock.advance(10_000);
    const before = effect(world);
    deliver();
    const id = await world.sale({ operation });
    await world.clock.advance(DAYS);
    assert.notEqual(effect(world), before, 'it was done');
    assert.ok(toldOf(world, id).every((payload) => payload.outcome !== 'cancelled'));
  });
}

test('a keyed sale that is cancelled, and gets the approval of an earlier one, is not told as approved', async () => {
  const { world, bent } = bentBy();
  const deliver = keepResult({ bent }, {});
  assert.equal((await world.after(world.sale({ operation: 'moToSale' }))).outcome, 'approved');
  await world.clock.advance(10_000);
  const before = effect(world);
  deliver();
  const id = await world.sale({ operation: 'moToSale' });
  await world.clock.advance(1000);
  world.terminal.cancel();
  await world.clock.advance(DAYS);
  assert.equal(effect(world), before);
  assert.ok(toldOf(world, id).every(({ moneyMoved }) => moneyMoved !== 'yes'));
});

test('a second refund of a sale that gets the result of the first one, which was cancelled, is not told as cancelled', async () => {
  const { world, bent } = bentBy();
  const { transactionId: originalTransactionId } = await world.after(world.sale());
  await world.clock.advance(20_000);
  const refund = { operation: 'refund', originalTransactionId, amount: '400' } as const;
  const deliver = keepResult({ bent }, {});
  const cancelled = world.sale(refund);
  await world.clock.advance(1000);
  world.terminal.cancel();
  assert.equal((await world.after(cancelled)).outcome, 'cancelled');
  await world.clock.advance(10_000);
  const before = effect(world);
  deliver();
  const id = await world.sale(refund);
  await world.clock.advance(DAYS);
  assert.equal(effect(world), before - 400);
  assert.deepEqual(
    toldOf(world, id).map(({ moneyMoved }) => moneyMoved),
    ['yes'],
  );
});

for (const operation of ['refund', 'saleReversal'] as const) {
  test(`a ${operation} of a payment that the journal does not know is not ended by the result of a cancelled sale`, async () => {
    const { world, bent } = bentBy();
    const { transactionId: originalTransactionId } = await world.after(world.sale());
    await world.clock.advance(20_000);
    await world.engine.stop();
    world.engine = world.createEngine({ journal: new MemoryJournal() });
    await world.engine.start();
    world.connect(world.engine);
    const deliver = keepResult({ bent }, { finStatus: 'CANCELLED' });
    assert.equal((await world.after(world.sale({ amount: '3784' }))).outcome, 'cancelled');
    await world.clock.advance(10_000);
    const before = effect(world);
    deliver();
    const id = await world.sale({ operation, originalTransactionId });
    await world.clock.advance(DAYS);
    assert.notEqual(effect(world), before, 'it was done');
    assert.ok(toldOf(world, id).every((payload) => payload.outcome !== 'cancelled'));
  });
}
